import { useState } from "react";
import { bagZipUrl, fileUrl } from "./api";
import { findFile, shownFile, type ChatFiles } from "./chat-files";
import { fileKind, formatSize, plural } from "./format";
import { Icon } from "./icons";
import type { FileAttachment } from "./types";

/** A run may return a thousand files. */
const FIRST_CHIPS = 12;
const FIRST_PICTURES = 6;

const isPicture = (file: FileAttachment) =>
  file.mimeType.startsWith("image/svg") || fileKind(file.name, file.mimeType) === "image";

const READABLE = new Set(["document", "pdf", "csv", "live", "notebook", "audio", "video"]);

/** What a person most likely wants to see comes first: documents and pictures, then text, then the rest. */
function rank(file: FileAttachment): number {
  const kind = fileKind(file.name, file.mimeType);
  if (isPicture(file) || READABLE.has(kind) || /\.md$/i.test(file.name)) return 0;
  return kind === "text" ? 1 : 2;
}

/** Whether the text of an answer shows a picture already. */
const isInText = (text: string, file: FileAttachment, files: readonly FileAttachment[]) =>
  [...text.matchAll(/!\[[^\]]*\]\(([^)\s]+)/g)].some(([, path]) => findFile({ files }, path ?? "") === file);

interface Props {
  files: readonly FileAttachment[];
  /** The text of an answer; null in a message of a person, whose pictures stay small. */
  text: string | null;
  chat: ChatFiles;
}

export function Attachments({ files, text, chat }: Props) {
  const [all, setAll] = useState(false);
  if (files.length === 0) return null;
  const pictures = text === null ? [] : files.filter((file) => isPicture(file) && !isInText(text, file, files)).slice(0, FIRST_PICTURES);
  const ordered = [...files].sort((a, b) => rank(a) - rank(b)).map((file) => shownFile(chat.chatId, file, files));
  const open = (file: FileAttachment) => chat.preview({ ...shownFile(chat.chatId, file, files), among: ordered });
  const chips = files.filter((file) => !pictures.includes(file)).sort((a, b) => rank(a) - rank(b));
  const shown = all ? chips : chips.slice(0, FIRST_CHIPS);
  return (
    <>
      {pictures.length > 0 && (
        <div className={pictures.length === 1 ? "pictures" : "pictures many"}>
          {pictures.map((file) => (
            <Picture key={file.id} file={file} chat={chat} open={open} />
          ))}
        </div>
      )}
      {shown.length > 0 && (
        <ul className="chips">
          {shown.map((file) => (
            <li key={file.id}>
              <Chip file={file} chat={chat} open={open} />
            </li>
          ))}
        </ul>
      )}
      {shown.length < chips.length && (
        <p className="more-files">
          <button type="button" className="link" onClick={() => setAll(true)}>
            {plural(chips.length - shown.length, "more file")}
          </button>
          <a className="link" href={bagZipUrl(chat.chatId)} download title="All attachments and outputs of this chat">
            Download all
          </a>
        </p>
      )}
    </>
  );
}

interface FileProps {
  file: FileAttachment;
  chat: ChatFiles;
  open: (file: FileAttachment) => void;
}

function Picture({ file, chat, open }: FileProps) {
  return (
    <figure>
      <button type="button" className="picture" title="Enlarge" onClick={() => open(file)}>
        <img src={fileUrl(chat.chatId, file.id)} alt={file.path ?? file.name} loading="lazy" />
      </button>
      <figcaption>{file.path ?? file.name}</figcaption>
    </figure>
  );
}

function Chip({ file, chat, open }: FileProps) {
  const kind = fileKind(file.name, file.mimeType);
  return (
    <button type="button" className="chip" onClick={() => open(file)}>
      {isPicture(file) ? (
        <img src={fileUrl(chat.chatId, file.id)} alt="" loading="lazy" />
      ) : (
        <span className="chip-icon">
          <Icon name={kind === "csv" ? "table" : "file"} />
        </span>
      )}
      <span className="chip-name" title={file.path ?? file.name}>
        {file.path ?? file.name}
      </span>
      <span className="chip-size">{formatSize(file.size)}</span>
    </button>
  );
}
