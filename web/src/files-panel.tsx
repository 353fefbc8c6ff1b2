import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { Age } from "./age";
import { api, bagZipUrl } from "./api";
import { shownFile, shownWorkspaceFile } from "./chat-files";
import { FileTree } from "./file-tree";
import { baselineOf, useFiles, useMarks } from "./files";
import { fileKind, formatSize, formatTime, plural } from "./format";
import { Icon } from "./icons";
import { LeftBehind } from "./left-behind";
import type { Previewed } from "./preview";
import { RestoreChoice } from "./restore";
import { useHash } from "./router";
import { showError, showToast } from "./toasts";
import { Timeline } from "./timeline";
import { buildTree, leavesOf, type Leaf } from "./tree";
import type { BagFile, FileAttachment, Message, NotHandedOver, WorkspaceListing } from "./types";
import type { Uploads } from "./uploads";

interface Props {
  chatId: string;
  /** Changes when the files may have changed. */
  version: number;
  /** The run whose changes are marked. */
  runId: string | null;
  /** Of the thread as it is shown. */
  messages: readonly Message[];
  uploads: Uploads;
  preview: (file: Previewed) => void;
  /** Called when the chat goes on with other files. */
  restored: () => void;
  close: () => void;
}

const workspaceZipUrl = (chatId: string) =>
  `/api/sessions/${encodeURIComponent(chatId)}/workspace?format=zip`;

export default function FilesPanel({ chatId, version, runId, messages, uploads, preview, restored, close }: Props) {
  const arrived = useSyncExternalStore(uploads.subscribe, () => uploads.finished().length);
  const [restores, setRestores] = useState(0);
  const { loaded, workspace, unreachable, bag, snapshots } = useFiles(chatId, `${version + arrived}-${restores}`);
  const marks = useMarks(chatId, workspace, baselineOf(snapshots, runId));

  const open = useCallback(
    (file: Leaf) => {
      const path = file.path.split("/").map(encodeURIComponent).join("/");
      history.replaceState(null, "", `#/files/${path}`);
      const among = leavesOf(buildTree(workspace?.files ?? [])).map((leaf) => shownWorkspaceFile(chatId, leaf));
      preview({ ...shownWorkspaceFile(chatId, file), among });
    },
    [chatId, preview, workspace],
  );
  const outputs = useMemo(() => bag.map(asAttachment), [bag]);
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
            {workspace && <SourceBadge workspace={workspace} taken={snapshots[0]?.createdAt} />}
            {workspace && workspace.files.length > 0 && (
              <a className="link" href={workspaceZipUrl(chatId)} download={`workspace-${chatId}.zip`}>
                <Icon name="download" />
                Zip
              </a>
            )}
          </header>
          {unreachable ? (
            <UnreachableFiles
              chatId={chatId}
              saved={snapshots[0]?.createdAt}
              restored={() => {
                setRestores(restores + 1);
                restored();
              }}
            />
          ) : workspace && workspace.files.length > 0 ? (
            <>
              <FileTree chatId={chatId} files={workspace.files} marks={marks.of} open={open} />
              {marks.removed.length > 0 && (
                <p className="files-empty" title={marks.removed.join("\n")}>
                  {plural(marks.removed.length, "file")} removed by the last turn
                </p>
              )}
            </>
          ) : (
            <p className="files-empty">
              {!loaded ? "Loading…" : workspace ? "The workspace is empty." : "After the first turn, the working directory is shown here."}
            </p>
          )}
        </section>
        {snapshots.length > 1 && !unreachable && (
          <Timeline
            chatId={chatId}
            snapshots={snapshots}
            messages={messages}
            preview={preview}
            restored={() => {
              setRestores(restores + 1);
              restored();
            }}
          />
        )}
        <section>
          <header>
            <h3>Attachments and outputs</h3>
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
                <button type="button" onClick={() => preview({ ...shownFile(chatId, asAttachment(file), outputs), among: outputs.map((one) => shownFile(chatId, one, outputs)) })}>
                  <Icon name={fileKind(file.name, file.mimeType) === "image" ? "image" : "file"} />
                  <span className="tree-name">{file.path}</span>
                  {isRenamed(file) && (
                    <span className="badge plain" title="Its name in the workspace">
                      as {file.workspacePath}
                    </span>
                  )}
                  <span className="badge plain">{file.source === "user" ? "attached" : "output"}</span>
                  <span className="chip-size">{formatSize(file.size)}</span>
                </button>
              </li>
            ))}
            {loaded && bag.length === 0 && <li className="files-empty">No files attached.</li>}
          </ul>
          <LeftBehind files={leftBehind(messages)} chatId={chatId} />
        </section>
      </div>
    </aside>
  );
}

/** What the last turn has not handed over. */
function leftBehind(messages: readonly Message[]): readonly NotHandedOver[] {
  return messages.findLast((message) => message.role === "assistant")?.notHandedOver ?? [];
}

/** Only a file that a run handed in has a path in `assets/`. */
function asAttachment({ source, path, ...file }: BagFile): FileAttachment {
  return { ...file, ...(source === "user" ? {} : { path }) };
}

function isRenamed(file: BagFile): boolean {
  return file.source === "user" && !!file.workspacePath && file.workspacePath !== file.name;
}

function SourceBadge({ workspace, taken }: { workspace: WorkspaceListing; taken: string | undefined }) {
  if (workspace.source === "sandbox")
    return (
      <span className="badge live" title="The live directory">
        Live
      </span>
    );
  return (
    <span className="badge plain" title={taken && formatTime(Date.parse(taken))}>
      Snapshot{taken && <> · <Age time={Date.parse(taken)} /></>}
    </span>
  );
}

/** The newest files are away; a person may give them up, after a confirmation. */
function UnreachableFiles({
  chatId,
  saved,
  restored,
}: {
  chatId: string;
  saved: string | undefined;
  restored: () => void;
}) {
  const [asking, setAsking] = useState(false);
  const restore = () => {
    api.restoreWorkspace(chatId).then(restored, (error: unknown) => {
      setAsking(false);
      showError("The last saved files were not restored.", error);
    });
  };
  return (
    <div className="notice files-away" role="status">
      <p>The newest files of this chat are not saved yet, and the server that has them is away.</p>
      {asking ? (
        <RestoreChoice saved={saved} restore={restore} keep={() => setAsking(false)} />
      ) : (
        <button type="button" className="button small" onClick={() => setAsking(true)}>
          {saved ? "Continue from the last saved files" : "Continue without these files"}
        </button>
      )}
    </div>
  );
}

/** `#/files/<path>` opens that file once the workspace is known. */
function useLinkedFile(workspace: WorkspaceListing | null, open: (file: Leaf) => void): void {
  const hash = useHash();
  const [done, setDone] = useState("");
  useEffect(() => {
    if (!workspace || !hash.startsWith("#/files/") || done === hash) return;
    const path = decodeURIComponent(hash.slice("#/files/".length));
    const file = workspace.files.find((listed) => listed.path === path);
    setDone(hash);
    if (file) open({ kind: "file", name: path.slice(path.lastIndexOf("/") + 1), ...file });
    else showToast(`${path} is not in the workspace. It was removed, or the address is wrong.`);
  }, [workspace, hash, done, open]);
}
