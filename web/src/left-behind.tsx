import { workspaceFileUrl } from "./api";
import { formatSize, plural } from "./format";
import type { NotHandedOver } from "./types";

/** Files that stay in the workspace, from which they can be downloaded. */
export function LeftBehind({ files, chatId }: { files: readonly NotHandedOver[]; chatId: string }) {
  if (files.length === 0) return null;
  return (
    <details className="left-behind" open={files.length <= 5}>
      <summary>{plural(files.length, "file")} not handed over</summary>
      <ul>
        {files.map((file) => (
          <li key={file.path}>
            <a className="link" href={workspaceFileUrl(chatId, file.path)} download>
              {file.path}
            </a>{" "}
            <span className="chip-size">{formatSize(file.size)}</span> <span>{file.reason}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
