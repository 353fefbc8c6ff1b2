import { ApiError, api } from "./api";
import { readEvents, type ServerEvent } from "./sse";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 5_000;

export interface Follower {
  /** Receives the events in order, each once. */
  events(events: ServerEvent[]): void;
  /** Receives whether the connection is open; a lost connection is restored. */
  connected(connected: boolean): void;
}

/**
 * Reads the events of a chat's run until its end, across lost connections: each new connection
 * continues after the last event received, the first one after the event that is given. Returns
 * false when no run is active.
 */
export async function followRun(
  chatId: string,
  first: Response | null,
  after: string,
  follower: Follower,
  signal: AbortSignal,
): Promise<boolean> {
  let lastEventId = after;
  let ended = false;
  const receive = (events: ServerEvent[]) => {
    lastEventId = events.at(-1)?.id ?? lastEventId;
    ended ||= events.some((event) => isEnd(event.data));
    follower.events(events);
  };
  let wait = FIRST_WAIT;
  let response = first;
  while (!signal.aborted) {
    try {
      response ??= await api.follow(chatId, lastEventId, signal);
      if (response.status === 204) return ended;
      follower.connected(true);
      wait = FIRST_WAIT;
      await readEvents(response, receive);
    } catch (error) {
      if (signal.aborted) return ended;
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
    }
    if (ended) return true;
    response = null;
    follower.connected(false);
    await pause(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
  return ended;
}

function isEnd(data: string): boolean {
  return data.startsWith('{"type":"end"');
}

/** Waits, but at most until the network is back. */
function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, millis);
    addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}
