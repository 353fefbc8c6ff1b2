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
import { Icon } from "./icons";
import { ChoicePickers, type Choices } from "./models";
import { store, stored } from "./theme";
import type { Chosen } from "./upload";
import { UploadChips } from "./upload-chips";
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
  /** Lets the running agent hear a message before its next step. */
  steer: (text: string) => void;
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
  const canSteer = busy && blocked === null && list.length === 0;

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

  const give = (to: (text: string) => void) => {
    if (blocked) return;
    to(text);
    setText("");
    store(draftKey, null);
  };
  const submit = () => give(props.send);
  const keyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // Enter chooses a candidate, it does not send
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && canSteer) {
      event.preventDefault();
      give(props.steer);
    } else if (event.key === "Enter" && !event.shiftKey) {
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
        {canSteer && (
          <button
            type="button"
            className="button small"
            title="The agent hears this before its next step (Ctrl + Enter)"
            onClick={() => give(props.steer)}
          >
            Steer
          </button>
        )}
        {busy && blocked === null && (
          <button type="submit" className="button small" title="It gets its own turn after this one (Enter)">
            Queue
          </button>
        )}
        {!busy && (
          <button
            type="submit"
            className="send"
            aria-label="Send"
            title={blocked ?? "Send (Enter)"}
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
