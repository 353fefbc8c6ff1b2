import { useState, type KeyboardEvent } from "react";
import { Icon } from "./icons";
import type { QueuedMessage } from "./types";

interface Props {
  messages: readonly QueuedMessage[];
  paused: boolean;
  /** Whether a turn runs that could hear a message. */
  busy: boolean;
  edit: (id: string, text: string) => void;
  steer: (id: string) => void;
  remove: (id: string) => void;
  resume: () => void;
}

/** The messages that wait for their turn, above the composer. */
export default function QueueList({ messages, paused, resume, ...item }: Props) {
  if (messages.length === 0) return null;
  return (
    <section className="queue" aria-label="Queued messages">
      {paused && (
        <p className="queue-paused" role="status">
          The queue is paused.{" "}
          <button type="button" className="link" onClick={resume}>
            Resume
          </button>
        </p>
      )}
      <ol>
        {messages.map((message) => (
          <li key={message.messageId}>
            <QueueItem message={message} {...item} />
          </li>
        ))}
      </ol>
    </section>
  );
}

type ItemProps = Pick<Props, "busy" | "edit" | "steer" | "remove"> & { message: QueuedMessage };

function QueueItem({ message, busy, edit, steer, remove }: ItemProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const files = message.fileAttachments.map((file) => file.name).join(", ");
  const save = () => {
    if (draft !== null && draft !== message.message) edit(message.messageId, draft);
    setDraft(null);
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation(); // it does not stop the turn
      event.nativeEvent.stopImmediatePropagation();
      setDraft(null);
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      save();
    }
  };
  if (draft !== null)
    return (
      <div className="queue-item">
        <textarea
          rows={Math.min(8, draft.split("\n").length)}
          aria-label="Queued text"
          value={draft}
          autoFocus
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={keyDown}
        />
        <button type="button" className="button small" onClick={save} disabled={draft.trim() === "" && files === ""}>
          Save
        </button>
      </div>
    );
  return (
    <div className="queue-item">
      <span className="queue-text" title={message.message}>
        {message.message || files}
        {message.message !== "" && files !== "" && <span className="queue-files"> {files}</span>}
        {message.problem && <span className="queue-problem"> {message.problem}</span>}
      </span>
      {message.steering && <span className="badge plain">Heard next</span>}
      {busy && !message.steering && files === "" && (
        <button
          type="button"
          className="link"
          aria-label={`Steer now: ${message.message}`}
          title="The agent hears this before its next step, in the running turn"
          onClick={() => steer(message.messageId)}
        >
          Steer now
        </button>
      )}
      <button
        type="button"
        className="icon-button small"
        aria-label={`Edit ${message.message || files}`}
        title="Edit"
        onClick={() => setDraft(message.message)}
      >
        <Icon name="edit" />
      </button>
      <button
        type="button"
        className="icon-button small"
        aria-label={`Remove ${message.message || files}`}
        title="Remove"
        onClick={() => remove(message.messageId)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
