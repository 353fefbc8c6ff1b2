import { useEffect, useRef } from "react";
import { Icon } from "./icons";

const KEYS: [string, string][] = [
  ["Enter", "Send"],
  ["Shift + Enter", "New line"],
  ["↑ in an empty message", "Edit the last message"],
  ["Esc", "Stop the running turn"],
  ["/  or  Shift + Esc", "Write a message"],
  ["Ctrl + Enter during a turn", "Let the running agent hear the message"],
  ["Ctrl + B", "Hide or show the list of chats"],
  ["Ctrl + K", "Search chats, messages and files"],
  ["Ctrl + Shift + O", "New chat"],
  ["↑ ↓ ← → in the list of chats", "Other chats, and what can be done with one"],
  ["F2, Del in the list of chats", "Rename, delete"],
  ["?  or  Ctrl + /", "This list"],
];

export function Shortcuts() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      const writing = (event.target as Element).closest("input, textarea, select");
      const isShortcut = (event.key === "?" && !writing) || (event.key === "/" && event.ctrlKey);
      if (!isShortcut || dialog.current?.open) return;
      event.preventDefault();
      dialog.current?.showModal();
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, []);
  return (
    <dialog ref={dialog} className="sheet" aria-label="Keyboard shortcuts">
      <header>
        <h2>Keyboard shortcuts</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <dl>
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
