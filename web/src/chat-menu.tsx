import { bagZipUrl, chatExportUrl } from "./api";
import { Icon } from "./icons";
import { Menu } from "./menu";
import { showError, showToast } from "./toasts";
import type { ChatChange, ShownChat } from "./types";

interface Props {
  chat: ShownChat;
  change: (change: ChatChange) => Promise<void>;
}

/** What can be done with a whole chat. */
export default function ChatMenu({ chat, change }: Props) {
  const { id, pinned, archived } = chat;
  const pin = () =>
    change({ pinned: !pinned }).catch((error: unknown) => showError(`The chat was not ${pinned ? "unpinned" : "pinned"}.`, error));
  const archive = (wanted: boolean) =>
    change({ archived: wanted }).then(
      () =>
        showToast(
          wanted ? "The chat is archived." : "The chat is back in the list.",
          wanted ? { label: "Undo", run: () => void archive(false) } : undefined,
        ),
      (error: unknown) => showError("The chat was not moved.", error),
    );
  return (
    <Menu label="More about this chat">
      <button type="button" onClick={() => void pin()}>
        <Icon name="pin" />
        {pinned ? "Unpin" : "Pin to the top"}
      </button>
      <button type="button" onClick={() => void archive(!archived)}>
        <Icon name="box" />
        {archived ? "Move back from the archive" : "Archive"}
      </button>
      <a href={chatExportUrl(id, "md")} download>
        <Icon name="file" />
        Export as Markdown
      </a>
      <a href={chatExportUrl(id, "zip")} download>
        <Icon name="download" />
        Export with files
      </a>
      <a href={bagZipUrl(id)} download>
        <Icon name="folder" />
        Download all files
      </a>
    </Menu>
  );
}
