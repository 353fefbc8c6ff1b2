import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { store, stored } from "./theme";

/** Narrower windows have no space beside the chat. */
const BESIDE_FROM = 1100;
const MIN_WIDTH = 320;
const DEFAULT_WIDTH = 520;
const CHAT_WIDTH = 420;
const STEP = 40;

interface Props {
  label: string;
  close: () => void;
  children: ReactNode;
}

/** Beside the chat where there is space, with a width of a person's choice; else a dialog above it. */
export function PreviewPane({ label, close, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const latest = useRef(close);
  latest.current = close;
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    if (!element) return;
    resize(element, Number(stored("preview") ?? DEFAULT_WIDTH));
    if (innerWidth > BESIDE_FROM) element.show();
    else element.showModal();
    element.querySelector<HTMLElement>("header [aria-label=Close]")?.focus();
    return () => {
      // once the pane is gone, since the files panel has been hidden by it
      queueMicrotask(() => before instanceof HTMLElement && before.isConnected && before.focus());
    };
  }, []);
  useEffect(() => {
    const down = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "Escape" || event.shiftKey || event.defaultPrevented || document.querySelector("dialog:modal, :popover-open")) return;
      event.preventDefault();
      event.stopImmediatePropagation(); // it does not stop the turn
      latest.current();
    };
    addEventListener("keydown", down, true);
    return () => removeEventListener("keydown", down, true);
  }, []);
  return (
    <dialog
      ref={dialog}
      className="preview"
      aria-label={label}
      onClose={close}
      onClick={(event) => event.target === dialog.current && dialog.current?.matches(":modal") && close()}
    >
      <Separator pane={dialog} />
      {children}
    </dialog>
  );
}

function resize(pane: HTMLElement, width: number): number {
  const most = Math.max(MIN_WIDTH, innerWidth - CHAT_WIDTH);
  const chosen = Math.round(Math.min(most, Math.max(MIN_WIDTH, width || DEFAULT_WIDTH)));
  pane.style.setProperty("--preview-width", `${chosen}px`);
  return chosen;
}

function Separator({ pane }: { pane: React.RefObject<HTMLDialogElement | null> }) {
  const [now, setNow] = useState(() => Number(stored("preview") ?? DEFAULT_WIDTH));
  const set = (width: number) => {
    if (!pane.current) return;
    const chosen = resize(pane.current, width);
    setNow(chosen);
    store("preview", String(chosen));
  };
  const drag = (event: PointerEvent) => {
    const right = pane.current?.getBoundingClientRect().right ?? innerWidth;
    if (event.currentTarget.hasPointerCapture(event.pointerId)) set(right - event.clientX);
  };
  const key = (event: KeyboardEvent) => {
    const width = pane.current?.offsetWidth ?? DEFAULT_WIDTH;
    if (event.key === "ArrowLeft") set(width + STEP);
    else if (event.key === "ArrowRight") set(width - STEP);
    else return;
    event.preventDefault();
  };
  return (
    <div
      className="preview-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the preview"
      aria-valuenow={now}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={Math.max(MIN_WIDTH, innerWidth - CHAT_WIDTH)}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={key}
    />
  );
}
