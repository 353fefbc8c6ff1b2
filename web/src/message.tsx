import { memo, useMemo, useState, type KeyboardEvent } from "react";
import { Age } from "./age";
import { Attachments } from "./attachments";
import { Boundary } from "./boundary";
import { ChatFilesContext } from "./chat-files";
import { Icon, type IconName } from "./icons";
import { LeftBehind } from "./left-behind";
import { Markdown } from "./markdown-text";
import { Menu } from "./menu";
import { runAddress, navigate } from "./router";
import { Stopped, Thinking, Usage } from "./progress";
import { CopyButton, StepGroup } from "./steps";
import type { Previewed } from "./preview";
import type { Block, EndBlock, FileAttachment, Message, StepBlock } from "./types";

export interface MessageActions {
  /** Asks for another answer at the place of one, which stays as its sibling. */
  retry: (answerId: string) => void;
  /** Asks with another text at the place of a question, which stays as its sibling. */
  edit: (question: Message, text: string) => void;
  /** Shows the path through another message. */
  switchTo: (messageId: string) => void;
  /** Opens a new chat that ends with a message. */
  fork: (messageId: string) => void;
  /** Goes on after a limit. */
  proceed: () => void;
}

interface Props {
  message: Message;
  chatId: string;
  live: boolean;
  preview: (file: Previewed) => void;
  actions: MessageActions;
  /** Of the newest turn the actions are always shown, and it can go on after a limit. */
  newest: boolean;
  /** Another version was chosen and is not shown yet. */
  switching: boolean;
}

const NO_FILES: FileAttachment[] = [];

/** Hidden by a rule while a turn runs: in a long thread nothing is rendered for that. */
const WHEN_FREE = "icon-button small when-free";

export const MessageView = memo(function MessageView(props: Props) {
  const { message, chatId, live, preview, actions, newest, switching } = props;
  const [editing, setEditing] = useState(false);
  const files = message.fileAttachments ?? NO_FILES;
  const chatFiles = useMemo(() => ({ chatId, files, preview }), [chatId, files, preview]);
  const text = textOf(message.content);
  return (
    <article
      id={`message-${message.id}`}
      className={`message ${message.role}`}
      aria-label={label(message)}
      aria-busy={live}
      tabIndex={-1}
    >
      <ChatFilesContext value={chatFiles}>
        <div className="message-body">
          <Boundary fallback={<p className="raw">{text}</p>}>
            {message.role === "assistant" ? (
              <Answer message={message} live={live} proceed={newest ? actions.proceed : undefined} />
            ) : editing ? (
              <EditField text={text} needsText={files.length === 0} send={(draft) => actions.edit(message, draft)} close={() => setEditing(false)} />
            ) : (
              <UserText text={text} />
            )}
          </Boundary>
          <Attachments files={files} text={message.role === "assistant" ? text : null} chat={chatFiles} />
          <LeftBehind files={message.notHandedOver ?? []} chatId={chatId} />
          {message.workspace === "pending" && (
            <p className="no-text">The files of this turn are not saved yet. The server tries again.</p>
          )}
        </div>
      </ChatFilesContext>
      {(!live || message.runId) && (
        <Actions
          message={message}
          actions={actions}
          newest={newest && !editing}
          switching={switching}
          live={live}
          edit={editing ? null : () => setEditing(true)}
        />
      )}
    </article>
  );
});

/** A message of files only has no text. */
function UserText({ text }: { text: string }) {
  return text.trim() === "" ? null : (
    <p className="user-text" dir="auto">
      {text}
    </p>
  );
}

function label(message: Message): string {
  return message.role === "user" ? "You" : "Satchel";
}

export function textOf(content: Block[]): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
}

function Actions(props: Pick<Props, "message" | "actions" | "newest" | "switching" | "live"> & { edit: (() => void) | null }) {
  const { message, actions, newest, switching, live, edit } = props;
  const text = textOf(message.content);
  const { runId } = message;
  const usage = message.content.find((block) => block.type === "usage");
  return (
    <footer className={newest ? "message-actions newest" : "message-actions"}>
      {message.siblings && !live && (
        <Siblings id={message.id} all={message.siblings} switchTo={switching ? null : actions.switchTo} />
      )}
      {!live && <Age time={message.createdAt} />}
      {!live && text !== "" && <CopyButton text={text} icon />}
      {edit && message.role === "user" && <Action icon="edit" label="Edit" run={edit} whenFree />}
      {!live && message.role === "assistant" && (
        <Action icon="retry" label="Retry" run={() => actions.retry(message.id)} whenFree />
      )}
      <Menu label={runId ? "More about this turn" : "More about this message"} look={runId ? undefined : WHEN_FREE}>
        <button type="button" className="when-free" onClick={() => actions.fork(message.id)}>
          <Icon name="fork" />
          Fork from here
        </button>
        {runId && (
          <a
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
      </Menu>
      {usage && <Usage usage={usage} />}
    </footer>
  );
}

/** Which of the messages at this place is shown, and the way to the others. */
function Siblings({ id, all, switchTo }: { id: string; all: string[]; switchTo: ((id: string) => void) | null }) {
  const at = all.indexOf(id);
  const before = all[at - 1];
  const after = all[at + 1];
  return (
    <span className="siblings">
      <Action icon="before" label="Previous version" run={before === undefined || !switchTo ? null : () => switchTo(before)} />
      {at + 1} / {all.length}
      <Action icon="chevron" label="Next version" run={after === undefined || !switchTo ? null : () => switchTo(after)} />
    </span>
  );
}

interface EditProps {
  text: string;
  needsText: boolean;
  send: (text: string) => void;
  close: () => void;
}

/** The message in its place; what is written below stays as it is. */
function EditField({ text, needsText, send, close }: EditProps) {
  const [draft, setDraft] = useState(text);
  const submit = () => {
    if (needsText && draft.trim() === "") return;
    close();
    send(draft);
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && !event.shiftKey) submit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="edit-message">
      <textarea
        aria-label="Edited message"
        dir="auto"
        rows={Math.min(12, Math.max(2, draft.split("\n").length))}
        value={draft}
        autoFocus
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={keyDown}
      />
      <div>
        <button type="button" className="button small" onClick={close}>
          Cancel
        </button>
        <button type="button" className="button small primary" disabled={needsText && draft.trim() === ""} onClick={submit}>
          Send
        </button>
      </div>
    </div>
  );
}

function Action(props: { icon: IconName; label: string; run: (() => void) | null; whenFree?: boolean }) {
  const { icon, label, run, whenFree } = props;
  const look = whenFree ? WHEN_FREE : "icon-button small";
  return (
    <button type="button" className={look} aria-label={label} title={label} disabled={!run} onClick={run ?? undefined}>
      <Icon name={icon} />
    </button>
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

function Answer(props: { message: Message; live: boolean; proceed: (() => void) | undefined }) {
  const { message, live, proceed } = props;
  const blocks = message.content;
  const groups = grouped(blocks);
  return (
    <>
      {groups.map((group, index) =>
        "steps" in group ? (
          <StepGroup key={group.steps[0]?.id} steps={group.steps} live={live} runId={message.runId} endedAt={message.createdAt} />
        ) : (
          <Part key={index} part={group} live={live} isLast={index === groups.length - 1} proceed={proceed} />
        ),
      )}
      {!live && !blocks.some((block) => block.type === "text" || block.type === "end") && (
        <p className="no-text">The answer has no text.</p>
      )}
    </>
  );
}

interface PartProps {
  part: Exclude<Block, StepBlock>;
  live: boolean;
  isLast: boolean;
  proceed: (() => void) | undefined;
}

function Part({ part, live, isLast, proceed }: PartProps) {
  switch (part.type) {
    case "text":
      return <Markdown text={part.text} live={live && isLast} />;
    case "thinking":
      return <Thinking text={part.text} live={live && isLast} />;
    case "steer":
      return (
        <p className="steer" title="You said this during the turn">
          {part.text}
        </p>
      );
    case "stopped":
      return <Stopped reason={part.reason} proceed={proceed} />;
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
