import { ApiError, api } from "./api";
import { formatSize } from "./format";
import { randomId } from "./random";
import { arrived, deleteUpload } from "./tus";
import type { BagFile, FileAttachment } from "./types";
import { fingerprintOf, forgetUnfinished, storeUnfinished, unfinished, type Unfinished } from "./unfinished";
import { uploadFile, type Chosen } from "./upload";

export interface Upload {
  key: string;
  name: string;
  /** The folder that was dropped with the file in it. */
  folder?: string;
  size: number;
  sent: number;
  /**
   * paused: by a person. interrupted: by the network; continues by itself. stopped: by a reload;
   * continues when the file is chosen again.
   */
  status: "waiting" | "uploading" | "paused" | "interrupted" | "stopped" | "done" | "failed";
  error?: string;
  /** A local preview, before the server has the file. */
  thumbnail?: string;
  file?: FileAttachment;
  /** The address of the unfinished upload on the server. */
  url?: string;
  /** Identifies the file when it is chosen again after a reload. */
  fingerprint?: string;
}

export const isPending = (upload: Upload) => upload.status !== "done" && upload.status !== "failed";

const AT_ONCE = 3;

/** The first part of a path that has several. */
function folderOf(path: string): { folder?: string } {
  const slash = path.indexOf("/");
  return slash > 0 ? { folder: path.slice(0, slash) } : {};
}

const isOnItsWay = ({ status }: Upload) =>
  status === "waiting" || status === "uploading" || status === "interrupted";

/** As the server compares names. */
const nameKey = ({ name }: Upload) => name.normalize("NFC").toLowerCase();

const sameName = (one: Upload, other: Upload) => nameKey(one) === nameKey(other);

/** The uploads of a chat: active ones, and finished ones that wait for a message. */
export class Uploads {
  private list: readonly Upload[] = [];
  private readonly contents = new Map<string, Chosen>();
  private readonly running = new Map<string, AbortController>();
  private readonly listeners = new Set<() => void>();
  private disposed = false;

  constructor(private readonly ensureChat: () => Promise<string>) {}

  readonly snapshot = (): readonly Upload[] => this.list;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Starts an upload, or continues one that a reload stopped. */
  add(chosen: Chosen[], maxBytes: number): void {
    for (const one of chosen) {
      const fingerprint = fingerprintOf(one);
      const stopped = this.list.find((it) => it.status === "stopped" && it.fingerprint === fingerprint);
      if (stopped) {
        this.contents.set(stopped.key, one);
        this.change(stopped.key, { status: "waiting" });
      } else this.begin(one, maxBytes);
    }
    this.startNext();
  }

  /** Shows uploads from before a reload: finished ones that were not sent, and stopped ones. */
  restore(chatId: string, files: BagFile[]): void {
    const waiting = files.filter((file) => file.messageId === null && file.source === "user");
    const known = new Set(this.list.map((upload) => upload.file?.id));
    const finished = waiting
      .filter((file) => !known.has(file.id))
      .map((file): Upload => ({
        key: file.id,
        name: file.name,
        ...folderOf(file.name),
        size: file.size,
        sent: file.size,
        status: "done",
        file,
      }));
    if (finished.length > 0) this.replace([...finished, ...this.list]);
    unfinished(chatId).forEach((left) => void this.restoreUnfinished(chatId, left));
  }

  /** Returns the path of a copy that stays in the workspace. */
  async remove(key: string): Promise<string | undefined> {
    const upload = this.list.find((one) => one.key === key);
    this.running.get(key)?.abort();
    this.forget(key);
    this.startNext();
    if (!upload?.file && !upload?.url) return undefined;
    const chatId = await this.ensureChat();
    if (upload.file) return (await api.deleteFile(chatId, upload.file.id))?.workspaceCopy?.path;
    if (upload.url) {
      forgetUnfinished(chatId, upload.url);
      await deleteUpload(upload.url);
    }
    return undefined;
  }

  pause(key: string): void {
    this.change(key, { status: "paused" });
    this.running.get(key)?.abort();
    this.running.delete(key);
    this.startNext();
  }

  retry(key: string): void {
    if (!this.contents.has(key)) return;
    this.change(key, { status: "waiting", error: undefined });
    this.startNext();
  }

  finished(): FileAttachment[] {
    return this.list.flatMap((upload) => (upload.file ? [upload.file] : []));
  }

  sent(files: FileAttachment[]): void {
    const sentIds = new Set(files.map((file) => file.id));
    this.list
      .filter((upload) => upload.file && sentIds.has(upload.file.id))
      .forEach((upload) => this.forget(upload.key));
  }

  dispose(): void {
    this.disposed = true;
    this.running.forEach((controller) => controller.abort());
    this.list.forEach((upload) => this.drop(upload));
    this.listeners.clear();
  }

  /** A file over the limit is refused here, before it is sent. */
  private begin(chosen: Chosen, maxBytes: number): void {
    const { file, folder } = chosen;
    const key = randomId();
    const tooLarge = file.size > maxBytes;
    if (!tooLarge) this.contents.set(key, chosen);
    const upload: Upload = {
      key,
      name: folder + file.name,
      ...folderOf(folder),
      size: file.size,
      sent: 0,
      status: tooLarge ? "failed" : "waiting",
      ...(tooLarge
        ? { error: `${formatSize(file.size)} is over the limit of ${formatSize(maxBytes)}.` }
        : {}),
      ...(file.type.startsWith("image/") ? { thumbnail: URL.createObjectURL(file) } : {}),
    };
    this.replace([...this.list, upload]);
  }

  /** After a reload the page has no file, but the server has the first part of it. */
  private async restoreUnfinished(chatId: string, left: Unfinished): Promise<void> {
    const { url } = left;
    try {
      const sent = await arrived(url);
      if (this.disposed || this.list.some((upload) => upload.url === url)) return;
      this.replace([...this.list, { key: url, ...left, sent, status: "stopped" }]);
    } catch (error) {
      if (error instanceof ApiError) forgetUnfinished(chatId, url); // the upload has expired
    }
  }

  private startNext(): void {
    for (const upload of this.list) {
      if (this.running.size >= AT_ONCE) return;
      if (upload.status === "waiting" && !this.isBehind(upload)) void this.start(upload);
    }
  }

  /** Files with the same name are sent one after the other: the first one keeps the plain name. */
  private isBehind(upload: Upload): boolean {
    const earlier = this.list.slice(0, this.list.indexOf(upload));
    return earlier.some((one) => isOnItsWay(one) && sameName(one, upload));
  }

  private async start(upload: Upload): Promise<void> {
    const chosen = this.contents.get(upload.key);
    if (!chosen) return;
    const controller = new AbortController();
    this.running.set(upload.key, controller);
    this.change(upload.key, { status: "uploading", error: undefined });
    const { name, size, url: from } = upload;
    try {
      const chatId = await this.ensureChat();
      const file = await uploadFile({ chatId, ...chosen, url: from }, controller.signal, {
        progress: (sent) => this.change(upload.key, { sent }),
        begun: (url) => {
          this.change(upload.key, { url });
          storeUnfinished(chatId, { url, name, size, fingerprint: fingerprintOf(chosen) });
        },
        interrupted: (isInterrupted) =>
          this.change(upload.key, { status: isInterrupted ? "interrupted" : "uploading" }),
      });
      const { url } = this.list.find((one) => one.key === upload.key) ?? {};
      if (url) forgetUnfinished(chatId, url);
      this.contents.delete(upload.key);
      this.change(upload.key, { status: "done", name: file.name, sent: upload.size, file });
    } catch (error) {
      if (controller.signal.aborted || this.disposed) return;
      this.change(upload.key, {
        status: "failed",
        error: error instanceof Error ? error.message : String(error),
      });
    } finally {
      if (this.running.get(upload.key) === controller) this.running.delete(upload.key);
      this.startNext();
    }
  }
  private change(key: string, change: Partial<Upload>): void {
    if (this.disposed) return;
    this.replace(this.list.map((one) => (one.key === key ? { ...one, ...change } : one)));
  }

  private forget(key: string): void {
    const upload = this.list.find((one) => one.key === key);
    if (upload) this.drop(upload);
    this.contents.delete(key);
    this.running.delete(key);
    this.replace(this.list.filter((one) => one.key !== key));
  }

  private drop(upload: Upload): void {
    if (upload.thumbnail) URL.revokeObjectURL(upload.thumbnail);
  }

  private replace(list: readonly Upload[]): void {
    this.list = list;
    this.listeners.forEach((listener) => listener());
  }
}
