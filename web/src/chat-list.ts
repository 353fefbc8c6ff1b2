import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "./api";
import type { Ask, Chat, ChatChange } from "./types";

export interface ChatList {
  chats: Chat[];
  /** What runs of any chat wait for. */
  asks: Ask[];
  loaded: boolean;
  hasMore: boolean;
  reload: () => void;
  loadMore: () => void;
  loadAll: () => void;
  /** Shows the change at once, and what the server has of it afterwards. */
  change: (id: string, change: ChatChange) => Promise<void>;
}

const POLL_MILLIS = 15_000;

/** The chats of the tenant, newest first. Read again when the page becomes visible, and periodically. */
export function useChatList(): ChatList {
  const [chats, setChats] = useState<Chat[]>([]);
  const [asks, setAsks] = useState<Ask[]>([]);
  const [loaded, setLoaded] = useState(false);
  const [hasMore, setHasMore] = useState(false);
  const pages = useRef(1);

  const load = useCallback(async () => {
    const found: Chat[] = [];
    let cursor: string | null = null;
    try {
      for (let page = 0; page < pages.current; page++) {
        const next: { chats: Chat[]; nextCursor: string | null } = await api.chats(cursor);
        found.push(...next.chats);
        cursor = next.nextCursor;
        if (cursor === null) break;
      }
      setChats(found);
      setAsks((await api.asks()).asks);
      setHasMore(cursor !== null);
      setLoaded(true);
    } catch {
      // the banner shows that the server is unreachable; the list stays as it was
    }
  }, []);
  useEffect(() => {
    const refresh = () => {
      if (!document.hidden) void load();
    };
    refresh();
    const timer = setInterval(refresh, POLL_MILLIS);
    addEventListener("focus", refresh);
    return () => {
      clearInterval(timer);
      removeEventListener("focus", refresh);
    };
  }, [load]);
  const reload = useCallback(() => void load(), [load]);
  const loadMore = useCallback(() => {
    pages.current++;
    void load();
  }, [load]);
  const loadAll = useCallback(() => {
    if (pages.current === Infinity) return;
    pages.current = Infinity;
    void load();
  }, [load]);
  const change = useCallback(
    async (id: string, wanted: ChatChange) => {
      setChats((shown) => shown.map((chat) => (chat.id === id ? { ...chat, ...wanted } : chat)));
      try {
        await api.change(id, wanted);
      } finally {
        await load();
      }
    },
    [load],
  );
  return { chats, asks, loaded, hasMore, reload, loadMore, loadAll, change };
}
