import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "./api";
import type { Chat } from "./types";

export interface ChatList {
  chats: Chat[];
  loaded: boolean;
  hasMore: boolean;
  reload: () => void;
  loadMore: () => void;
  loadAll: () => void;
}

const POLL = 15_000;

/** The tenant's chats, newest first; looked at again when the page is, and now and then. */
export function useChatList(): ChatList {
  const [chats, setChats] = useState<Chat[]>([]);
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
      setHasMore(cursor !== null);
      setLoaded(true);
    } catch {
      // the banner tells that the server is away; the list stays as it was
    }
  }, []);
  useEffect(() => {
    const look = () => {
      if (!document.hidden) void load();
    };
    look();
    const timer = setInterval(look, POLL);
    addEventListener("focus", look);
    return () => {
      clearInterval(timer);
      removeEventListener("focus", look);
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
  return { chats, loaded, hasMore, reload, loadMore, loadAll };
}
