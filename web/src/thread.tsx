import { lazy, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { Later } from "./boundary";
import type { ChatState } from "./chat-state";
import { Icon } from "./icons";
import type { Live } from "./live";
import { MessageView, type MessageActions } from "./message";
import type { Previewed } from "./preview";
import { Resumed, Retry, Waiting } from "./progress";
import { runAddress } from "./router";
import { END_DISTANCE, distanceToEnd, follows, placeOf } from "./scroll";
import { PageLink } from "./sidebar";
import type { Answer, Line, Message } from "./types";

const AskCards = lazy(() => import("./asks"));

interface Props {
  state: ChatState;
  chatId: string;
  empty: ReactNode;
  /** The model that answers; null when it is not known or the sandbox is elsewhere. */
  model: string | null;
  preview: (file: Previewed) => void;
  loadOlder: () => void;
  again: MessageActions;
  answer: (answer: Answer) => Promise<void>;
}

/** The messages, oldest first; stays scrolled to the end while the reader is there. */
export function Thread(props: Props) {
  const { state, chatId, empty, model, preview, loadOlder, again: now, answer: answerAsk } = props;
  const { messages, live, olderCursor } = state;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const hasMessages = useRef(false);
  hasMessages.current = messages.length > 0;
  const place = useRef({ top: 0, height: 0, view: 0 });
  const [away, setAway] = useState(false);
  const again = useRef(now);
  again.current = now;
  const [stable] = useState<MessageActions>(() => ({
    retry: (id) => again.current.retry(id),
    edit: (message, text) => again.current.edit(message, text),
    switchTo: (id) => again.current.switchTo(id),
    fork: (id) => again.current.fork(id),
    proceed: () => again.current.proceed(),
  }));

  const toEnd = () => {
    const element = scroller.current;
    if (!element) return;
    element.scrollTop = element.scrollHeight;
    place.current = placeOf(element);
  };
  const sentId = messages.findLast((message) => message.role === "user")?.id;
  useLayoutEffect(() => {
    following.current = true; // after sending, scroll to the own message
    if (sentId) toEnd(); // the start page begins at its top
  }, [sentId]);
  useEffect(() => {
    if (!content.current || !scroller.current) return;
    const observer = new ResizeObserver(() => {
      if (following.current && hasMessages.current) toEnd();
      else scrolled();
    });
    observer.observe(content.current);
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  const anchor = useAnchor(scroller, messages[0]?.id);

  function scrolled() {
    const element = scroller.current;
    if (!element) return;
    const now = placeOf(element);
    following.current = follows(following.current, place.current, now);
    place.current = now;
    setAway(!following.current && distanceToEnd(now) >= END_DISTANCE);
    anchor();
  }
  const answer = useMemo(() => liveAnswer(live), [live]);
  const shown = answer ? [...messages, answer] : messages;
  const isEmpty = messages.length === 0 && !live;
  return (
    <div className="thread-frame">
      <div className="thread" ref={scroller} onScroll={scrolled} tabIndex={-1}>
        <div className={live || state.switching ? "thread-content busy" : "thread-content"} ref={content} role="log" aria-label="Conversation" aria-live="off">
          {olderCursor !== null && (
            <button type="button" className="button small older" onClick={loadOlder}>
              Load older messages
            </button>
          )}
          {isEmpty && empty}
          {shown.map((message, index) => (
            <MessageView
              key={keyOf(shown, index)}
              message={message}
              chatId={chatId}
              live={message === answer}
              preview={preview}
              actions={stable}
              newest={!live && index >= shown.length - 2}
              switching={state.switching}
            />
          ))}
          {live && live.fold.attempt > 1 && !live.waitsFor && <Resumed attempt={live.fold.attempt} />}
          {live?.fold.retry && !live.stopping && <Retry line={live.fold.retry} />}
          {live?.waitsFor && !live.stopping && (
            <Later>
              <AskCards asks={openAsks(live)} answer={answerAsk} />
            </Later>
          )}
          {live && <Waiting live={live} model={model} />}
          {live?.runId && !answer && (
            <PageLink to={runAddress(live.runId)} className="link live-trace">
              <Icon name="trace" />
              Trace
            </PageLink>
          )}
        </div>
      </div>
      {away && (
        <button
          type="button"
          className="button small jump"
          onClick={() => {
            following.current = true;
            toEnd();
            setAway(false);
          }}
        >
          <Icon name="down" />
          Jump to latest
        </button>
      )}
    </div>
  );
}

/** An answer keeps its key from its first event until it is stored, so it stays one element. */
function keyOf(messages: readonly Message[], index: number): string {
  const message = messages[index];
  const before = messages[index - 1];
  if (message?.role === "assistant" && before?.role === "user") return `answer:${before.id}`;
  return message?.id ?? "";
}

function openAsks(live: Live): Line[] {
  return live.fold.asks.filter((ask) => live.waitsFor?.includes(ask.id ?? ""));
}

/** The answer so far, or null while there is none. */
function liveAnswer(live: Live | null): Message | null {
  if (!live || live.fold.blocks.length === 0) return null;
  return {
    id: `live-${live.userMessageId}`,
    role: "assistant",
    content: [...live.fold.blocks],
    fileAttachments: live.files,
    createdAt: live.startedAt,
    ...(live.runId ? { runId: live.runId } : {}),
  };
}

/** Keeps the scroll position when older messages are added above. */
function useAnchor(scroller: React.RefObject<HTMLDivElement | null>, firstId: string | undefined) {
  const fromEnd = useRef(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && fromEnd.current > 0) element.scrollTop = element.scrollHeight - fromEnd.current;
  }, [scroller, firstId]);
  return () => {
    const element = scroller.current;
    if (element) fromEnd.current = element.scrollHeight - element.scrollTop;
  };
}
