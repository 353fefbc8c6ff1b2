import { useSyncExternalStore } from "react";

/** The addresses of the page. The server answers each with the same document. */
export type Route =
  | { page: "chat"; chatId: string | null }
  | { page: "run"; runId: string }
  | { page: "assets" }
  | { page: "agents" }
  | { page: "credentials" }
  | { page: "skills" }
  | { page: "asks" }
  | { page: "storage" }
  | { page: "usage" }
  | { page: "settings" }
  | { page: "connect" }
  | { page: "unknown" };

const SIMPLE_PAGES = ["assets", "agents", "credentials", "skills", "asks", "storage", "usage", "settings", "connect"] as const;

export function parseRoute(path: string): Route {
  const [first, second, ...more] = path.split("/").filter((part) => part !== "");
  if (more.length > 0) return { page: "unknown" };
  if (first === undefined) return { page: "chat", chatId: null };
  if (first === "chats" && second) return { page: "chat", chatId: decodeURIComponent(second) };
  if (first === "runs" && second) return { page: "run", runId: decodeURIComponent(second) };
  const simple = SIMPLE_PAGES.find((page) => page === first);
  if (second === undefined && simple) return { page: simple };
  return { page: "unknown" };
}

export const chatAddress = (id: string) => `/chats/${encodeURIComponent(id)}`;
export const runAddress = (id: string) => `/runs/${encodeURIComponent(id)}`;

export function navigate(path: string, replace = false): void {
  if (path === location.pathname + location.hash) return;
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

const subscribe = (listener: () => void) => {
  addEventListener("popstate", listener);
  addEventListener("hashchange", listener);
  return () => {
    removeEventListener("popstate", listener);
    removeEventListener("hashchange", listener);
  };
};

export function usePath(): string {
  return useSyncExternalStore(subscribe, () => location.pathname);
}

export function useHash(): string {
  return useSyncExternalStore(subscribe, () => location.hash);
}
