import { useState } from "react";
import { Age } from "./age";
import { api } from "./api";
import { plural } from "./format";
import { Icon } from "./icons";
import { textOf } from "./message";
import type { Previewed } from "./preview";
import { SnapshotView } from "./snapshot-view";
import { showError, showToast } from "./toasts";
import type { Message, RestoredSnapshot, Snapshot } from "./types";

interface Props {
  chatId: string;
  /** Newest first. */
  snapshots: Snapshot[];
  messages: readonly Message[];
  preview: (file: Previewed) => void;
  /** Called when files were restored. */
  restored: () => void;
}

/** How many are listed before a person asks for all. */
const FIRST = 8;

/** The saved states of the workspace, newest first: what each changed, and the way back to it. */
export function Timeline({ chatId, snapshots, messages, preview, restored }: Props) {
  const [opened, setOpened] = useState<string | null>(null);
  const nameOf = (snapshot: Snapshot) => turnOf(snapshot, messages) ?? changesOf(snapshot);
  const [all, setAll] = useState(false);
  const [chosen, setChosen] = useState<RestoredSnapshot | null>(null);

  const choose = (snapshot: string) => {
    api.restoreSnapshot(chatId, { snapshot, dryRun: true }).then(setChosen, (error: unknown) =>
      showError("The saved files could not be compared.", error),
    );
  };
  const restore = (snapshot: string, paths?: string[]) => {
    api.restoreSnapshot(chatId, { snapshot, paths }).then(
      ({ undo }) => {
        setChosen(null);
        restored();
        showToast(
          paths ? `${paths.join(", ")} is as it was.` : "The files are as they were.",
          undo === null ? undefined : { label: "Undo", run: () => restore(undo) },
        );
      },
      (error: unknown) => showError("The files were not restored.", error),
    );
  };

  const shown = all ? snapshots : snapshots.slice(0, FIRST);
  return (
    <section aria-label="History">
      <header>
        <h3>History</h3>
      </header>
      <ol className="timeline">
        {shown.map((snapshot, place) => (
          <li key={snapshot.id}>
            <div className="timeline-row">
              <button
                type="button"
                className="timeline-what"
                aria-expanded={opened === snapshot.id}
                onClick={() => setOpened(opened === snapshot.id ? null : snapshot.id)}
              >
                <Icon name="chevron" />
                <span>
                  {turnOf(snapshot, messages) && <strong>{turnOf(snapshot, messages)}</strong>}
                  <Age time={Date.parse(snapshot.createdAt)} /> · {changesOf(snapshot)}
                </span>
              </button>
              {place > 0 && (
                <button
                  type="button"
                  className="button small"
                  aria-expanded={chosen?.snapshot === snapshot.id}
                  onClick={() => (chosen?.snapshot === snapshot.id ? setChosen(null) : choose(snapshot.id))}
                >
                  <Icon name="retry" />
                  Go back
                </button>
              )}
            </div>
            {opened === snapshot.id && (
              <SnapshotView chatId={chatId} snapshot={snapshot} snapshots={snapshots} nameOf={nameOf} preview={preview} />
            )}
            {chosen?.snapshot === snapshot.id && (
              <Differences
                difference={chosen}
                restore={(paths) => restore(snapshot.id, paths)}
                cancel={() => setChosen(null)}
              />
            )}
          </li>
        ))}
      </ol>
      {snapshots.length > shown.length && (
        <button type="button" className="link" onClick={() => setAll(true)}>
          {plural(snapshots.length - shown.length, "older state")}
        </button>
      )}
    </section>
  );
}

interface DifferencesProps {
  difference: RestoredSnapshot;
  restore: (paths?: string[]) => void;
  cancel: () => void;
}

/** What going back would do, for all files or for one. */
function Differences({ difference, restore, cancel }: DifferencesProps) {
  const { added, changed, removed } = difference;
  const count = difference.addedCount + difference.changedCount + difference.removedCount;
  const listed = added.length + changed.length + removed.length;
  const rows = [
    ...added.map((path) => ({ path, does: "comes back" })),
    ...changed.map((path) => ({ path, does: "changes" })),
    ...removed.map((path) => ({ path, does: "is removed" })),
  ];
  if (count === 0) return <p className="files-empty">The files are the same as then.</p>;
  return (
    <div className="timeline-choice">
      <ul>
        {rows.map(({ path, does }) => (
          <li key={path}>
            <span className="tree-name" title={path}>
              {path}
            </span>
            <span className="badge plain">{does}</span>
            <button type="button" className="link" aria-label={`Only ${path}`} onClick={() => restore([path])}>
              Only this
            </button>
          </li>
        ))}
      </ul>
      {count > listed && <p className="files-empty">And {plural(count - listed, "more file")}.</p>}
      <div className="files-choice">
        <button type="button" className="button small primary" onClick={() => restore()}>
          Restore {plural(count, "file")}
        </button>
        <button type="button" className="button small" onClick={cancel}>
          Cancel
        </button>
      </div>
      <p className="files-empty">The present files are saved first.</p>
    </div>
  );
}

/** The question of the turn that left the files like this. */
export function turnOf({ messageId, restoredFrom }: Snapshot, messages: readonly Message[]): string | null {
  const at = messageId === null || restoredFrom !== null ? -1 : messages.findIndex(({ id }) => id === messageId);
  const question = messages.slice(0, at + 1).findLast(({ role }) => role === "user");
  if (at < 0 || !question) return null;
  return textOf(question.content).trim().split("\n", 1)[0] || null;
}

/** What a state changed against the one before, for its row. */
export function changesOf({ added, changed, removed, restoredFrom, files }: Snapshot): string {
  const counted = [
    [added, "added"],
    [changed, "changed"],
    [removed, "removed"],
  ].flatMap(([count, word]) => (count ? [`${count} ${word}`] : []));
  const what = counted.length > 0 ? counted.join(", ") : added === null ? plural(files, "file") : "no change";
  return restoredFrom === null ? what : `went back: ${what}`;
}
