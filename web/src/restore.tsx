import { useEffect, useRef, useState } from "react";
import { api, getJson, snapshotsUrl } from "./api";
import { formatTime } from "./format";
import { showError } from "./toasts";
import type { Snapshot } from "./types";

interface ChoiceProps {
  /** When the last saved files were taken; undefined if there are none. */
  saved: string | undefined;
  restore: () => void;
  keep: () => void;
}

/** What a person gives up by continuing without the newest files, and the choice. */
export function RestoreChoice({ saved, restore, keep }: ChoiceProps) {
  return (
    <>
      <p>
        {saved
          ? `The chat continues with the files of ${formatTime(Date.parse(saved))}. All later changes to its files are lost, `
          : "No files of this chat are saved: it continues with an empty workspace. The files that its turns left are lost, "}
        even if that server comes back. The messages, and the attached and returned files, stay.
      </p>
      <div className="files-choice">
        <button type="button" className="button small" onClick={restore}>
          Give up the newest files
        </button>
        <button type="button" className="button small" autoFocus onClick={keep}>
          Keep waiting
        </button>
      </div>
    </>
  );
}

interface DialogProps {
  chatId: string;
  /** Called when the chat continues from its last saved files. */
  restored: () => void;
  close: () => void;
}

/** The same choice for a person who sends a message. */
export default function RestoreDialog({ chatId, restored, close }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [snapshots, setSnapshots] = useState<Snapshot[] | null>(null);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    getJson<{ snapshots: Snapshot[] }>(snapshotsUrl(chatId)).then(
      (page) => setSnapshots(page.snapshots),
      (error: unknown) => {
        showError("The saved files could not be listed.", error);
        close();
      },
    );
  }, [chatId, close]);
  const restore = () => {
    dialog.current?.close();
    api.restoreWorkspace(chatId).then(restored, (error: unknown) =>
      showError("The last saved files were not restored.", error),
    );
  };
  return (
    <dialog ref={dialog} className="sheet" aria-label="Continue from the last saved files" onClose={close}>
      <header>
        <h2>Continue from the last saved files?</h2>
      </header>
      <div className="restore-body">
        <p>The newest files of this chat are not saved yet, and the server that has them is away.</p>
        {snapshots && (
          <RestoreChoice
            saved={snapshots[0]?.createdAt}
            restore={restore}
            keep={() => dialog.current?.close()}
          />
        )}
      </div>
    </dialog>
  );
}
