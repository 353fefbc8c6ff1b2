import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "./api";
import type { Ask, Chat, ChatChange } from "./types";

export interface ChatList {
  /** Pinned ones first, without archived ones. */
  chats: Chat[];
  /** What runs of any chat wait for. */
  asks: Ask[];
  /** Whether there are more of them than are read. */
  moreAsks: boolean;
  loaded: boolean;
  hasMore: boolean;
  reload: () => void;
  loadMore: () => void;
  /** Shows the change at once, and what the server has of it afterwards. */
  change: (id: string, change: ChatChange) => Promise<void>;
}

const POLL_MILLIS = 15_000;

/** The chats that are not pinned; those have a list of their own. */
const OTHERS = { pinned: "false" };

/** What was read: the first page, which changes most, and the pages that a person asked for. */
interface Read {
  first: Chat[];
  older: Chat[];
  cursor: string | null;
}

/**
 * The chats of the tenant, newest first. All that are shown are read again when the page becomes visible; periodically
 * only the first page is, whatever its number of pages, unless a chat has left it.
 */
export function useChatList(): ChatList {
  const [chats, setChats] = useState<Chat[]>([]);
  const [asks, setAsks] = useState<Ask[]>([]);
  const [moreAsks, setMoreAsks] = useState(false);
  const [loaded, setLoaded] = useState(false);
  const [hasMore, setHasMore] = useState(false);
  const pages = useRef(1);
  const read = useRef<Read>({ first: [], older: [], cursor: null });

  const load = useCallback(async (all = true) => {
    try {
      const [found, pinned, open] = await Promise.all([
        all ? readPages(pages.current) : readFirst(read.current, pages.current),
        api.chats(null, { pinned: "true" }),
        api.asks(),
      ]);
      read.current = found;
      setChats([...pinned.chats, ...found.first, ...found.older]);
      setAsks(open.asks);
      setMoreAsks(open.nextCursor !== null);
      setHasMore(found.cursor !== null);
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
    const timer = setInterval(() => void load(false), POLL_MILLIS); // also while nobody looks, to tell what happens
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
  const change = useCallback(
    async (id: string, wanted: ChatChange) => {
      setChats((shown) => shown.map((chat) => (chat.id === id ? { ...chat, ...wanted } : chat)).filter(({ archived }) => !archived));
      try {
        await api.change(id, wanted);
      } finally {
        await load();
      }
    },
    [load],
  );
  return { chats, asks, moreAsks, loaded, hasMore, reload, loadMore, change };
}

async function readPages(pages: number): Promise<Read> {
  const { chats: first, nextCursor } = await api.chats(null, OTHERS);
  const older: Chat[] = [];
  let cursor = nextCursor;
  for (let page = 1; page < pages && cursor !== null; page++) {
    const next = await api.chats(cursor, OTHERS);
    older.push(...next.chats);
    cursor = next.nextCursor;
  }
  return { first, older, cursor };
}

async function readFirst(before: Read, pages: number): Promise<Read> {
  const { chats: first, nextCursor } = await api.chats(null, OTHERS);
  if (before.older.length === 0) return { first, older: [], cursor: nextCursor };
  const ids = new Set(first.map(({ id }) => id));
  if (before.first.some(({ id }) => !ids.has(id))) return readPages(pages); // it is deleted, or on the next page
  return { ...before, first, older: before.older.filter(({ id }) => !ids.has(id)) };
}
