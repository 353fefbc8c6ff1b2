import { useCallback, useEffect, useState } from "react";
import { ApiError, api, bagZipUrl, fileUrl, getJson } from "./api";
import { FileTree } from "./file-tree";
import { fileKind, formatAge, formatSize, formatTime } from "./format";
import { Icon } from "./icons";
import type { Previewed } from "./preview";
import { useHash } from "./router";
import type { Leaf, Listed } from "./tree";
import type { BagFile } from "./types";

interface Workspace {
  files: Listed[];
  source: "sandbox" | "snapshot";
}

interface Props {
  chatId: string;
  /** Changes whenever there may be something new to see. */
  version: number;
  since: number;
  preview: (file: Previewed) => void;
  close: () => void;
}

const workspaceUrl = (chatId: string) => `/api/sessions/${encodeURIComponent(chatId)}/files`;

const workspaceZipUrl = (chatId: string) =>
  `/api/sessions/${encodeURIComponent(chatId)}/workspace?format=zip`;

export default function FilesPanel({ chatId, version, since, preview, close }: Props) {
  const [workspace, setWorkspace] = useState<Workspace | null>(null);
  const [bag, setBag] = useState<BagFile[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    getJson<Workspace>(workspaceUrl(chatId), controller.signal).then(setWorkspace, (error: unknown) => {
      if (error instanceof ApiError && error.status === 404) setWorkspace(null);
    });
    api.files(chatId).then(({ files }) => setBag(files), () => {});
    return () => controller.abort();
  }, [chatId, version]);

  const open = useCallback(
    (file: Leaf) => {
      const path = file.path.split("/").map(encodeURIComponent).join("/");
      const url = `${workspaceUrl(chatId)}/${path}`;
      history.replaceState(null, "", `#/files/${path}`);
      preview({ name: file.name, url, size: file.size, mimeType: mimeOf(file.name) });
    },
    [chatId, preview],
  );
  useLinkedFile(workspace, open);
  return (
    <aside className="files" aria-label="Files">
      <header className="bar">
        <h2>Files</h2>
        <button type="button" className="icon-button" aria-label="Close files" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div className="files-body">
        <section>
          <header>
            <h3>Workspace</h3>
            {workspace && <SourceBadge chatId={chatId} workspace={workspace} />}
            {workspace && workspace.files.length > 0 && (
              <a className="link" href={workspaceZipUrl(chatId)} download={`workspace-${chatId}.zip`}>
                <Icon name="download" />
                Zip
              </a>
            )}
          </header>
          {workspace && workspace.files.length > 0 ? (
            <FileTree chatId={chatId} files={workspace.files} since={since} open={open} />
          ) : (
            <p className="files-empty">
              {workspace ? "The workspace is empty." : "Once a turn has run, its working directory is shown here."}
            </p>
          )}
        </section>
        <section>
          <header>
            <h3>Put in and handed back</h3>
            {bag.length > 0 && (
              <a className="link" href={bagZipUrl(chatId)} download>
                <Icon name="download" />
                All as zip
              </a>
            )}
          </header>
          <ul className="bag">
            {bag.map((file) => (
              <li key={file.id}>
                <button type="button" onClick={() => preview(shown(chatId, file))}>
                  <Icon name={fileKind(file.name, file.mimeType) === "image" ? "image" : "file"} />
                  <span className="tree-name">{file.name}</span>
                  <span className="badge plain">{file.source === "user" ? "yours" : "made"}</span>
                  <span className="chip-size">{formatSize(file.size)}</span>
                </button>
              </li>
            ))}
            {bag.length === 0 && <li className="files-empty">No files yet.</li>}
          </ul>
        </section>
      </div>
    </aside>
  );
}

function shown(chatId: string, file: BagFile): Previewed {
  const url = fileUrl(chatId, file.id);
  return { ...file, url, saveUrl: `${url}/save` };
}

function SourceBadge({ chatId, workspace }: { chatId: string; workspace: Workspace }) {
  const taken = useSnapshotTime(chatId, workspace);
  return workspace.source === "sandbox" ? (
    <span className="badge live" title="The directory itself">
      Live
    </span>
  ) : (
    <span className="badge plain" title={taken ? formatTime(taken) : undefined}>
      Snapshot{taken ? ` · ${formatAge(taken, Date.now())}` : ""}
    </span>
  );
}

/** When the snapshot that is shown was taken; null for a live workspace. */
function useSnapshotTime(chatId: string, workspace: Workspace): number | null {
  const [time, setTime] = useState<number | null>(null);
  useEffect(() => {
    setTime(null);
    if (workspace.source === "sandbox") return;
    getJson<{ snapshots: { createdAt: string }[] }>(
      `/api/sessions/${encodeURIComponent(chatId)}/snapshots`,
    ).then(
      ({ snapshots }) => setTime(snapshots[0] ? Date.parse(snapshots[0].createdAt) : null),
      () => {},
    );
  }, [chatId, workspace]);
  return time;
}

/** `#/files/<path>` opens that file once the workspace is known. */
function useLinkedFile(workspace: Workspace | null, open: (file: Leaf) => void): void {
  const hash = useHash();
  const [done, setDone] = useState("");
  useEffect(() => {
    if (!workspace || !hash.startsWith("#/files/") || done === hash) return;
    const path = decodeURIComponent(hash.slice("#/files/".length));
    const file = workspace.files.find((listed) => listed.path === path);
    setDone(hash);
    if (file) open({ kind: "file", name: path.slice(path.lastIndexOf("/") + 1), ...file });
  }, [workspace, hash, done, open]);
}

const IMAGES: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  svg: "image/svg+xml",
  pdf: "application/pdf",
};

/** The list of a workspace has no types; the name is enough for a preview. */
function mimeOf(name: string): string {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return IMAGES[extension] ?? "application/octet-stream";
}
