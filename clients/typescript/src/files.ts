import { ApiError, ConnectionLost } from "./errors.js";
import { type Abortable, Backoff, type Http, lost, repeat } from "./http.js";
import type { FileInfo } from "./types.js";

const RESUMABLE_BYTES = 8 << 20; // from this size on an upload can be continued
const FORM_FILES = 100;
const CLAIMED_FILES = 100; // the most that the server takes in one request
const TUS = { "Tus-Resumable": "1.0.0" };

/** A file to upload, and the folder that it keeps, such as `src/deep`. */
export interface Upload {
  name: string;
  content: Blob;
  folder?: string;
}

export interface Transfer extends Abortable {
  onProgress?: (done: number, total: number) => void;
}

/** The files of chats. */
export class Files {
  constructor(private readonly http: Http) {}

  async list(chat: string, about: Abortable = {}): Promise<FileInfo[]> {
    return (await this.http.get<{ files: FileInfo[] }>(path(chat), about)).files;
  }

  /**
   * Adds files; large ones by uploads that go on after a lost connection. A `File` of a browser's folder
   * (`webkitRelativePath`) keeps its path.
   */
  async upload(chat: string, files: Iterable<Upload | File>, about: Transfer = {}): Promise<FileInfo[]> {
    const all = [...files].map(described);
    const progress = new Progress(
      all.reduce((sum, { content }) => sum + content.size, 0),
      about,
    );
    const added: FileInfo[] = [];
    for (const [folder, small] of byFolder(all.filter(({ content }) => content.size < RESUMABLE_BYTES))) {
      for (const group of groups(small)) {
        added.push(...(await this.form(chat, folder, group, about)));
        progress.add(group.reduce((sum, { content }) => sum + content.size, 0));
      }
    }
    const claims: string[] = [];
    for (const file of all.filter(({ content }) => content.size >= RESUMABLE_BYTES)) {
      claims.push(await this.resumable(file, progress, about));
    }
    for (let at = 0; at < claims.length; at += CLAIMED_FILES) {
      const fileIds = claims.slice(at, at + CLAIMED_FILES);
      const claimed = await this.http.write<{ files: FileInfo[] }>("POST", `${path(chat)}/claim`, { fileIds }, about);
      added.push(...claimed.files);
    }
    return added;
  }

  /** The bytes of a file as they come. A lost connection goes on where it was cut. */
  async download(chat: string, file: string, about: Transfer = {}): Promise<ReadableStream<Uint8Array>> {
    return this.content(`${path(chat)}/${encodeURIComponent(file)}`, about);
  }

  /** Everything as one zip archive. */
  async downloadAll(chat: string, about: Transfer = {}): Promise<ReadableStream<Uint8Array>> {
    return this.content(`/api/assistant/chats/${encodeURIComponent(chat)}/files.zip`, about);
  }

  async delete(chat: string, file: string, about: Abortable = {}): Promise<void> {
    await this.http.write("DELETE", `${path(chat)}/${encodeURIComponent(file)}`, undefined, about);
  }

  private async form(chat: string, folder: string, files: Upload[], about: Abortable): Promise<FileInfo[]> {
    const target = path(chat) + (folder ? `?folder=${encodeURIComponent(folder)}` : "");
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    return repeat(async () => {
      const body = new FormData();
      for (const { name, content } of files) body.append("file", content, name);
      const response = await this.http.send("POST", target, { headers, body, signal: about.signal });
      return (await lost(() => response.json(), about.signal)).files as FileInfo[];
    }, about.signal);
  }

  /** Returns the id of the upload. */
  private async resumable(file: Upload, progress: Progress, about: Abortable): Promise<string> {
    const size = file.content.size;
    const metadata = { filename: file.name, folder: file.folder ?? "" };
    const headers = {
      ...TUS,
      "Upload-Length": String(size),
      "Upload-Metadata": Object.entries(metadata)
        .filter(([, value]) => value !== "")
        .map(([name, value]) => `${name} ${base64(value)}`)
        .join(","),
      "Idempotency-Key": crypto.randomUUID(),
    };
    const call = { headers, signal: about.signal };
    const created = await repeat(() => this.http.send("POST", "/api/uploads", call), about.signal);
    const upload = this.http.relative(created.headers.get("Location") ?? "");
    const backoff = new Backoff(true);
    let offset = 0;
    let broken = false;
    while (offset < size) {
      const before = offset;
      try {
        if (broken) offset = await this.offset(upload, about);
        if (offset < size) offset = await this.part(upload, file.content, offset, about);
        broken = false;
      } catch (failure) {
        const refused = failure instanceof ApiError;
        if (refused && failure.status !== 409 && !failure.temporary) throw failure;
        if (offset > before) backoff.succeeded();
        await backoff.failed(refused ? new ConnectionLost(failure.message) : failure, about.signal);
        broken = true;
      }
      progress.add(offset - before);
    }
    return upload.slice(upload.lastIndexOf("/") + 1);
  }

  private async part(upload: string, content: Blob, offset: number, about: Abortable): Promise<number> {
    const response = await this.http.send("PATCH", upload, {
      headers: { ...TUS, "Upload-Offset": String(offset), "Content-Type": "application/offset+octet-stream" },
      body: content.slice(offset, offset + RESUMABLE_BYTES),
      signal: about.signal,
    });
    return Number(response.headers.get("Upload-Offset"));
  }

  private async offset(upload: string, about: Abortable): Promise<number> {
    const response = await this.http.send("HEAD", upload, { headers: TUS, signal: about.signal });
    return Number(response.headers.get("Upload-Offset"));
  }

  private async content(address: string, about: Transfer): Promise<ReadableStream<Uint8Array>> {
    const { signal, onProgress } = about;
    const first = await repeat(() => this.http.send("GET", address, { signal }), signal);
    const tag = first.headers.get("ETag");
    const length = Number(first.headers.get("Content-Length") ?? -1);
    const backoff = new Backoff(true);
    let reader = first.body?.getReader();
    let done = 0;

    const reopen = async () => {
      const headers = { Range: `bytes=${done}-`, "If-Range": tag ?? "" };
      const rest = await this.http.send("GET", address, { headers, signal });
      if (rest.status !== 206) {
        await rest.body?.cancel();
        throw new TypeError("the file has changed while it was read");
      }
      reader = rest.body?.getReader();
    };
    const next = async () => {
      if (!reader) await reopen();
      const part = await lost(() => (reader as ReadableStreamDefaultReader<Uint8Array>).read(), signal);
      if (part.done && done < length) throw new ConnectionLost("the file was cut short");
      return part;
    };
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        while (true) {
          try {
            const { done: isEnd, value } = await next();
            if (isEnd) return controller.close();
            done += value.length;
            backoff.succeeded();
            onProgress?.(done, length);
            return controller.enqueue(value);
          } catch (failure) {
            if (tag === null) throw failure; // without a tag the rest could be that of another file
            reader = undefined;
            await backoff.failed(failure, signal);
          }
        }
      },
      async cancel() {
        await reader?.cancel();
      },
    });
  }
}

class Progress {
  private done = 0;

  constructor(
    private readonly total: number,
    private readonly about: Transfer,
  ) {}

  add(bytes: number): void {
    this.done += bytes;
    if (bytes > 0) this.about.onProgress?.(this.done, this.total);
  }
}

function path(chat: string): string {
  return `/api/assistant/chats/${encodeURIComponent(chat)}/files`;
}

function described(file: Upload | File): Upload {
  if (!(file instanceof Blob)) return file;
  const folder = (file.webkitRelativePath ?? "").split("/").slice(0, -1).join("/");
  return { name: file.name, content: file, folder };
}

function byFolder(files: Upload[]): Map<string, Upload[]> {
  const folders = new Map<string, Upload[]>();
  for (const file of files) {
    const folder = file.folder ?? "";
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return folders;
}

/** As many files for one form as are small together. */
function* groups(files: Upload[]): Generator<Upload[]> {
  let group: Upload[] = [];
  let size = 0;
  for (const file of files) {
    if (group.length > 0 && (group.length === FORM_FILES || size + file.content.size > RESUMABLE_BYTES)) {
      yield group;
      group = [];
      size = 0;
    }
    group.push(file);
    size += file.content.size;
  }
  if (group.length > 0) yield group;
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
