import { useCallback, useEffect, useState } from "react";
import { Age } from "./age";
import { api } from "./api";
import type { ChatList } from "./chat-list";
import { Icon } from "./icons";
import { chatAddress } from "./router";
import { PageLink } from "./sidebar";
import { showError } from "./toasts";
import type { Chat } from "./types";

interface Read {
  chats: Chat[];
  next: string | null;
}

/** The chats that a person has put away. */
export default function ArchivedChats({ list, chatId, close }: { list: ChatList; chatId: string | null; close: () => void }) {
  const [read, setRead] = useState<Read | null>(null);
  const load = useCallback((cursor: string | null) => {
    api.chats(cursor, { archived: "true" }).then(
      ({ chats, nextCursor }) =>
        setRead((before) => ({ chats: cursor === null ? chats : [...(before?.chats ?? []), ...chats], next: nextCursor })),
      (error: unknown) => showError("The archived chats were not loaded.", error),
    );
  }, []);
  useEffect(() => load(null), [load, list.chats.length]);
  const moveBack = (id: string) =>
    list.change(id, { archived: false }).then(
      () => load(null),
      (error: unknown) => showError("The chat was not moved back.", error),
    );
  if (!read) return null;
  return (
    <ul aria-label="Archived chats">
      {read.chats.map((chat) => (
        <li key={chat.id} className={chat.id === chatId ? "chat-row current" : "chat-row"}>
          <PageLink to={chatAddress(chat.id)} current={chat.id === chatId} done={close}>
            <span className="chat-title">{chat.title ?? "New chat"}</span>
            <span className="chat-age">
              <Age time={chat.updatedAt} />
            </span>
          </PageLink>
          <span className="chat-row-actions">
            <button
              type="button"
              className="icon-button small"
              aria-label={`Move ${chat.title ?? "New chat"} back`}
              title="Move back to the list"
              onClick={() => void moveBack(chat.id)}
            >
              <Icon name="box" />
            </button>
          </span>
        </li>
      ))}
      {read.chats.length === 0 && <li className="chat-list-empty">No archived chats.</li>}
      {read.next !== null && (
        <li>
          <button type="button" className="button small older" onClick={() => load(read.next)}>
            Show more
          </button>
        </li>
      )}
    </ul>
  );
}
