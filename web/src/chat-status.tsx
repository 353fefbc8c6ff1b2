import type { ChatState } from "./chat-state";
import type { StepStatus } from "./types";

/** What keeps the page from the server, if something does. */
export function Banner({ state, online, retry }: { state: ChatState; online: boolean; retry: () => void }) {
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
export function Announcer({ state }: { state: ChatState }) {
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

