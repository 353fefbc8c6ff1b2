import {
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
} from "react";
import { formatSize } from "./format";
import { Icon } from "./icons";
import { ChoicePickers, type Choices } from "./models";
import { store, stored } from "./theme";
import { showError, showToast } from "./toasts";
import type { Chosen } from "./upload";
import { isPending, type Upload, type Uploads } from "./uploads";

export interface ComposerHandle {
  focus(): void;
  put(text: string): void;
}

interface Props {
  draftKey: string;
  uploads: Uploads;
  choices: Choices;
  busy: boolean;
  /** Whether the running turn waits for answers. */
  waiting: boolean;
  stopping: boolean;
  online: boolean;
  handle: Ref<ComposerHandle>;
  lastMessage: () => string;
  attach: (files: Chosen[]) => void;
  send: (text: string) => void;
  stop: () => void;
}

/** The input for a message. Its text is local state, so that typing renders nothing else. */
export function Composer(props: Props) {
  const { draftKey, uploads, busy, stopping, online, handle } = props;
  const [text, setText] = useState(() => stored(draftKey) ?? "");
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const list = useSyncExternalStore(uploads.subscribe, uploads.snapshot);
  const blocked = reason(text, list, online);

  useImperativeHandle(handle, () => ({
    focus: () => field.current?.focus(),
    put: (message) => {
      setText(message);
      field.current?.focus();
    },
  }));
  const storedKey = useRef(draftKey);
  useEffect(() => {
    if (storedKey.current !== draftKey) store(storedKey.current, null); // the new chat got its id
    storedKey.current = draftKey;
    store(draftKey, text === "" ? null : text);
  }, [draftKey, text]);
  useEffect(() => grow(field.current), [text]);

  const submit = () => {
    if (blocked) return;
    props.send(text);
    setText("");
    store(draftKey, null);
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // Enter chooses a candidate, it does not send
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === "ArrowUp" && text === "") {
      event.preventDefault();
      setText(props.lastMessage());
    }
  };
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    props.attach(files.map((file, index) => ({ file: named(file, index), folder: "" })));
  };
  return (
    <form
      className="composer"
      aria-label="Write a message"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <UploadChips list={list} uploads={uploads} choose={() => picker.current?.click()} />
      <textarea
        ref={field}
        rows={1}
        aria-label="Message"
        placeholder={busy ? "Write the next message…" : "Message, or drop files anywhere"}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={keyDown}
        onPaste={paste}
      />
      <div className="composer-bar">
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            props.attach([...(event.target.files ?? [])].map((file) => ({ file, folder: "" })));
            event.target.value = "";
          }}
        />
        <button
          type="button"
          className="icon-button"
          aria-label="Attach files"
          title="Attach files"
          onClick={() => picker.current?.click()}
        >
          <Icon name="attach" />
        </button>
        <ChoicePickers choices={props.choices} />
        <span className="composer-hint">
          {blocked && (text !== "" || list.length > 0)
            ? blocked
            : busy
              ? `${props.waiting ? "The turn waits for your answer." : "A turn is running."} Enter queues a message, Esc stops the turn.`
              : ""}
        </span>
        {busy && (
          <button
            type="button"
            className="send stop"
            aria-label="Stop"
            title="Stop (Esc)"
            disabled={stopping}
            onClick={props.stop}
          >
            <Icon name="stop" />
          </button>
        )}
        {(!busy || blocked === null) && (
          <button
            type="submit"
            className="send"
            aria-label={busy ? "Queue" : "Send"}
            title={blocked ?? (busy ? "Queue (Enter)" : "Send (Enter)")}
            disabled={blocked !== null}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
    </form>
  );
}

/** The reason why a message cannot be sent now, or null. */
function reason(text: string, list: readonly Upload[], online: boolean): string | null {
  if (!online) return "You are offline.";
  if (list.some((upload) => upload.status === "stopped"))
    return "An upload was stopped by a reload: choose the file again, or remove it.";
  if (list.some((upload) => upload.status === "paused")) return "Resume or remove the paused file.";
  if (list.some(isPending)) return "Waiting for uploads to finish.";
  if (list.some((upload) => upload.status === "failed"))
    return "Remove or retry the file that failed.";
  return text.trim() === "" && list.length === 0 ? "Write a message first." : null;
}

function grow(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}

/** Every pasted image is named image.png; the time makes the names different. */
function named(file: File, index: number): File {
  if (!/^image\.\w+$/.test(file.name)) return file;
  const time = new Date().toISOString().slice(0, 19).replace(/[:T]/g, "-");
  const extension = file.name.slice(file.name.indexOf("."));
  return new File([file], `pasted-${time}-${index + 1}${extension}`, { type: file.type });
}

interface ChipsProps {
  list: readonly Upload[];
  uploads: Uploads;
  choose: () => void;
}

function UploadChips({ list, uploads, choose }: ChipsProps) {
  if (list.length === 0) return null;
  return (
    <ul className="chips" aria-label="Attached files">
      {list.map((upload) => (
        <li key={upload.key}>
          <UploadChip upload={upload} uploads={uploads} choose={choose} />
        </li>
      ))}
    </ul>
  );
}

interface ChipProps {
  upload: Upload;
  uploads: Uploads;
  choose: () => void;
}

function UploadChip({ upload, uploads, choose }: ChipProps) {
  const percent = upload.size === 0 ? 100 : Math.floor((upload.sent / upload.size) * 100);
  return (
    <div className={`chip upload ${upload.status}`} title={upload.error ?? upload.name}>
      {upload.thumbnail ? (
        <img src={upload.thumbnail} alt="" />
      ) : (
        <span className="chip-icon">
          <Icon name="file" />
        </span>
      )}
      <span className="chip-name">{upload.name}</span>
      <span className="chip-size">{progressOf(upload, percent)}</span>
      {isPending(upload) && (
        <div
          className="progress"
          role="progressbar"
          aria-label={`Uploading ${upload.name}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <div style={{ width: `${percent}%` }} />
        </div>
      )}
      {upload.status === "uploading" && upload.url && (
        <ChipButton label="Pause" icon="pause" name={upload.name} run={() => uploads.pause(upload.key)} />
      )}
      {upload.status === "paused" && (
        <ChipButton label="Resume" icon="play" name={upload.name} run={() => uploads.retry(upload.key)} />
      )}
      {upload.status === "stopped" && (
        <ChipButton label="Choose again" icon="attach" name={upload.name} run={choose} />
      )}
      {upload.status === "failed" && (
        <ChipButton label="Retry" icon="retry" name={upload.name} run={() => uploads.retry(upload.key)} />
      )}
      <ChipButton label="Remove" icon="close" name={upload.name} run={() => remove(upload, uploads)} />
    </div>
  );
}

function remove(upload: Upload, uploads: Uploads): void {
  uploads
    .remove(upload.key)
    .then((kept) => kept !== undefined && showToast(`The workspace keeps its copy ${kept}.`))
    .catch((error: unknown) => showError("The file is still on the server.", error));
}

function progressOf(upload: Upload, percent: number): string {
  switch (upload.status) {
    case "failed":
      return upload.error ?? "";
    case "done":
      return formatSize(upload.size);
    case "paused":
      return `Paused at ${percent} %`;
    case "interrupted":
      return `Paused at ${percent} %, waiting for the network`;
    case "stopped":
      return `Stopped at ${percent} %. Choose it again to continue.`;
    default:
      return `${percent} % of ${formatSize(upload.size)}`;
  }
}

interface ChipButtonProps {
  label: string;
  name: string;
  icon: "attach" | "pause" | "play" | "retry" | "close";
  run: () => void;
}

function ChipButton({ label, name, icon, run }: ChipButtonProps) {
  return (
    <button type="button" className="icon-button small" aria-label={`${label} ${name}`} title={label} onClick={run}>
      <Icon name={icon} />
    </button>
  );
}
