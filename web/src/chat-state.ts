import { fold } from "./fold";
import { endedMessage, type Live } from "./live";
import type { ChatWithMessages, Line, Message, QueuedMessage, ShownChat } from "./types";

/** What the page shows of a conversation; the functions below give the next state. */
export interface ChatState {
  phase: "loading" | "ready" | "missing" | "unreachable";
  chat: ShownChat | null;
  messages: readonly Message[];
  olderCursor: string | null;
  live: Live | null;
  connected: boolean;
  queue: readonly QueuedMessage[];
  paused: boolean;
  /** How often another path was chosen: then the files have changed. */
  switches: number;
  /** Another path was chosen and is not shown yet. */
  switching: boolean;
}

export const NEW: ChatState = {
  phase: "ready",
  chat: null,
  messages: [],
  olderCursor: null,
  live: null,
  connected: true,
  queue: [],
  paused: false,
  switches: 0,
  switching: false,
};

/** After a line of the active run. */
export function received(state: ChatState, line: Line): ChatState {
  const { live } = state;
  if (!live) return state;
  const now = (change: Partial<Live>): ChatState => ({ ...state, live: { ...live, ...change } });
  switch (line.type) {
    case "chat":
      return now({ runId: line.runId ?? live.runId });
    case "steer":
      return {
        ...now({ fold: fold(live.fold, line) }),
        queue: state.queue.filter((waiting) => waiting.messageId !== line.messageId),
      };
    case "error":
      return now({ failure: { code: line.code ?? "", message: line.message ?? "" } });
    case "result":
      return now({
        files: line.files ?? [],
        notHandedOver: line.notHandedOver,
        workspace: line.workspace,
        fold: fold(live.fold, line),
      });
    case "end":
      return line.status === "waiting"
        ? now({ waitsFor: live.fold.asks.map((ask) => ask.id ?? "") })
        : ended(state, live, line.status ?? "");
    default:
      return now({ fold: fold(live.fold, line) });
  }
}

/** Adds the answer to the thread; the stored one, read next, equals it. */
function ended(state: ChatState, live: Live, status: string): ChatState {
  const known = state.messages.some((shown) => shown.runId && shown.runId === live.runId);
  return {
    ...state,
    live: null,
    messages: known ? state.messages : [...state.messages, endedMessage(live, status)],
  };
}

/** Whether the page shows a chat already as it was just read. */
export function isShown({ phase, chat: shown, queue, messages }: ChatState, chat: ChatWithMessages): boolean {
  return (
    phase === "ready" &&
    chat.queued === 0 &&
    queue.length === 0 &&
    chat.activeRun === null &&
    chat.updatedAt === shown?.updatedAt &&
    chat.messageCount === shown.messageCount &&
    chat.workspace === shown.workspace &&
    chat.title === shown.title &&
    chat.messages.at(-1)?.id === messages.at(-1)?.id
  );
}

/** With a page of the thread that was just read; an undefined cursor leaves the known one. */
export function withThread(
  state: ChatState,
  chat: ChatWithMessages,
  olderCursor: string | null | undefined,
): ChatState {
  const messages = merged(state.messages, chat.messages);
  const hasOlder = messages.length > 0 && messages[0] === state.messages[0];
  return {
    ...state,
    phase: "ready",
    chat,
    messages,
    olderCursor: olderCursor === undefined || hasOlder ? state.olderCursor : olderCursor,
  };
}

/** Combines older messages that were loaded before with the page that was just read. */
function merged(before: readonly Message[], page: Message[]): readonly Message[] {
  const first = page[0];
  if (!first) return page;
  const at = before.findIndex((message) => message.id === first.id);
  return at <= 0 ? page : [...before.slice(0, at), ...page];
}
