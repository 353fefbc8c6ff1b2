import { Fragment, Suspense, lazy, useEffect, useRef, useState, type KeyboardEvent as RowKeyEvent, type MouseEvent, type ReactNode } from "react";
import { ResetNotice } from "./account";
import { Age } from "./age";
import { api } from "./api";
import { TitleField } from "./chat-header";
import type { ChatList } from "./chat-list";
import { folded, formatTime, partOfTime, plural } from "./format";
import { Icon, Logo, type IconName } from "./icons";
import { chatAddress, navigate } from "./router";
import { showToast, showError } from "./toasts";
import type { Chat } from "./types";

const ArchivedChats = lazy(() => import("./archived-chats"));
const SearchHits = lazy(() => import("./search-hits"));

interface Props {
  list: ChatList;
  chatId: string | null;
  page: string;
  open: boolean;
  show: () => void;
  close: () => void;
  collapse: () => void;
}

export function Sidebar({ list, chatId, page, open, show, close, collapse }: Props) {
  const [search, setSearch] = useState("");
  const [archived, setArchived] = useState(false);
  const field = useSearchKey(show);
  const query = folded(search.trim());
  const chats = list.chats.filter(
    (chat) =>
      (chat.messageCount > 0 || chat.id === chatId) &&
      folded(titleOf(chat)).includes(query),
  );
  const now = Date.now();
  return (
    <nav className={`sidebar ${open ? "open" : ""}`} aria-label="Conversations">
      <header>
        <Logo />
        <strong>Satchel</strong>
        <button
          type="button"
          className="icon-button collapse"
          aria-label="Hide the list of chats"
          title="Hide the list of chats (Ctrl + B)"
          onClick={collapse}
        >
          <Icon name="sidebar" />
        </button>
        <button type="button" className="icon-button close-drawer" aria-label="Close menu" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <PageLink to="/" className="button new-chat" done={close}>
        <Icon name="plus" />
        New chat
      </PageLink>
      <OpenAsks list={list} current={page === "asks"} close={close} />
      <ResetNotice />
      <label className="search">
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          placeholder="Search chats, messages, files"
          aria-label="Search chats, messages and files"
          aria-keyshortcuts="Control+K"
          title="Ctrl + K"
          maxLength={1000}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || search === "") return;
            event.stopPropagation();
            setSearch("");
          }}
        />
      </label>
      <ul className="chat-list">
        {chats.map((chat, index) => {
          const part = partOf(chat, now);
          const before = chats[index - 1];
          const isFirst = !before || partOf(before, now) !== part;
          return (
            <Fragment key={chat.id}>
              {isFirst && <li className="list-part">{part}</li>}
              <ChatRow chat={chat} current={chat.id === chatId} list={list} close={close} />
            </Fragment>
          );
        })}
        {chats.length === 0 && list.loaded && search.trim() === "" && <li className="chat-list-empty">No chats yet.</li>}
        {list.hasMore && query === "" && (
          <li>
            <button type="button" className="button small older" onClick={list.loadMore}>
              Show more
            </button>
          </li>
        )}
        {query === "" && list.loaded && (
          <li>
            <button type="button" className="archive-toggle" aria-expanded={archived} onClick={() => setArchived(!archived)}>
              <Icon name="chevron" />
              Archived
            </button>
            {archived && (
              <Suspense>
                <ArchivedChats list={list} chatId={chatId} close={close} />
              </Suspense>
            )}
          </li>
        )}
        {search.trim() !== "" && (
          <li>
            <Suspense>
              <SearchHits query={search.trim()} listed={chats} noTitle={chats.length === 0 && list.loaded} close={close} />
            </Suspense>
          </li>
        )}
      </ul>
      <footer>
        <Tab to="/assets" icon="box" label="Assets" current={page === "assets"} close={close} />
        <Tab to="/agents" icon="robot" label="Agents" current={["agents", "credentials", "skills"].includes(page)} close={close} />
        <Tab to="/storage" icon="disk" label="Storage" current={["storage", "usage"].includes(page)} close={close} />
        <Tab to="/settings" icon="settings" label="Settings" current={page === "settings"} close={close} />
      </footer>
    </nav>
  );
}

/** Ctrl + K leads to the field, also when the menu is closed. */
function useSearchKey(show: () => void) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.key.toLowerCase() !== "k") return;
      if (document.querySelector("dialog:modal")) return;
      event.preventDefault();
      show();
      field.current?.select(); // at once: the next key is for the field
      if (document.activeElement !== field.current) requestAnimationFrame(() => field.current?.select());
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, [show]);
  return field;
}

/** How many answers runs wait for, in all chats. */
function OpenAsks({ list, current, close }: { list: ChatList; current: boolean; close: () => void }) {
  const { asks, moreAsks } = list;
  if (asks.length === 0) return null;
  return (
    <PageLink to="/asks" className="open-asks" current={current} done={close}>
      <Icon name="pause" />
      {moreAsks ? `More than ${asks.length} answers needed` : `${plural(asks.length, "answer")} needed`}
    </PageLink>
  );
}

const partOf = (chat: Chat, now: number) => (chat.pinned ? "Pinned" : partOfTime(chat.updatedAt, now));

function titleOf(chat: Chat): string {
  return chat.title ?? "New chat";
}

interface LinkProps {
  to: string;
  className?: string;
  current?: boolean;
  children: ReactNode;
  done?: () => void;
  title?: string;
}

/** A real link, so that it opens in a new tab too, but without a page load. */
export function PageLink({ to, className, current, children, done, title }: LinkProps) {
  const click = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    navigate(to);
    done?.();
  };
  return (
    <a href={to} className={className} aria-current={current ? "page" : undefined} onClick={click} title={title}>
      {children}
    </a>
  );
}

function Tab(props: { to: string; icon: IconName; label: string; current: boolean; close: () => void }) {
  return (
    <PageLink to={props.to} className="tab" current={props.current} done={props.close}>
      <Icon name={props.icon} />
      {props.label}
    </PageLink>
  );
}

interface RowProps {
  chat: Chat;
  current: boolean;
  list: ChatList;
  close: () => void;
}

function ChatRow({ chat, current, list, close }: RowProps) {
  const [renaming, setRenaming] = useState(false);
  const title = titleOf(chat);
  const waits = list.asks.some((ask) => ask.chatId === chat.id);
  const rename = (newTitle: string) => {
    setRenaming(false);
    if (newTitle.trim() === "" || newTitle === title) return;
    list.change(chat.id, { title: newTitle.trim() }).catch((error: unknown) => showError("The chat was not renamed.", error));
  };
  const remove = async () => {
    try {
      await api.deleteChat(chat.id);
      if (current) navigate("/");
      list.reload();
      showToast(`Deleted “${title}”.`, { label: "Undo", run: () => void restore() });
    } catch (error) {
      showError("The chat was not deleted.", error);
    }
  };
  const restore = async () => {
    try {
      await api.restore(chat.id);
      list.reload();
      if (current) navigate(chatAddress(chat.id));
    } catch (error) {
      showError("The chat was not restored.", error);
    }
  };
  if (renaming)
    return (
      <li className="chat-row">
        <TitleField title={title} done={rename} cancel={() => setRenaming(false)} />
      </li>
    );
  return (
    <li
      className={current ? "chat-row current" : "chat-row"}
      onKeyDown={(event) => {
        const key = rowKey(event);
        if (key === "F2") setRenaming(true);
        else if (key === "Delete") void remove();
        else if (key === null) return;
        event.preventDefault();
      }}
    >
      <PageLink
        to={chatAddress(chat.id)}
        current={current}
        done={close}
        title={`${title}\n${formatTime(chat.updatedAt)}`}
      >
        <span className="chat-title">{title}</span>
        <span className="chat-age">
          {chat.conversationId !== null ? (
            <span className="running-dot">{waits ? "waiting" : "running"}</span>
          ) : (
            <Age time={chat.updatedAt} />
          )}
        </span>
      </PageLink>
      <span className="chat-row-actions">
        <button
          type="button"
          className="icon-button small"
          tabIndex={-1}
          aria-label={`Rename ${title}`}
          title="Rename (F2)"
          onClick={() => setRenaming(true)}
        >
          <Icon name="edit" />
        </button>
        <button
          type="button"
          className="icon-button small"
          tabIndex={-1}
          aria-label={`Delete ${title}`}
          title="Delete (Del)"
          onClick={() => void remove()}
        >
          <Icon name="trash" />
        </button>
      </span>
    </li>
  );
}

/** A row is one stop of Tab: arrows lead to other rows and to its buttons. Null if the key is not for the row. */
function rowKey(event: RowKeyEvent<HTMLLIElement>): string | null {
  const row = event.currentTarget;
  const stops = [...row.querySelectorAll<HTMLElement>("a, button")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const to = (element: HTMLElement | null | undefined) => {
    element?.focus();
    return "moved";
  };
  switch (event.key) {
    case "ArrowDown":
      return to(neighbour(row, 1));
    case "ArrowUp":
      return to(neighbour(row, -1));
    case "ArrowRight":
      return to(stops[at + 1]);
    case "ArrowLeft":
      return to(stops[at - 1]);
    case "F2":
      return "F2";
    case "Delete":
      return "Delete";
    default:
      return null;
  }
}

function neighbour(row: HTMLElement, step: number): HTMLElement | null | undefined {
  const rows = [...(row.parentElement?.querySelectorAll(".chat-row") ?? [])];
  return rows[rows.indexOf(row) + step]?.querySelector<HTMLElement>("a");
}
