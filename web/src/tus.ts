import { OfflineError, problem, request } from "./api";

/** Resumable uploads by tus 1.0. */

const PROTOCOL = { "Tus-Resumable": "1.0.0" };

const encoded = (text: string) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)));

const metadata = (values: Record<string, string>) =>
  Object.entries(values)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name} ${encoded(value)}`)
    .join(",");

/** Creates an upload; returns its address. */
export async function announce(file: File, folder: string, signal: AbortSignal): Promise<string> {
  const response = await request("/api/uploads", {
    method: "POST",
    headers: {
      ...PROTOCOL,
      "Upload-Length": String(file.size),
      "Upload-Metadata": metadata({ filename: file.name, folder }),
    },
    signal,
  });
  return new URL(response.headers.get("Location") ?? "", location.origin).pathname;
}

/** The number of bytes that have arrived. */
export async function arrived(url: string, signal?: AbortSignal): Promise<number> {
  const response = await request(url, { method: "HEAD", headers: PROTOCOL, signal });
  return Number(response.headers.get("Upload-Offset"));
}

export async function deleteUpload(url: string): Promise<void> {
  await request(url, { method: "DELETE", headers: PROTOCOL });
}

/** Sends the rest of a file from an offset. XHR, because fetch does not report the progress of an upload. */
export function sendRest(
  url: string,
  file: File,
  offset: number,
  signal: AbortSignal,
  progress: (sent: number) => void,
): Promise<void> {
  return send("PATCH", url, file.slice(offset), signal, {
    headers: {
      ...PROTOCOL,
      "Upload-Offset": String(offset),
      "Content-Type": "application/offset+octet-stream",
    },
    progress: (sent) => progress(offset + sent),
  }).then(() => {});
}

interface Sending {
  headers?: Record<string, string>;
  progress: (sent: number) => void;
}

/** One request that reports its progress; returns the text of the answer. */
export function send(
  method: string,
  url: string,
  body: Blob | FormData,
  signal: AbortSignal,
  { headers = {}, progress }: Sending,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const abort = () => xhr.abort();
    const lost = () => {
      reject(new OfflineError());
      xhr.abort(); // a request without a network may wait for minutes
    };
    xhr.open(method, url);
    Object.entries(headers).forEach(([name, value]) => xhr.setRequestHeader(name, value));
    xhr.upload.onprogress = (event) => progress(event.loaded);
    xhr.onload = () => {
      if (xhr.status < 300) resolve(xhr.responseText);
      else reject(problem(xhr.status, xhr.responseText, xhr.getResponseHeader("X-Request-Id")));
    };
    xhr.onerror = () => reject(new OfflineError());
    xhr.onabort = () => reject(new DOMException("stopped", "AbortError"));
    xhr.onloadend = () => {
      signal.removeEventListener("abort", abort);
      removeEventListener("offline", lost);
    };
    signal.addEventListener("abort", abort);
    addEventListener("offline", lost);
    xhr.send(body);
  });
}
