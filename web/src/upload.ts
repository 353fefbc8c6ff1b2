import { ApiError, OfflineError, api, uploadUrl } from "./api";
import { announce, arrived, send, sendRest } from "./tus";
import type { BagFile } from "./types";

export interface UploadListener {
  progress(sent: number): void;
  /** The address of the upload on the server: from now on the upload can be resumed. */
  begun(url: string): void;
  /** The network is lost; the upload continues when it is back. */
  interrupted(interrupted: boolean): void;
}

/** A file, and its folder when a whole folder was dropped: empty, or with a slash at the end. */
export interface Chosen {
  file: File;
  folder: string;
}

export interface UploadJob extends Chosen {
  chatId: string;
  /** The address of an earlier attempt. */
  url?: string;
}

/** Smaller files are sent in one request instead of three. */
const SINGLE_REQUEST_BYTES = 1_000_000;

/** The server may still be storing what it received before the connection broke. */
const BEHIND_WAIT = 300;

export const isResumable = (size: number) => size > SINGLE_REQUEST_BYTES;

/** Uploads one file into a chat, across lost connections. */
export async function uploadFile(
  job: UploadJob,
  signal: AbortSignal,
  listener: UploadListener,
): Promise<BagFile> {
  const upload = isResumable(job.file.size) ? uploadRest : uploadWhole;
  let url = job.url;
  for (;;) {
    try {
      return await upload({ ...job, url }, signal, {
        ...listener,
        begun: (begun) => {
          url = begun;
          listener.begun(begun);
        },
      });
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof OfflineError) {
        listener.interrupted(true);
        await untilOnline(signal);
      } else if (isNotFound(error) && url !== undefined) {
        url = undefined; // the upload has expired: start from the beginning
      } else if (isConflict(error)) {
        await pause(BEHIND_WAIT);
      } else {
        throw error;
      }
    }
  }
}

async function uploadWhole(
  { chatId, file, folder }: UploadJob,
  signal: AbortSignal,
  listener: UploadListener,
): Promise<BagFile> {
  const form = new FormData();
  form.append("file", file, file.name);
  const answer = await send("POST", uploadUrl(chatId, folder), form, signal, {
    progress: (sent) => listener.progress(Math.min(sent, file.size)),
  });
  return only((JSON.parse(answer) as { files: BagFile[] }).files);
}

async function uploadRest(
  { chatId, file, folder, url: known }: UploadJob,
  signal: AbortSignal,
  listener: UploadListener,
): Promise<BagFile> {
  const url = known ?? (await announce(file, folder, signal));
  const offset = known === undefined ? 0 : await stableOffset(url, signal);
  listener.begun(url);
  listener.interrupted(false);
  listener.progress(offset);
  if (offset < file.size) await sendRest(url, file, offset, signal, listener.progress);
  const { files } = await api.claim(chatId, url.slice(url.lastIndexOf("/") + 1));
  return only(files);
}

/** The number of bytes that have arrived, once it no longer grows. */
async function stableOffset(url: string, signal: AbortSignal): Promise<number> {
  for (let before = await arrived(url, signal); ; ) {
    await pause(BEHIND_WAIT);
    const now = await arrived(url, signal);
    if (now === before) return now;
    before = now;
  }
}

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis));

function only(files: BagFile[]): BagFile {
  const [file] = files;
  if (!file) throw new Error("The server kept no file.");
  return file;
}

const isNotFound = (error: unknown) =>
  error instanceof ApiError && (error.status === 404 || error.status === 410);

const isConflict = (error: unknown) => error instanceof ApiError && error.status === 409;

/** Waits for the online event of the browser, or a short time: not every outage triggers the event. */
function untilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finishOnce = (finish: () => void) => () => {
      clearTimeout(timer);
      removeEventListener("online", online);
      finish();
    };
    const online = finishOnce(resolve);
    const timer = setTimeout(() => navigator.onLine && online(), 1_000);
    addEventListener("online", online, { once: true });
    signal.addEventListener(
      "abort",
      finishOnce(() => reject(new DOMException("stopped", "AbortError"))),
      { once: true },
    );
  });
}
