import { memo, useEffect, useMemo, useRef, useState, type MouseEvent } from "react";
import { fileUrl, workspaceFileUrl } from "./api";
import { copyText } from "./clipboard";
import { fileKind, formatAge, formatSize, formatTime, plural } from "./format";
import { Icon } from "./icons";
import { renderMarkdown } from "./markdown";
import { runAddress, navigate } from "./router";
import { Stopped, Thinking, Usage } from "./progress";
import { CopyButton, StepGroup } from "./steps";
import type { Previewed } from "./preview";
import type { Block, EndBlock, FileAttachment, Message, NotHandedOver, StepBlock } from "./types";

interface Props {
  message: Message;
  chatId: string;
  live: boolean;
  preview: (file: Previewed) => void;
  /** Only the newest turn can be sent again. */
  again?: { retry: () => void; edit: () => void };
}

export const MessageView = memo(function MessageView(props: Props) {
  const { message, chatId, live, preview, again } = props;
  const files = message.fileAttachments ?? [];
  return (
    <article
      id={`message-${message.id}`}
      className={`message ${message.role}`}
      aria-label={label(message)}
      aria-busy={live}
      tabIndex={-1}
    >
      <div className="message-body">
        {message.role === "user" ? (
          <UserText text={textOf(message.content)} />
        ) : (
          <Answer blocks={message.content} live={live} runId={message.runId} />
        )}
        <Attachments files={files} chatId={chatId} preview={preview} />
        <LeftBehind files={message.notHandedOver ?? []} chatId={chatId} />
        {message.workspace === "pending" && (
          <p className="no-text">The files of this turn are not saved yet. The server tries again.</p>
        )}
      </div>
      {!live && <Actions message={message} again={again} />}
    </article>
  );
});

/** A message of files only has no text. */
function UserText({ text }: { text: string }) {
  return text.trim() === "" ? null : <p className="user-text">{text}</p>;
}

function label(message: Message): string {
  return message.role === "user" ? "You" : "Satchel";
}

export function textOf(content: Block[]): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
}

function Actions({ message, again }: Pick<Props, "message" | "again">) {
  const text = textOf(message.content);
  const { runId } = message;
  const usage = message.content.find((block) => block.type === "usage");
  return (
    <footer className="message-actions">
      <time dateTime={new Date(message.createdAt).toISOString()} title={formatTime(message.createdAt)}>
        {formatAge(message.createdAt, Date.now())}
      </time>
      {text !== "" && <CopyButton text={text} />}
      {usage && <Usage usage={usage} />}
      {again && message.role === "user" && (
        <button type="button" className="link quiet" onClick={again.edit}>
          <Icon name="edit" />
          Edit
        </button>
      )}
      {again && message.role === "assistant" && (
        <button type="button" className="link quiet" onClick={again.retry}>
          <Icon name="retry" />
          Retry
        </button>
      )}
      {runId && (
        <a
          className="link quiet"
          href={runAddress(runId)}
          onClick={(event) => {
            event.preventDefault();
            navigate(runAddress(runId));
          }}
        >
          <Icon name="trace" />
          Trace
        </a>
      )}
    </footer>
  );
}

type Group = { steps: StepBlock[] } | Exclude<Block, StepBlock>;

function grouped(blocks: Block[]): Group[] {
  const groups: Group[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.type !== "step") groups.push(block);
    else if (last && "steps" in last) last.steps.push(block);
    else groups.push({ steps: [block] });
  }
  return groups;
}

function Answer({ blocks, live, runId }: { blocks: Block[]; live: boolean; runId?: string | null }) {
  const groups = grouped(blocks);
  return (
    <>
      {groups.map((group, index) =>
        "steps" in group ? (
          <StepGroup key={group.steps[0]?.id} steps={group.steps} live={live} runId={runId} />
        ) : (
          <Part key={index} part={group} live={live} isLast={index === groups.length - 1} />
        ),
      )}
      {!live && !blocks.some((block) => block.type === "text" || block.type === "end") && (
        <p className="no-text">The answer has no text.</p>
      )}
    </>
  );
}

function Part({ part, live, isLast }: { part: Exclude<Block, StepBlock>; live: boolean; isLast: boolean }) {
  switch (part.type) {
    case "text":
      return <Markdown text={part.text} live={live} />;
    case "thinking":
      return <Thinking text={part.text} live={live && isLast} />;
    case "steer":
      return (
        <p className="steer" title="You said this during the turn">
          {part.text}
        </p>
      );
    case "stopped":
      return <Stopped reason={part.reason} />;
    case "end":
      return <End end={part} />;
    default:
      return null; // the tokens are below the message
  }
}

const END_TEXT = {
  cancelled: "Stopped by you",
  interrupted: "Interrupted",
  failed: "This turn failed",
} as const;

function End({ end }: { end: EndBlock }) {
  return (
    <div className={`end ${end.status}`}>
      <Icon name={end.status === "cancelled" ? "stop" : "cross"} />
      <div>
        <strong>{END_TEXT[end.status]}</strong>
        {end.status !== "cancelled" && <p>{end.message}</p>}
      </div>
    </div>
  );
}

export function Markdown({ text, live }: { text: string; live: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  const html = useMemo(() => renderMarkdown(text), [text]);
  useEffect(() => {
    const blocks = live ? [] : [...(element.current?.querySelectorAll("code[class]") ?? [])];
    if (blocks.length === 0) return;
    void import("./highlight").then(({ highlightElement }) =>
      blocks.forEach((code) =>
        highlightElement(code as HTMLElement, code.className.replace("language-", "")),
      ),
    );
  }, [html, live]);
  return (
    <div
      ref={element}
      className="markdown"
      onClick={codeButtons}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

/** The buttons above code blocks are part of the rendered text, so one handler serves all. */
function codeButtons(event: MouseEvent): void {
  const button = (event.target as Element).closest<HTMLElement>("button[data-code]");
  const block = button?.closest(".code");
  if (!button || !block) return;
  if (button.dataset.code === "wrap") {
    button.setAttribute("aria-pressed", String(block.classList.toggle("wrapped")));
    return;
  }
  void copyText(block.querySelector("code")?.textContent ?? "").then((done) => {
    if (!done) return;
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1_500);
  });
}

interface AttachmentsProps {
  files: FileAttachment[];
  chatId: string;
  preview: (file: Previewed) => void;
}

/** A run may return a thousand files; each chip with an image is a request. */
const FIRST_CHIPS = 24;

function Attachments({ files, chatId, preview }: AttachmentsProps) {
  const [all, setAll] = useState(false);
  if (files.length === 0) return null;
  const shown = all ? files : files.slice(0, FIRST_CHIPS);
  return (
    <ul className="chips">
      {shown.map((file) => {
        const kind = fileKind(file.name, file.mimeType);
        const isPicture = file.mimeType.startsWith("image/svg") || kind === "image";
        const url = fileUrl(chatId, file.id);
        return (
          <li key={file.id}>
            <button type="button" className="chip" onClick={() => preview({ ...file, url, saveUrl: `${url}/save`, textUrl: `${url}/text` })}>
              {isPicture ? (
                <img src={url} alt="" loading="lazy" />
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
          </li>
        );
      })}
      {shown.length < files.length && (
        <li>
          <button type="button" className="link" onClick={() => setAll(true)}>
            Show all {files.length} files
          </button>
        </li>
      )}
    </ul>
  );
}

/** Files that stay in the workspace, from which they can be downloaded. */
function LeftBehind({ files, chatId }: { files: NotHandedOver[]; chatId: string }) {
  if (files.length === 0) return null;
  return (
    <details className="left-behind" open={files.length <= 5}>
      <summary>{plural(files.length, "file")} not handed over</summary>
      <ul>
        {files.map((file) => (
          <li key={file.path}>
            <a className="link" href={workspaceFileUrl(chatId, file.path)} download>
              {file.path}
            </a>{" "}
            <span className="chip-size">{formatSize(file.size)}</span> <span>{file.reason}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
