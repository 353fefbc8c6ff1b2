import { useCallback, useEffect, useRef, useState } from "react";
import { getJson } from "./api";
import { formatAge, formatTime } from "./format";
import { Icon } from "./icons";
import { chatAddress } from "./router";
import { PageLink } from "./sidebar";
import type { Chat, SearchHit, SearchHits as Page } from "./types";

const DELAY_MILLIS = 200;
const LIMIT = 20;

interface State {
  hits: SearchHit[];
  next: string | null;
  status: "loading" | "ready" | "failed";
}

const LOADING: State = { hits: [], next: null, status: "loading" };

interface Props {
  query: string;
  /** The chats that the list above shows for the words; all others with them in their titles are hits. */
  listed: readonly Chat[];
  noTitle: boolean;
  close: () => void;
}

/** What the server finds for the words that were typed. */
export default function SearchHits({ query, listed, noTitle, close }: Props) {
  const { state, more, retry } = useSearch(query);
  const { status, next } = state;
  const hits = state.hits.filter((hit) => hit.kind !== "chat" || !isShown(hit, state.hits, listed));
  return (
    <section className="hits" aria-label="Search results">
      <h3>Search results</h3>
      <ul>
        {hits.map((hit) => (
          <li key={`${hit.kind}:${hit.messageId ?? hit.fileId}:${hit.chatId}`}>
            <Hit hit={hit} close={close} />
          </li>
        ))}
      </ul>
      <p className="chat-list-empty" role="status">
        {status === "loading" && (
          <>
            <span className="spinner" /> Searching…
          </>
        )}
        {status === "ready" && hits.length === 0 && next === null && nothing(query, noTitle)}
        {status === "failed" && (
          <>
            The search failed.{" "}
            <button type="button" className="link" onClick={retry}>
              Try again
            </button>
          </>
        )}
      </p>
      {status === "ready" && next !== null && (
        <button type="button" className="button small older" onClick={more}>
          Show more hits
        </button>
      )}
    </section>
  );
}

/** A chat needs no row of its own beside one in the list, or beside its messages. */
function isShown(chat: SearchHit, hits: readonly SearchHit[], listed: readonly Chat[]): boolean {
  return listed.some(({ id }) => id === chat.chatId) || hits.some((hit) => hit !== chat && hit.chatId === chat.chatId);
}

/** What was not found; chats are searched by their titles in the list above. */
function nothing(query: string, noTitle: boolean): string {
  return noTitle ? `No chat, message or file has “${query}”.` : `No message or file has “${query}”.`;
}

function Hit({ hit, close }: { hit: SearchHit; close: () => void }) {
  const isMessage = hit.kind === "message";
  const isFile = hit.kind === "file" || hit.kind === "asset";
  const who = hit.role === "user" ? "You" : "Satchel";
  return (
    <PageLink to={addressOf(hit)} className="hit" done={close} title={`${hit.name}\n${formatTime(hit.at)}`}>
      <span className="hit-name">
        {isFile && <Icon name="file" />}
        <span className="chat-title">{hit.name || "New chat"}</span>
        {hit.page !== undefined && <span className="chat-age">p. {hit.page}</span>}
        <span className="chat-age">{formatAge(hit.at, Date.now())}</span>
      </span>
      {hit.snippet.trim() !== "" && (
        <span className="hit-text" dir="auto">
          {isMessage && `${who}: `}
          <Marked hit={hit} />
        </span>
      )}
    </PageLink>
  );
}

/** The snippet is plain text; its matches are given by their places. */
function Marked({ hit: { snippet, matches } }: { hit: SearchHit }) {
  const parts: React.ReactNode[] = [];
  let at = 0;
  for (const { start, length } of matches) {
    parts.push(snippet.slice(at, start), <mark key={start}>{snippet.slice(start, start + length)}</mark>);
    at = start + length;
  }
  return (
    <>
      {parts}
      {snippet.slice(at)}
    </>
  );
}

function addressOf(hit: SearchHit): string {
  const id = encodeURIComponent(hit.messageId ?? hit.fileId ?? "");
  if (hit.kind === "asset") return `/assets#/found/${id}`;
  if (hit.kind === "chat") return chatAddress(hit.chatId ?? "");
  const page = hit.page === undefined ? "" : `/${hit.page}`;
  return `${chatAddress(hit.chatId ?? "")}#/${hit.kind === "message" ? "message" : "found"}/${id}${page}`;
}

function useSearch(query: string) {
  const [state, setState] = useState(LOADING);
  const [attempt, setAttempt] = useState(0);
  const running = useRef<AbortController | null>(null);
  const load = useCallback(
    async (before: State) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      setState({ ...before, status: "loading" });
      let { hits, next } = before;
      try {
        let found: number; // a page may have none
        do {
          const values = { q: query, limit: String(LIMIT), ...(next === null ? {} : { cursor: next }) };
          const page = await getJson<Page>(`/api/search?${new URLSearchParams(values)}`, controller.signal);
          hits = [...hits, ...page.hits];
          next = page.nextCursor;
          found = page.hits.length;
        } while (next !== null && found === 0);
        if (!controller.signal.aborted) setState({ hits, next, status: "ready" });
      } catch {
        if (!controller.signal.aborted) setState({ ...before, status: "failed" });
      }
    },
    [query],
  );
  useEffect(() => {
    setState(LOADING);
    const timer = setTimeout(() => void load(LOADING), DELAY_MILLIS);
    return () => {
      clearTimeout(timer);
      running.current?.abort();
    };
  }, [load, attempt]);
  return { state, more: () => void load(state), retry: () => setAttempt((count) => count + 1) };
}
