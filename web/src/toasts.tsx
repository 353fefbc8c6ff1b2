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
}

const TOAST_MILLIS = 8_000;

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
  show({ text, tone: "info", action });
}

/** An error stays until it is closed, and contains the id of the request for the logs. */
export function showError(text: string, error: unknown, action?: Toast["action"]): void {
  const reason = error instanceof Error ? error.message : String(error);
  const request = error instanceof ApiError && error.requestId;
  show({ text, tone: "error", action, detail: request ? `${reason} (request ${request})` : reason });
}

function show(toast: Omit<Toast, "key">): void {
  const key = nextKey++;
  replace([...toasts.slice(-3), { ...toast, key }]);
  if (toast.tone === "info") setTimeout(() => dismiss(key), TOAST_MILLIS);
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
