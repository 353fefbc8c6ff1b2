import { useEffect, useMemo, useState } from "react";
import { ApiError, api, getJson, snapshotsUrl, workspaceUrl } from "./api";
import type { BagFile, Snapshot, WorkspaceFile, WorkspaceListing } from "./types";

interface Files {
  loaded: boolean;
  workspace: WorkspaceListing | null;
  /** Whether the newest files are not saved and cannot be read. */
  unreachable: boolean;
  bag: BagFile[];
  snapshots: Snapshot[];
}

/** Changes from elsewhere, such as the removal of a live workspace, appear after at most this time. */
const POLL_MILLIS = 10_000;

const NO_FILES: Files = { loaded: false, workspace: null, unreachable: false, bag: [], snapshots: [] };

/** The workspace and the bag of a chat, read again when the version changes, and periodically. */
export function useFiles(chatId: string, version: string): Files {
  const [files, setFiles] = useState<Files>(NO_FILES);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const refresh = async () => {
      if (document.hidden) return;
      try {
        const [listed, { files: bag }, { snapshots }] = await Promise.all([
          listWorkspace(chatId, signal),
          api.files(chatId, signal),
          getJson<{ snapshots: Snapshot[] }>(snapshotsUrl(chatId), signal),
        ]);
        setFiles({ loaded: true, ...listed, bag, snapshots });
      } catch {
        // the server is unreachable: the files that are shown stay
      }
    };
    void refresh();
    const timer = setInterval(() => void refresh(), POLL_MILLIS);
    const focused = () => void refresh();
    addEventListener("focus", focused);
    return () => {
      controller.abort();
      clearInterval(timer);
      removeEventListener("focus", focused);
    };
  }, [chatId, version]);
  return files;
}

async function listWorkspace(
  chatId: string,
  signal: AbortSignal,
): Promise<Pick<Files, "workspace" | "unreachable">> {
  try {
    return { workspace: await getJson<WorkspaceListing>(workspaceUrl(chatId), signal), unreachable: false };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { workspace: null, unreachable: false };
    if (error instanceof ApiError && error.code === "workspace_pending")
      return { workspace: null, unreachable: true };
    throw error;
  }
}

/** The newest snapshot of an earlier run: the state with which the run of this id began. */
export function baselineOf(snapshots: Snapshot[], runId: string | null): string | null {
  return snapshots.find((snapshot) => snapshot.runId !== runId)?.id ?? null;
}

export type Mark = "new" | "changed";

export interface Marks {
  of: ReadonlyMap<string, Mark>;
  removed: string[];
}

const NO_MARKS: Marks = { of: new Map(), removed: [] };

/** The differences between a workspace and its baseline. */
export function compare(before: WorkspaceFile[], after: WorkspaceFile[]): Marks {
  const known = new Map(before.map((file) => [file.path, file]));
  const marks = new Map<string, Mark>();
  for (const file of after) {
    const old = known.get(file.path);
    if (!old) marks.set(file.path, "new");
    else if (old.size !== file.size || old.modifiedAt !== file.modifiedAt) marks.set(file.path, "changed");
    known.delete(file.path);
  }
  return { of: marks, removed: [...known.keys()] };
}

/** What the newest run has changed; everything, before the first snapshot. */
export function useMarks(chatId: string, workspace: WorkspaceListing | null, baseline: string | null): Marks {
  const [before, setBefore] = useState<WorkspaceFile[] | null>(null);
  useEffect(() => {
    setBefore(baseline === null ? [] : null);
    if (baseline === null) return;
    const controller = new AbortController();
    getJson<WorkspaceListing>(`${workspaceUrl(chatId)}?at=${baseline}`, controller.signal).then(
      ({ files }) => setBefore(files),
      () => {},
    );
    return () => controller.abort();
  }, [chatId, baseline]);
  return useMemo(() => (before && workspace ? compare(before, workspace.files) : NO_MARKS), [before, workspace]);
}
