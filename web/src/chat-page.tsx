import {
  Suspense,
  lazy,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { ApiError, api } from "./api";
import { onTurnElsewhere } from "./channel";
import type { ChatState } from "./chat-state";
import { SendFailure, type ChatStore } from "./chat-store";
import { Composer, type ComposerHandle } from "./composer";
import { DropZone } from "./drop";
import { Examples } from "./examples";
import { Icon } from "./icons";
import { textOf } from "./message";
import { useChoices } from "./models";
import type { Previewed } from "./preview";
import { QueueList } from "./queue";
import { useHash } from "./router";
import { store as remember, stored } from "./theme";
import { Thread } from "./thread";
import { useTabMark } from "./title";
import { showToast, showError } from "./toasts";
import type { Message, ShownChat, Settings, StepStatus } from "./types";
import type { Chosen } from "./upload";

const Preview = lazy(() => import("./preview"));
const FilesPanel = lazy(() => import("./files-panel"));
const RestoreDialog = lazy(() => import("./restore"));

/** More files than this are attached only after a confirmation. */
const CONFIRM_ABOVE = 50;

interface Props {
  store: ChatStore;
  settings: Settings | null;
  online: boolean;
  openMenu: () => void;
}

export function ChatPage({ store, settings, online, openMenu }: Props) {
  const state = useSyncExternalStore(store.subscribe, store.snapshot);
  const composer = useRef<ComposerHandle>(null);
  const [preview, setPreview] = useState<Previewed | null>(null);
  const hash = useHash();
  const linked = hash.startsWith("#/files/");
  const [files, setFiles] = useState(() => linked || (stored("files") === "open" && innerWidth > 1100));
  const [unsent, setUnsent] = useState<{ retry: () => void } | null>(null); // until its files are given up
  const closeRestore = useCallback(() => setUnsent(null), []);
  const chatId = store.chatId;
  const busy = state.live !== null;
  const title = state.chat?.title ?? firstLine(state);
  const attach = useAttach(store, settings, composer);
  const choices = useChoices(chatId, state.chat);
  const agentId = choices.agent.named;
  const model = choices.model.named;
  const send = useCallback(
    (text: string) => {
      store.send(text, { agentId, model }).catch((error: unknown) => {
        composer.current?.put(text);
        const retry = () => {
          composer.current?.put("");
          send(text);
        };
        sendFailed(causeOf(error), store.chatId, retry, () => setUnsent({ retry }));
      });
    },
    [store, agentId, model],
  );
  const sendAgain = (question: Message, text?: string) => {
    const sent =
      text === undefined ? store.regenerate(question, { agentId, model }) : store.send(text, { agentId, model }, question);
    sent.catch((error: unknown) => {
      const retry = () => sendAgain(question, text);
      sendFailed(causeOf(error), store.chatId, retry, () => setUnsent({ retry }));
    });
  };
  const enqueue = useCallback(
    (text: string) => {
      store.enqueue(text, { agentId, model }).catch((error: unknown) => {
        composer.current?.put(text);
        showError("The message was not queued.", causeOf(error));
      });
    },
    [store, agentId, model],
  );
  const stop = useCallback(() => {
    store.stop().catch((error) => showError("The turn could not be stopped.", error));
  }, [store]);
  const lastMessage = useCallback(() => lastUserText(store.snapshot()), [store]);
  const toggleFiles = (open: boolean) => {
    setFiles(open);
    remember("files", open ? "open" : null);
  };

  useOpened(store, composer);
  useFound(store, state.phase === "ready", hash, setPreview);
  useTabMark(title ?? "Satchel", busy);
  useKeys(composer, busy, stop);
  useEffect(() => {
    if (!busy && !document.querySelector("dialog[open]")) composer.current?.focus();
  }, [busy, store]);

  if (state.phase === "missing")
    return <EmptyPage title="No such chat" text="It was deleted, or the address is wrong." openMenu={openMenu} />;
  return (
    <>
      <main className="chat">
        <header className="bar">
          <button type="button" className="icon-button menu-button" aria-label="Open menu" onClick={openMenu}>
            <Icon name="menu" />
          </button>
          <h2>{title ?? (chatId && !state.chat ? "" : "New chat")}</h2>
          {state.chat?.usage && state.chat.usage.calls > 0 && <ChatUsage usage={state.chat.usage} />}
          {chatId && (
            <button
              type="button"
              className="button small"
              aria-pressed={files}
              onClick={() => toggleFiles(!files)}
            >
              <Icon name="folder" />
              Files
            </button>
          )}
        </header>
        <Banner state={state} online={online} retry={() => void store.refresh()} />
        <Thread
          state={state}
          chatId={chatId ?? ""}
          model={settings?.runner === "own" ? (model ?? state.chat?.model ?? settings.model?.name ?? null) : null}
          empty={
            state.phase === "ready" ? (
              <Examples settings={settings} choose={(text) => composer.current?.put(text)} />
            ) : null
          }
          preview={setPreview}
          loadOlder={() =>
            void store.loadOlder().catch((error: unknown) => showError("Older messages were not loaded.", error))
          }
          again={{
            retry: () => ifThere(lastUserMessage(store.snapshot()), (question) => sendAgain(question)),
            edit: (text) => ifThere(lastUserMessage(store.snapshot()), (question) => sendAgain(question, text)),
            switchTo: (id) => switchTo(store, id),
            proceed: () => send("Continue."),
          }}
          answer={(answer) =>
            store.answer(answer).catch((error: unknown) => {
              showError("The answer was not sent.", error);
              void store.refresh();
            })
          }
        />
        <QueueList
          messages={state.queue}
          paused={state.paused}
          busy={busy}
          edit={(id, text) =>
            void store.editQueued(id, text).catch((error: unknown) => showError("The message was not changed.", error))
          }
          steer={(id) => steer(store, id)}
          remove={(id) =>
            void store.removeQueued(id).catch((error: unknown) => showError("The message was not removed.", error))
          }
          resume={() =>
            void store.resumeQueue().catch((error: unknown) => showError("The queue was not resumed.", error))
          }
        />
        {state.chat?.agentNotice && <p className="notice">{state.chat.agentNotice}</p>}
        <Composer
          draftKey={`draft:${chatId ?? "new"}`}
          uploads={store.uploads}
          choices={choices}
          busy={busy}
          waiting={!!state.live?.waitsFor}
          stopping={state.live?.stopping ?? false}
          online={online}
          handle={composer}
          lastMessage={lastMessage}
          attach={attach}
          send={busy ? enqueue : send}
          stop={stop}
        />
        <Announcer state={state} />
      </main>
      <DropZone take={attach} />
      <Suspense>
        {files && chatId && (
          <FilesPanel
            chatId={chatId}
            version={stepsDone(state)}
            runId={newestRun(state)}
            uploads={store.uploads}
            preview={setPreview}
            restored={() => void store.refresh()}
            close={() => toggleFiles(false)}
          />
        )}
      </Suspense>
      <Suspense>
        {unsent && chatId && <RestoreDialog chatId={chatId} restored={unsent.retry} close={closeRestore} />}
        {preview && <Preview file={preview} show={setPreview} close={() => setPreview(null)} />}
      </Suspense>
    </>
  );
}

/** What the chat has used in all its turns. */
function ChatUsage({ usage }: { usage: NonNullable<ShownChat["usage"]> }) {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costMicros } = usage;
  const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
  const cost = costMicros === null ? "" : ` · $${(costMicros / 1e6).toFixed(2)}`;
  return (
    <span className="chat-usage" title="Of all turns of this chat">
      {tokens.toLocaleString("en")} tokens{cost}
    </span>
  );
}

function ifThere<T>(value: T | undefined, use: (value: T) => void): void {
  if (value !== undefined) use(value);
}

function switchTo(store: ChatStore, id: string): void {
  if (store.snapshot().live) showToast("A turn is running. Stop it, or wait for its end, to see another version.");
  else store.switchTo(id).catch((error: unknown) => showError("The other version was not opened.", error));
}

function steer(store: ChatStore, id: string): void {
  store.steerQueued(id).then(
    (steered) => steered || showToast("The agent cannot hear this message now. It keeps its own turn."),
    (error: unknown) => showError("The agent was not told.", error),
  );
}

/** Increases when the workspace may have changed. */
function stepsDone(state: ChatState): number {
  const done = state.live?.fold.blocks.filter((block) => block.type === "step" && block.status !== "running");
  return (state.messages.length + state.switches * 100) * 1_000 + (done?.length ?? 0);
}

/** The run of the last turn, running or ended. */
function newestRun(state: ChatState): string | null {
  return state.live?.runId ?? state.messages.findLast((message) => message.runId)?.runId ?? null;
}

/** The title that the server will give to a chat without one. */
function firstLine({ messages, olderCursor }: ChatState): string | null {
  const [first] = messages;
  if (!first || olderCursor !== null) return null;
  const line = textOf(first.content).trim().split("\n", 1)[0];
  return line || (first.fileAttachments ?? []).map((file) => file.name).join(", ") || null;
}

function lastUserMessage(state: ChatState): Message | undefined {
  return state.messages.findLast((message) => message.role === "user");
}

function lastUserText(state: ChatState): string {
  return textOf(lastUserMessage(state)?.content ?? []);
}

function causeOf(error: unknown): unknown {
  return error instanceof SendFailure ? error.cause : error;
}

function sendFailed(cause: unknown, chatId: string | null, retry: () => void, restore: () => void): void {
  if (cause instanceof ApiError && cause.code === "session_not_active" && chatId !== null) {
    const resume = () => {
      api.resumeSession(chatId).then(retry, (error: unknown) =>
        showError("The session was not resumed.", error),
      );
    };
    showError("The message was not sent.", cause, { label: "Resume and send", run: resume });
    return;
  }
  if (cause instanceof ApiError && cause.code === "workspace_pending" && chatId !== null) {
    showError("The message was not sent.", cause, {
      label: "Continue from the last saved files",
      run: restore,
    });
    return;
  }
  if (cause instanceof ApiError && cause.code === "turn_in_progress") {
    showToast("Another tab is still running a turn of this chat. Your message is kept below.");
    return;
  }
  showError("The message was not sent.", cause, { label: "Retry", run: retry });
}

/** Attaches files; many at once only after a confirmation. */
function useAttach(
  store: ChatStore,
  settings: Settings | null,
  composer: React.RefObject<ComposerHandle | null>,
): (files: Chosen[]) => void {
  const { maxFileBytes = Infinity, maxFiles = Infinity } = settings?.limits ?? {};
  return useCallback(
    (files: Chosen[]) => {
      const add = () => {
        store.uploads.add(files, maxFileBytes);
        composer.current?.focus();
      };
      if (files.length > maxFiles)
        showToast(`These are ${files.length} files, and a chat holds ${maxFiles}. None was attached.`);
      else if (files.length > CONFIRM_ABOVE) showToast(`These are ${files.length} files.`, { label: "Attach all", run: add });
      else add();
    },
    [store, composer, maxFileBytes, maxFiles],
  );
}

/** Reads the thread and the files that wait for a message; follows turns of other tabs. */
function useOpened(store: ChatStore, composer: React.RefObject<ComposerHandle | null>): void {
  useEffect(() => {
    void store.refresh();
    if (store.chatId) {
      const { chatId } = store;
      void api.files(chatId).then(({ files }) => store.uploads.restore(chatId, files), () => {});
    }
    composer.current?.focus();
    const refresh = () => {
      if (!document.hidden) void store.refresh();
    };
    addEventListener("focus", refresh);
    const timer = setInterval(refresh, 15_000);
    const leave = onTurnElsewhere((chatId) => {
      if (chatId === store.chatId) void store.refresh();
    });
    return () => {
      removeEventListener("focus", refresh);
      clearInterval(timer);
      leave();
    };
  }, [store, composer]);
}

/** A hit of the search is an address with a message or a file. */
function useFound(store: ChatStore, ready: boolean, hash: string, preview: (file: Previewed) => void): void {
  useEffect(() => {
    if (!ready || !/^#\/(message|found)\//.test(hash)) return;
    void import("./found").then(({ showFound }) => showFound(store, hash, preview));
  }, [store, ready, hash, preview]);
}

function useKeys(composer: React.RefObject<ComposerHandle | null>, busy: boolean, stop: () => void): void {
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      if (document.querySelector("dialog:modal, :popover-open")) return;
      const writing = (event.target as Element).closest("input, textarea, select");
      if (event.key === "Escape" && event.shiftKey) composer.current?.focus();
      else if (event.key === "Escape" && busy) stop();
      else if (event.key === "/" && !writing && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        composer.current?.focus();
      }
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, [composer, busy, stop]);
}

function Banner({ state, online, retry }: { state: ChatState; online: boolean; retry: () => void }) {
  if (!online)
    return <div className="banner" role="status">You are offline. A running turn continues; messages can be sent later.</div>;
  if (!state.connected)
    return (
      <div className="banner" role="status">
        <span className="spinner" /> Reconnecting…
      </div>
    );
  if (state.phase === "unreachable")
    return (
      <div className="banner" role="status">
        The server cannot be reached.{" "}
        <button type="button" className="link" onClick={retry}>
          Try again
        </button>
      </div>
    );
  return null;
}

const STEP_ANNOUNCEMENT: Record<StepStatus, string> = {
  waiting: "waits for you",
  running: "running",
  succeeded: "done",
  failed: "failed",
  interrupted: "stopped",
};

/** For screen readers: the start and the end of each step, not every second. */
function Announcer({ state }: { state: ChatState }) {
  return (
    <div className="visually-hidden" aria-live="polite">
      {announcement(state)}
    </div>
  );
}

function announcement({ live, messages }: ChatState): string {
  if (live?.waitsFor) return "Satchel waits for your answer";
  const last = live?.fold.blocks.findLast((block) => block.type === "step");
  if (last?.type === "step") return `${last.name} ${STEP_ANNOUNCEMENT[last.status]}`;
  if (live) return "Working";
  return messages.at(-1)?.role === "assistant" ? "Satchel has answered" : "";
}

export function EmptyPage(props: { title: string; text: string; openMenu: () => void }) {
  return (
    <main className="chat">
      <header className="bar">
        <button type="button" className="icon-button menu-button" aria-label="Open menu" onClick={props.openMenu}>
          <Icon name="menu" />
        </button>
      </header>
      <div className="welcome">
        <h1>{props.title}</h1>
        <p className="welcome-lead">{props.text}</p>
      </div>
    </main>
  );
}
