import { plural, formatSize } from "./format";
import { Icon } from "./icons";
import { showError, showToast } from "./toasts";
import { isPending, type Upload, type Uploads } from "./uploads";

interface ChipsProps {
  list: readonly Upload[];
  uploads: Uploads;
  choose: () => void;
}

const NEEDS_A_PERSON = new Set<Upload["status"]>(["failed", "stopped", "paused"]);

/** One chip for each file, and one for a folder; files of a folder that need a person have their own. */
export function UploadChips({ list, uploads, choose }: ChipsProps) {
  if (list.length === 0) return null;
  return (
    <ul className="chips" aria-label="Attached files" tabIndex={0}>
      {grouped(list).map((group) => (
        <li key={group.key}>
          {"list" in group ? (
            <FolderChip folder={group.folder} list={group.list} uploads={uploads} />
          ) : (
            <UploadChip upload={group} uploads={uploads} choose={choose} />
          )}
        </li>
      ))}
    </ul>
  );
}

interface FolderGroup {
  key: string;
  folder: string;
  list: Upload[];
}

export function grouped(list: readonly Upload[]): (Upload | FolderGroup)[] {
  const folders = new Map<string, FolderGroup>();
  const groups: (Upload | FolderGroup)[] = [];
  for (const upload of list) {
    const { folder } = upload;
    if (folder === undefined || NEEDS_A_PERSON.has(upload.status)) {
      groups.push(upload);
      continue;
    }
    let known = folders.get(folder);
    if (!known) {
      known = { key: `${folder}/`, folder, list: [] };
      folders.set(folder, known);
      groups.push(known);
    }
    known.list.push(upload);
  }
  return groups.map((group) => ("list" in group && group.list.length === 1 && group.list[0] ? group.list[0] : group));
}

function FolderChip({ folder, list, uploads }: FolderGroupProps) {
  const size = list.reduce((sum, upload) => sum + upload.size, 0);
  const sent = list.reduce((sum, upload) => sum + upload.sent, 0);
  const percent = size === 0 ? 100 : Math.floor((sent / size) * 100);
  const pending = list.some(isPending);
  const removeAll = () => list.forEach((upload) => remove(upload, uploads));
  return (
    <div className={`chip upload ${pending ? "uploading" : "done"}`} title={list.map((upload) => upload.name).join("\n")}>
      <span className="chip-icon">
        <Icon name="folder" />
      </span>
      <span className="chip-name">{folder}</span>
      <span className="chip-size">
        {plural(list.length, "file")}, {pending ? `${percent} % of ${formatSize(size)}` : formatSize(size)}
      </span>
      {pending && <Progress name={folder} percent={percent} />}
      <ChipButton label="Remove" icon="close" name={folder} run={removeAll} />
    </div>
  );
}

interface FolderGroupProps {
  folder: string;
  list: Upload[];
  uploads: Uploads;
}

function Progress({ name, percent }: { name: string; percent: number }) {
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={`Uploading ${name}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div style={{ width: `${percent}%` }} />
    </div>
  );
}

interface ChipProps {
  upload: Upload;
  uploads: Uploads;
  choose: () => void;
}

function UploadChip({ upload, uploads, choose }: ChipProps) {
  const percent = upload.size === 0 ? 100 : Math.floor((upload.sent / upload.size) * 100);
  return (
    <div className={`chip upload ${upload.status}`} title={upload.error ?? upload.name}>
      {upload.thumbnail ? (
        <img src={upload.thumbnail} alt="" />
      ) : (
        <span className="chip-icon">
          <Icon name="file" />
        </span>
      )}
      <span className="chip-name">{upload.name}</span>
      <span className="chip-size">{progressOf(upload, percent)}</span>
      {isPending(upload) && (
        <Progress name={upload.name} percent={percent} />
      )}
      {upload.status === "uploading" && upload.url && (
        <ChipButton label="Pause" icon="pause" name={upload.name} run={() => uploads.pause(upload.key)} />
      )}
      {upload.status === "paused" && (
        <ChipButton label="Resume" icon="play" name={upload.name} run={() => uploads.retry(upload.key)} />
      )}
      {upload.status === "stopped" && (
        <ChipButton label="Choose again" icon="attach" name={upload.name} run={choose} />
      )}
      {upload.status === "failed" && (
        <ChipButton label="Retry" icon="retry" name={upload.name} run={() => uploads.retry(upload.key)} />
      )}
      <ChipButton label="Remove" icon="close" name={upload.name} run={() => remove(upload, uploads)} />
    </div>
  );
}

function remove(upload: Upload, uploads: Uploads): void {
  uploads
    .remove(upload.key)
    .then((kept) => kept !== undefined && showToast(`The workspace keeps its copy ${kept}.`))
    .catch((error: unknown) => showError("The file is still on the server.", error));
}

function progressOf(upload: Upload, percent: number): string {
  switch (upload.status) {
    case "failed":
      return upload.error ?? "";
    case "done":
      return formatSize(upload.size);
    case "paused":
      return `Paused at ${percent} %`;
    case "interrupted":
      return `Paused at ${percent} %, waiting for the network`;
    case "stopped":
      return `Stopped at ${percent} %. Choose it again to continue.`;
    default:
      return `${percent} % of ${formatSize(upload.size)}`;
  }
}

interface ChipButtonProps {
  label: string;
  name: string;
  icon: "attach" | "pause" | "play" | "retry" | "close";
  run: () => void;
}

function ChipButton({ label, name, icon, run }: ChipButtonProps) {
  return (
    <button type="button" className="icon-button small" aria-label={`${label} ${name}`} title={label} onClick={run}>
      <Icon name={icon} />
    </button>
  );
}
