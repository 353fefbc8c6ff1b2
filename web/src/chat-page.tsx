import {
  lazy,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { ApiError, api } from "./api";
import { Later } from "./boundary";
import { ChatHeader } from "./chat-header";
import { useAttach, useFound, useKeys, useOpened } from "./chat-hooks";
import type { ChatState } from "./chat-state";
import { Announcer, Banner } from "./chat-status";
import { SendFailure, type ChatStore } from "./chat-store";
import { Composer, type ComposerHandle } from "./composer";
import { DropZone } from "./drop";
import { Examples } from "./examples";
import { Icon } from "./icons";
import { textOf } from "./message";
import { useChoices } from "./models";
import type { Previewed } from "./preview";
import { useHash } from "./router";
import { store as remember, stored } from "./theme";
import { Thread } from "./thread";
import { useTabMark } from "./title";
import { showError, showToast } from "./toasts";
import type { Chat, ChatChange, Message, Settings } from "./types";
import { fork, showVersion } from "./versions";

const Preview = lazy(() => import("./preview"));
const QueueList = lazy(() => import("./queue"));
const FilesPanel = lazy(() => import("./files-panel"));
const RestoreDialog = lazy(() => import("./restore"));

interface Props {
  store: ChatStore;
  settings: Settings | null;
  online: boolean;
  /** The chat as the list has it, which knows of a new title first. */
  listed: Chat | undefined;
  /** Changes a chat in the list too. */
  change: (chatId: string, change: ChatChange) => Promise<void>;
  openMenu: () => void;
}

export function ChatPage({ store, settings, online, listed, change: changeListed, openMenu }: Props) {
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
  const title = listed?.title ?? state.chat?.title ?? firstLine(state);
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
    (text: string, whenBusy?: "queue" | "steer") => {
      store.enqueue(text, { agentId, model }, whenBusy).catch((error: unknown) => {
        composer.current?.put(text);
        showError("The message was not queued.", causeOf(error));
      });
    },
    [store, agentId, model],
  );
  const stop = useCallback(() => {
    store.stop().catch((error) => showError("The turn could not be stopped.", error));
  }, [store]);
  const change = async (wanted: ChatChange) => {
    if (chatId === null) return;
    await changeListed(chatId, wanted);
    store.changedTo(wanted);
  };
  const lastMessage = useCallback(() => lastUserText(store.snapshot()), [store]);
  const toggleFiles = (open: boolean) => {
    setFiles(open);
    remember("files", open ? "open" : null);
  };

  useOpened(store, composer);
  useFound(store, state.phase === "ready", hash, setPreview);
  useTabMark(title ?? "Satchel", busy, !!state.live?.waitsFor);
  useKeys(composer, busy, stop);
  useEffect(() => {
    if (!busy && !document.querySelector("dialog[open]")) composer.current?.focus();
  }, [busy, store]);

  if (state.phase === "missing")
    return <EmptyPage title="No such chat" text="It was deleted, or the address is wrong." openMenu={openMenu} />;
  return (
    <>
      <main className="chat">
        <ChatHeader
          title={title}
          chat={state.chat}
          chatId={chatId}
          files={files}
          openMenu={openMenu}
          showFiles={toggleFiles}
          change={change}
        />
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
            retry: (answer) =>
              void store.questionOf(answer).then(
                (question) => ifThere(question, (it) => sendAgain(it)),
                (error: unknown) => showError("The answer was not asked for again.", error),
              ),
            edit: sendAgain,
            switchTo: (id) => void showVersion(store, id),
            fork: (id) => fork(store, id),
            proceed: () => send("Continue."),
          }}
          answer={(answer) =>
            store.answer(answer).catch((error: unknown) => {
              showError("The answer was not sent.", error);
              void store.refresh();
            })
          }
        />
        {state.queue.length > 0 && (
          <Later>
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
          </Later>
        )}
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
          send={busy ? (text) => enqueue(text) : send}
          steer={(text) => enqueue(text, "steer")}
          stop={stop}
        />
        <Announcer state={state} />
      </main>
      <DropZone take={attach} />
      <Later>
        {files && chatId && (
          <FilesPanel
            chatId={chatId}
            version={stepsDone(state)}
            runId={newestRun(state)}
            messages={state.messages}
            uploads={store.uploads}
            preview={setPreview}
            restored={() => void store.refresh()}
            close={() => toggleFiles(false)}
          />
        )}
      </Later>
      <Later>
        {unsent && chatId && <RestoreDialog chatId={chatId} restored={unsent.retry} close={closeRestore} />}
        {preview && <Preview file={preview} show={setPreview} close={() => setPreview(null)} />}
      </Later>
    </>
  );
}

function ifThere<T>(value: T | undefined, use: (value: T) => void): void {
  if (value !== undefined) use(value);
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
