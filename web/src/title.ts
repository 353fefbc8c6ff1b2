import { useEffect, useRef } from "react";

type Mark = "idle" | "running" | "finished";

const SIGN: Record<Mark, string> = { idle: "", running: "● ", finished: "✓ " };
const DOT: Record<Mark, string> = { idle: "", running: "#d97a2b", finished: "#2f9e57" };

/** The tab says that a turn runs, and when one has ended while nobody looked. */
export function useTabMark(title: string, busy: boolean): void {
  const wasBusy = useRef(false);
  const unseen = useRef(false);
  useEffect(() => {
    unseen.current = !busy && document.hidden && (wasBusy.current || unseen.current);
    wasBusy.current = busy;
    const show = () => mark(busy ? "running" : unseen.current ? "finished" : "idle", title);
    const seen = () => {
      if (!document.hidden) unseen.current = false;
      show();
    };
    show();
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, [busy, title]);
  useEffect(() => () => mark("idle", "Satchel"), []);
}

function mark(which: Mark, title: string): void {
  document.title = SIGN[which] + title;
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (icon) icon.href = which === "idle" ? "/satchel.svg" : dotted(DOT[which]);
}

/** The satchel with a dot on it; what a tab shows of it is few pixels, so it is drawn plainly. */
function dotted(colour: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <rect x="3" y="8.5" width="26" height="19.5" rx="4.5" fill="#c2682d"/>
    <circle cx="23" cy="23" r="8" fill="${colour}" stroke="#fff" stroke-width="2"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
