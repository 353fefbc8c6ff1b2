import { bagZipUrl, chatExportUrl } from "./api";
import { Icon } from "./icons";
import { Menu } from "./menu";

/** What can be done with a whole chat. */
export default function ChatMenu({ chatId }: { chatId: string }) {
  return (
    <Menu label="More about this chat">
      <a href={chatExportUrl(chatId, "md")} download>
        <Icon name="file" />
        Export as Markdown
      </a>
      <a href={chatExportUrl(chatId, "zip")} download>
        <Icon name="download" />
        Export with files
      </a>
      <a href={bagZipUrl(chatId)} download>
        <Icon name="box" />
        Download all files
      </a>
    </Menu>
  );
}
