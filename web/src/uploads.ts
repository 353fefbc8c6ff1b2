import { api } from "./api";
import { formatSize } from "./format";
import type { BagFile, FileAttachment } from "./types";
import { uploadFile } from "./upload";

export interface Upload {
  key: string;
  name: string;
  size: number;
  sent: number;
  status: "waiting" | "uploading" | "paused" | "done" | "failed";
  error?: string;
  /** A picture of this page's own, before the server has one. */
  thumbnail?: string;
  file?: FileAttachment;
}

const AT_ONCE = 3;

/** What is on its way into a chat, and what has arrived and waits for its message. */
export class Uploads {
  private list: readonly Upload[] = [];
  private readonly contents = new Map<string, File>();
  private readonly running = new Map<string, AbortController>();
  private readonly listeners = new Set<() => void>();
  private disposed = false;

  constructor(private readonly ensureChat: () => Promise<string>) {}

  readonly snapshot = (): readonly Upload[] => this.list;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Begins to upload; what is over the limit is refused here, before a byte is sent. */
  add(files: File[], maxBytes: number): void {
    for (const file of files) {
      const key = crypto.randomUUID();
      const tooLarge = file.size > maxBytes;
      const upload: Upload = {
        key,
        name: file.name,
        size: file.size,
        sent: 0,
        status: tooLarge ? "failed" : "waiting",
        ...(tooLarge
          ? { error: `${formatSize(file.size)} is over the limit of ${formatSize(maxBytes)}.` }
          : {}),
        ...(file.type.startsWith("image/") ? { thumbnail: URL.createObjectURL(file) } : {}),
      };
      if (!tooLarge) this.contents.set(key, file);
      this.replace([...this.list, upload]);
    }
    this.startNext();
  }

  /** Shows what arrived before a reload and has not been sent yet. */
  restore(files: BagFile[]): void {
    const waiting = files.filter((file) => file.messageId === null && file.source === "user");
    const known = new Set(this.list.map((upload) => upload.file?.id));
    const arrived = waiting
      .filter((file) => !known.has(file.id))
      .map((file): Upload => ({
        key: file.id,
        name: file.name,
        size: file.size,
        sent: file.size,
        status: "done",
        file,
      }));
    if (arrived.length > 0) this.replace([...arrived, ...this.list]);
  }

  async remove(key: string): Promise<void> {
    const upload = this.list.find((one) => one.key === key);
    this.running.get(key)?.abort();
    this.forget(key);
    this.startNext();
    if (upload?.file) await api.deleteFile(await this.ensureChat(), upload.file.id);
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
    const gone = new Set(files.map((file) => file.id));
    this.list
      .filter((upload) => upload.file && gone.has(upload.file.id))
      .forEach((upload) => this.forget(upload.key));
  }

  dispose(): void {
    this.disposed = true;
    this.running.forEach((controller) => controller.abort());
    this.list.forEach((upload) => this.drop(upload));
    this.listeners.clear();
  }

  private startNext(): void {
    for (const upload of this.list) {
      if (this.running.size >= AT_ONCE) return;
      if (upload.status === "waiting") void this.start(upload);
    }
  }

  private async start(upload: Upload): Promise<void> {
    const content = this.contents.get(upload.key);
    if (!content) return;
    const controller = new AbortController();
    this.running.set(upload.key, controller);
    this.change(upload.key, { status: "uploading", error: undefined });
    try {
      const chatId = await this.ensureChat();
      const file = await uploadFile(chatId, upload.key, content, controller.signal, {
        progress: (sent) => this.change(upload.key, { sent }),
        interrupted: (isInterrupted) =>
          this.change(upload.key, { status: isInterrupted ? "paused" : "uploading" }),
      });
      this.contents.delete(upload.key);
      this.change(upload.key, { status: "done", name: file.name, sent: upload.size, file });
    } catch (error) {
      if (controller.signal.aborted || this.disposed) return;
      this.change(upload.key, {
        status: "failed",
        sent: 0,
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
