import { useCallback, useEffect, useState } from "react";
import { getJson, snapshotsUrl, workspaceUrl } from "./api";
import { shownWorkspaceFile } from "./chat-files";
import { FileTree } from "./file-tree";
import { formatTime } from "./format";
import type { Previewed } from "./preview";
import type { Leaf } from "./tree";
import type { Snapshot, SnapshotComparison, WorkspaceFile } from "./types";

interface Props {
  chatId: string;
  snapshot: Snapshot;
  /** All states, newest first. */
  snapshots: readonly Snapshot[];
  nameOf: (snapshot: Snapshot) => string;
  preview: (file: Previewed) => void;
}

/** A saved state: what differs from another one, each text as a diff, and all its files. */
export function SnapshotView({ chatId, snapshot, snapshots, nameOf, preview }: Props) {
  const place = snapshots.findIndex(({ id }) => id === snapshot.id);
  const [other, setOther] = useState(snapshots[place + 1]?.id ?? "");
  const [files, setFiles] = useState(false);
  const isOlder = snapshots.findIndex(({ id }) => id === other) > place;
  return (
    <div className="snapshot-view">
      {snapshots.length > 1 && (
        <label className="snapshot-other">
          Compared with{" "}
          <select value={other} onChange={(event) => setOther(event.target.value)}>
            {other === "" && <option value="">choose a state</option>}
            <option value="live">the files now</option>
            {snapshots.map(
              (one) =>
                one.id !== snapshot.id && (
                  <option key={one.id} value={one.id}>
                    {cut(nameOf(one))}, {formatTime(Date.parse(one.createdAt))}
                  </option>
                ),
            )}
          </select>
        </label>
      )}
      {other !== "" && (
        <Differences
          key={other}
          chatId={chatId}
          from={isOlder ? other : snapshot.id}
          to={isOlder ? snapshot.id : other}
        />
      )}
      <button type="button" className="link" aria-expanded={files} onClick={() => setFiles(!files)}>
        {files ? "Hide its files" : "All files of this state"}
      </button>
      {files && <Files chatId={chatId} at={snapshot.id} preview={preview} />}
    </div>
  );
}

const MAX_NAME = 60;
const cut = (name: string) => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name);

function useRead<T>(address: string): { value?: T; error?: string } {
  const [state, setState] = useState<{ value?: T; error?: string }>({});
  useEffect(() => {
    const controller = new AbortController();
    setState({});
    getJson<T>(address, controller.signal).then(
      (value) => setState({ value }),
      (error: unknown) => !controller.signal.aborted && setState({ error: (error as Error).message }),
    );
    return () => controller.abort();
  }, [address]);
  return state;
}

const diffUrl = (chatId: string, values: Record<string, string>) =>
  `${snapshotsUrl(chatId)}/diff?${new URLSearchParams(values)}`;

function Differences({ chatId, from, to }: { chatId: string; from: string; to: string }) {
  const [open, setOpen] = useState<string | null>(null);
  const { value, error } = useRead<SnapshotComparison>(diffUrl(chatId, { from, to }));
  if (error) return <p className="files-empty">{error}</p>;
  if (!value) return <p className="files-empty">Loading…</p>;
  const rows = [
    ...(value.added ?? []).map((path) => ({ path, does: "added" })),
    ...(value.changed ?? []).map((path) => ({ path, does: "changed" })),
    ...(value.removed ?? []).map((path) => ({ path, does: "removed" })),
  ];
  if (rows.length === 0) return <p className="files-empty">No file differs.</p>;
  return (
    <ul className="snapshot-differences" aria-label="Differences">
      {rows.map(({ path, does }) => (
        <li key={path}>
          <button type="button" aria-expanded={open === path} onClick={() => setOpen(open === path ? null : path)}>
            <span className="tree-name" title={path}>
              {path}
            </span>
            <span className="badge plain">{does}</span>
          </button>
          {open === path && <TextDiff address={diffUrl(chatId, { from, to, path })} path={path} />}
        </li>
      ))}
    </ul>
  );
}

function TextDiff({ address, path }: { address: string; path: string }) {
  const { value, error } = useRead<SnapshotComparison>(address);
  if (error) return <p className="files-empty">{error}</p>;
  if (!value) return <p className="files-empty">Loading…</p>;
  if (value.tooLarge) return <p className="files-empty">The file is too large to be compared here.</p>;
  if (value.binary) return <p className="files-empty">The file is no text.</p>;
  const lines = (value.diff ?? "").replace(/\n$/, "").split("\n");
  const kind = (line: string) => (line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : undefined);
  return (
    <pre className="diff" tabIndex={0} aria-label={`Changes of ${path}`}>
      {lines.map((line, index) => (
        <span key={index} className={kind(line)}>
          {`${line}\n`}
        </span>
      ))}
    </pre>
  );
}

const NO_MARKS = new Map<string, never>();

function Files({ chatId, at, preview }: { chatId: string; at: string; preview: (file: Previewed) => void }) {
  const { value, error } = useRead<{ files: WorkspaceFile[] }>(`${workspaceUrl(chatId)}?at=${at}`);
  const open = useCallback(
    (file: Leaf) => preview(shownWorkspaceFile(chatId, file, at)),
    [chatId, at, preview],
  );
  if (error) return <p className="files-empty">{error}</p>;
  if (!value) return <p className="files-empty">Loading…</p>;
  if (value.files.length === 0) return <p className="files-empty">It has no files.</p>;
  return <FileTree chatId={chatId} files={value.files} marks={NO_MARKS} open={open} />;
}
