import { useEffect } from "react";
import { notify } from "./notify";

type TabState = "idle" | "running" | "waiting" | "finished";

const PREFIX: Record<TabState, string> = { idle: "", running: "● ", waiting: "? ", finished: "✓ " };
const DOT_COLOUR: Record<TabState, string> = { idle: "", running: "#d97a2b", waiting: "#d97a2b", finished: "#2f9e57" };

/** What the title and the icon of the tab tell. */
const tab = {
  title: "Satchel",
  busy: false,
  waits: false,
  /** A turn of the chat that is shown has ended while nobody looked. */
  ended: false,
  /** The same of another chat. */
  endedElsewhere: false,
  asksElsewhere: false,
};

export function setTitle(title: string): void {
  change({ title });
}

/** What has happened in other chats while nobody looked. */
export function markElsewhere(news: { asks: boolean; ended: boolean }): void {
  if (document.hidden) change({ asksElsewhere: tab.asksElsewhere || news.asks, endedElsewhere: tab.endedElsewhere || news.ended });
}

/** The title shows that a turn is running or waits for the person, and that one has ended while the tab was hidden. */
export function useTabMark(title: string, busy: boolean, waits: boolean): void {
  useEffect(() => {
    const { busy: wasBusy, waits: hasWaited } = tab;
    change({ title, busy, waits, ended: !busy && document.hidden && (wasBusy || tab.ended) });
    if (!document.hidden) return;
    if (waits && !hasWaited) notify(title, "Satchel waits for your answer.");
    else if (wasBusy && !busy) notify(title, "The turn has ended.");
  }, [busy, waits, title]);
  useEffect(() => () => change({ title: "Satchel", busy: false, waits: false, ended: false }), []);
}

function change(values: Partial<typeof tab>): void {
  Object.assign(tab, values);
  show();
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) change({ ended: false, endedElsewhere: false, asksElsewhere: false });
});

function state(): TabState {
  if (tab.waits || tab.asksElsewhere) return "waiting";
  if (tab.busy) return "running";
  return tab.ended || tab.endedElsewhere ? "finished" : "idle";
}

function show(): void {
  const now = state();
  document.title = PREFIX[now] + tab.title;
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const address = now === "idle" ? "/satchel.svg" : iconWithDot(DOT_COLOUR[now]);
  if (icon && icon.getAttribute("href") !== address) icon.href = address;
}

/** The icon with a dot. A tab shows only a few pixels, so the drawing is simple. */
function iconWithDot(colour: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <rect x="3" y="8.5" width="26" height="19.5" rx="4.5" fill="#c2682d"/>
    <circle cx="23" cy="23" r="8" fill="${colour}" stroke="#fff" stroke-width="2"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
