import { useEffect, useRef } from "react";
import { notify } from "./notify";

type TabState = "idle" | "running" | "waiting" | "finished";

const PREFIX: Record<TabState, string> = { idle: "", running: "● ", waiting: "? ", finished: "✓ " };
const DOT_COLOUR: Record<TabState, string> = { idle: "", running: "#d97a2b", waiting: "#d97a2b", finished: "#2f9e57" };

/** The title shows that a turn is running or waits for the person, and that one has ended while the tab was hidden. */
export function useTabMark(title: string, busy: boolean, waits: boolean): void {
  const wasBusy = useRef(false);
  const unseen = useRef(false);
  useEffect(() => {
    unseen.current = !busy && document.hidden && (wasBusy.current || unseen.current);
    wasBusy.current = busy;
    const show = () => showState(waits ? "waiting" : busy ? "running" : unseen.current ? "finished" : "idle", title);
    const seen = () => {
      if (!document.hidden) unseen.current = false;
      show();
    };
    show();
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, [busy, waits, title]);
  useNotification(title, busy, waits);
  useEffect(() => () => showState("idle", "Satchel"), []);
}

/** What happens while nobody looks is told by the system, if the person wants that. */
function useNotification(title: string, busy: boolean, waits: boolean): void {
  const before = useRef({ busy, waits });
  useEffect(() => {
    const { busy: wasBusy, waits: hasWaited } = before.current;
    before.current = { busy, waits };
    if (!document.hidden) return;
    if (waits && !hasWaited) notify(title, "Satchel waits for your answer.");
    else if (wasBusy && !busy) notify(title, "The turn has ended.");
  }, [title, busy, waits]);
}

function showState(state: TabState, title: string): void {
  document.title = PREFIX[state] + title;
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (icon) icon.href = state === "idle" ? "/satchel.svg" : iconWithDot(DOT_COLOUR[state]);
}

/** The icon with a dot. A tab shows only a few pixels, so the drawing is simple. */
function iconWithDot(colour: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <rect x="3" y="8.5" width="26" height="19.5" rx="4.5" fill="#c2682d"/>
    <circle cx="23" cy="23" r="8" fill="${colour}" stroke="#fff" stroke-width="2"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
