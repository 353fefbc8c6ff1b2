import { store, stored } from "./theme";
import type { Chosen } from "./upload";

/** An upload that was interrupted by a reload; the server has its first part. */
export interface Unfinished {
  url: string;
  name: string;
  size: number;
  fingerprint: string;
}

const key = (chatId: string) => `uploads:${chatId}`;

export function unfinished(chatId: string): Unfinished[] {
  try {
    return JSON.parse(stored(key(chatId)) ?? "[]") as Unfinished[];
  } catch {
    return [];
  }
}

export function storeUnfinished(chatId: string, upload: Unfinished): void {
  save(chatId, [...without(chatId, upload.url), upload]);
}

export function forgetUnfinished(chatId: string, url: string): void {
  save(chatId, without(chatId, url));
}

/** Equal for a file and the same file chosen again. */
export function fingerprintOf({ file, folder }: Chosen): string {
  return [folder, file.name, file.size, file.lastModified].join("\n");
}

const without = (chatId: string, url: string) =>
  unfinished(chatId).filter((one) => one.url !== url);

function save(chatId: string, list: Unfinished[]): void {
  store(key(chatId), list.length === 0 ? null : JSON.stringify(list));
}
