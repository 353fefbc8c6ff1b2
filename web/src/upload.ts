import { ApiError, OfflineError, api, uploadUrl } from "./api";
import { announce, arrived, send, sendRest } from "./tus";
import type { BagFile } from "./types";

export interface UploadListener {
  progress(sent: number): void;
  /** The server keeps what arrives, here: from now on the upload can go on after anything. */
  begun(url: string): void;
  /** The network went away; the upload goes on by itself once it is back. */
  interrupted(interrupted: boolean): void;
}

/** A file, and the folder it lay in when a whole folder was dropped: empty, or with its slash. */
export interface Chosen {
  file: File;
  folder: string;
}

export interface UploadJob extends Chosen {
  chatId: string;
  /** Where an earlier attempt got to. */
  url?: string;
}

/** A file that is up in a moment is not worth three requests. */
const SMALL = 1_000_000;

/** The server may still be putting away what it got before the connection broke. */
const BEHIND_WAIT = 300;

export const isResumable = (size: number) => size > SMALL;

/** Puts one file into a chat, across any number of lost connections. */
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
      } else if (isGone(error) && url !== undefined) {
        url = undefined; // it waited too long: from the beginning
      } else if (isBehind(error)) {
        await new Promise((resolve) => setTimeout(resolve, BEHIND_WAIT));
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
  const offset = known === undefined ? 0 : await arrived(url, signal);
  listener.begun(url);
  listener.interrupted(false);
  listener.progress(offset);
  if (offset < file.size) await sendRest(url, file, offset, signal, listener.progress);
  const { files } = await api.claim(chatId, url.slice(url.lastIndexOf("/") + 1));
  return only(files);
}

function only(files: BagFile[]): BagFile {
  const [file] = files;
  if (!file) throw new Error("The server kept no file.");
  return file;
}

const isGone = (error: unknown) =>
  error instanceof ApiError && (error.status === 404 || error.status === 410);

const isBehind = (error: unknown) => error instanceof ApiError && error.status === 409;

/** Until the browser says so, or a little while: not every outage is the browser's own. */
function untilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => () => {
      clearTimeout(timer);
      removeEventListener("online", online);
      finish();
    };
    const online = settle(resolve);
    const timer = setTimeout(() => navigator.onLine && online(), 1_000);
    addEventListener("online", online, { once: true });
    signal.addEventListener(
      "abort",
      settle(() => reject(new DOMException("stopped", "AbortError"))),
      { once: true },
    );
  });
}
