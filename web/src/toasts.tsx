import { useEffect, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { ApiError } from "./api";
import { Icon } from "./icons";

interface Toast {
  key: number;
  text: string;
  tone: "info" | "error";
  detail?: string;
  action?: { label: string; run: () => void };
  /** Stays until it is closed. */
  stays: boolean;
  /** How often the same error came. */
  count: number;
}

const TOAST_MILLIS = 8_000;

/** Of those that go by themselves; all others stay. */
const MAX_PASSING = 4;

let toasts: readonly Toast[] = [];
let nextKey = 1;
const listeners = new Set<() => void>();

function replace(list: readonly Toast[]): void {
  toasts = list;
  listeners.forEach((listener) => listener());
}

function dismiss(key: number): void {
  replace(toasts.filter((toast) => toast.key !== key));
}

export function showToast(text: string, action?: Toast["action"]): void {
  show({ text, tone: "info", action, stays: false, count: 1 });
}

/** A question stays until it is answered or closed. */
export function showQuestion(text: string, action: NonNullable<Toast["action"]>): void {
  show({ text, tone: "info", action, stays: true, count: 1 });
}

/** An error stays until it is closed, and contains the id of the request for the logs. */
export function showError(text: string, error: unknown, action?: Toast["action"]): void {
  const reason = error instanceof Error ? error.message : String(error);
  const request = error instanceof ApiError && error.requestId;
  const isSame = (toast: Toast) => toast.tone === "error" && toast.text === text && toast.detail?.replace(REQUEST, "") === reason;
  const before = toasts.find(isSame);
  if (before) dismiss(before.key);
  const detail = request ? `${reason} (request ${request})` : reason;
  show({ text, tone: "error", action, detail, stays: true, count: (before?.count ?? 0) + 1 });
}

const REQUEST = / \(request [^)]*\)$/;

function show(toast: Omit<Toast, "key">): void {
  const key = nextKey++;
  const all = [...toasts, { ...toast, key }];
  const passing = all.filter(({ stays }) => !stays);
  const tooMany = passing.slice(0, Math.max(0, passing.length - MAX_PASSING));
  replace(all.filter((one) => !tooMany.includes(one)));
  if (!toast.stays) setTimeout(() => dismiss(key), TOAST_MILLIS);
}

/** Outside an open dialog nothing can be reached, so the toasts are in it. */
const place = () => document.querySelector<HTMLElement>("dialog:modal") ?? document.body;

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  const [, moved] = useState(0);
  useEffect(() => {
    const closed = () => queueMicrotask(() => moved((count) => count + 1));
    addEventListener("close", closed, true);
    return () => removeEventListener("close", closed, true);
  }, []);
  return createPortal(
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((toast) => (
        <div key={toast.key} className={`toast ${toast.tone}`}>
          <div>
            <strong>{toast.text}</strong>
            {toast.count > 1 && <span className="badge plain">{toast.count} times</span>}
            {toast.detail && <p>{toast.detail}</p>}
          </div>
          {toast.action && (
            <button
              type="button"
              className="button small"
              onClick={() => {
                toast.action?.run();
                dismiss(toast.key);
              }}
            >
              {toast.action.label}
            </button>
          )}
          <button
            type="button"
            className="icon-button"
            aria-label="Dismiss"
            onClick={() => dismiss(toast.key)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>,
    place(),
  );
}
