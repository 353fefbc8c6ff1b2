import { useSyncExternalStore } from "react";
import { formatAge, formatTime } from "./format";

const TICK_MILLIS = 20_000;

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      listeners.forEach((one) => one());
    }, TICK_MILLIS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** The age of something, which goes on; its time is the title. */
export function Age({ time }: { time: number }) {
  const text = useSyncExternalStore(subscribe, () => formatAge(time, Math.max(now, time)));
  return (
    <time dateTime={new Date(time).toISOString()} title={formatTime(time)}>
      {text}
    </time>
  );
}
