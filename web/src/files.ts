import { useEffect, useMemo, useState } from "react";
import { ApiError, api, getJson, snapshotsUrl, workspaceUrl } from "./api";
import type { BagFile, Snapshot, WorkspaceFile, WorkspaceListing } from "./types";

interface Files {
  workspace: WorkspaceListing | null;
  bag: BagFile[];
  snapshots: Snapshot[];
}

/** What nobody on this page did, such as the end of a live workspace, is seen this late. */
const POLL = 10_000;

/** A chat's workspace and bag, read again whenever the version changes and now and then. */
export function useFiles(chatId: string, version: number): Files {
  const [files, setFiles] = useState<Files>({ workspace: null, bag: [], snapshots: [] });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const look = async () => {
      if (document.hidden) return;
      try {
        const [workspace, { files: bag }, { snapshots }] = await Promise.all([
          getJson<WorkspaceListing>(workspaceUrl(chatId), signal).catch(noneYet),
          api.files(chatId, signal),
          getJson<{ snapshots: Snapshot[] }>(snapshotsUrl(chatId), signal),
        ]);
        setFiles({ workspace, bag, snapshots });
      } catch {
        // away for a moment: what is shown stays
      }
    };
    void look();
    const timer = setInterval(() => void look(), POLL);
    const focused = () => void look();
    addEventListener("focus", focused);
    return () => {
      controller.abort();
      clearInterval(timer);
      removeEventListener("focus", focused);
    };
  }, [chatId, version]);
  return files;
}

function noneYet(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
}

/** The newest snapshot that an earlier run left: what the run of this id began with. */
export function baselineOf(snapshots: Snapshot[], runId: string | null): string | null {
  return snapshots.find((snapshot) => snapshot.runId !== runId)?.id ?? null;
}

export type Mark = "new" | "changed";

export interface Marks {
  of: ReadonlyMap<string, Mark>;
  removed: string[];
}

const NONE: Marks = { of: new Map(), removed: [] };

/** What a workspace has that its baseline has not. */
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

/** What the newest run has changed; before the first snapshot all there is. */
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
  return useMemo(() => (before && workspace ? compare(before, workspace.files) : NONE), [before, workspace]);
}
