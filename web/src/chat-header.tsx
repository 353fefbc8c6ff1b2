import { lazy, useEffect, useRef, useState } from "react";
import { Later } from "./boundary";
import { Icon } from "./icons";
import { showError } from "./toasts";
import type { ChatChange, ShownChat } from "./types";

const ChatMenu = lazy(() => import("./chat-menu"));
const ShareButton = lazy(() => import("./share"));

interface Props {
  title: string | null;
  chat: ShownChat | null;
  chatId: string | null;
  files: boolean;
  openMenu: () => void;
  showFiles: (open: boolean) => void;
  change: (change: ChatChange) => Promise<void>;
}

/** The title of a chat, which can be changed in place, what the chat has used, and its files. */
export function ChatHeader({ title, chat, chatId, files, openMenu, showFiles, change }: Props) {
  const [renaming, setRenaming] = useState(false);
  const shown = title ?? (chatId && !chat ? "" : "New chat");
  const done = (to: string) => {
    setRenaming(false);
    if (to.trim() === "" || to.trim() === title) return;
    change({ title: to.trim() }).catch((error: unknown) => showError("The chat was not renamed.", error));
  };
  return (
    <header className="bar">
      <button type="button" className="icon-button menu-button" aria-label="Open menu" onClick={openMenu}>
        <Icon name="menu" />
      </button>
      {renaming ? (
        <TitleField title={shown} done={done} cancel={() => setRenaming(false)} />
      ) : (
        <h2>
          {chatId && chat ? (
            <button type="button" className="title-button" title="Rename this chat" onClick={() => setRenaming(true)}>
              {shown}
            </button>
          ) : (
            shown
          )}
        </h2>
      )}
      {chat?.usage && chat.usage.calls > 0 && <ChatUsage usage={chat.usage} />}
      {chatId && chat && (
        <Later>
          <ShareButton chatId={chatId} />
        </Later>
      )}
      {chatId && (
        <button type="button" className="button small" aria-pressed={files} onClick={() => showFiles(!files)}>
          <Icon name="folder" />
          Files
        </button>
      )}
      {chat && (
        <Later>
          <ChatMenu chat={chat} change={change} />
        </Later>
      )}
    </header>
  );
}

/** A field for a new title: Enter and leaving it are a yes, Esc is a no. */
export function TitleField(props: { title: string; done: (title: string) => void; cancel: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const cancelled = useRef(false);
  useEffect(() => field.current?.select(), []);
  return (
    <input
      ref={field}
      className="rename"
      aria-label="New title"
      maxLength={200}
      defaultValue={props.title}
      onBlur={(event) => cancelled.current || props.done(event.target.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key !== "Escape") return;
        event.stopPropagation();
        event.nativeEvent.stopImmediatePropagation(); // it does not stop the turn
        cancelled.current = true;
        props.cancel();
      }}
    />
  );
}

/** What the chat has used in all its turns. */
function ChatUsage({ usage }: { usage: NonNullable<ShownChat["usage"]> }) {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costMicros } = usage;
  const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
  const cost = costMicros === null ? "" : ` · $${(costMicros / 1e6).toFixed(2)}`;
  return (
    <span className="chat-usage" title="Of all turns of this chat">
      {tokens.toLocaleString("en")} tokens{cost}
    </span>
  );
}

