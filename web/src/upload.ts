import { OfflineError, problem, uploadUrl } from "./api";
import type { BagFile } from "./types";

export interface UploadListener {
  progress(sent: number): void;
  /** The network went away; the upload goes on by itself once it is back. */
  interrupted(interrupted: boolean): void;
}

/** Puts one file into a chat. XHR, because fetch tells nothing about bytes sent. */
export async function uploadFile(
  chatId: string,
  _key: string,
  file: File,
  signal: AbortSignal,
  listener: UploadListener,
): Promise<BagFile> {
  for (;;) {
    try {
      return await uploadWhole(chatId, file, signal, listener);
    } catch (error) {
      if (!(error instanceof OfflineError) || signal.aborted) throw error;
      listener.interrupted(true);
      await untilOnline(signal);
      listener.interrupted(false);
    }
  }
}

function uploadWhole(
  chatId: string,
  file: File,
  signal: AbortSignal,
  listener: UploadListener,
): Promise<BagFile> {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.append("file", file, file.name);
    const xhr = new XMLHttpRequest();
    xhr.open("POST", uploadUrl(chatId));
    xhr.upload.onprogress = (event) =>
      listener.progress(Math.round((event.loaded / event.total) * file.size));
    xhr.onload = () => {
      if (xhr.status !== 201) {
        reject(problem(xhr.status, xhr.responseText, xhr.getResponseHeader("X-Request-Id")));
        return;
      }
      const [stored] = (JSON.parse(xhr.responseText) as { files: BagFile[] }).files;
      if (stored) resolve(stored);
      else reject(new Error("The server kept no file."));
    };
    xhr.onerror = () => reject(new OfflineError());
    xhr.onabort = () => reject(new DOMException("stopped", "AbortError"));
    signal.addEventListener("abort", () => xhr.abort(), { once: true });
    xhr.send(form);
  });
}

/** Until the browser says so, or a little while: not every outage is the browser's own. */
function untilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => () => {
      clearTimeout(timer);
      removeEventListener("online", online);
      finish();
    };
    const online = settle(resolve);
    const timer = setTimeout(online, 2_000);
    addEventListener("online", online, { once: true });
    signal.addEventListener(
      "abort",
      settle(() => reject(new DOMException("stopped", "AbortError"))),
      { once: true },
    );
  });
}
