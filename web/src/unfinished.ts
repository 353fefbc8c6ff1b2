import { store, stored } from "./theme";
import type { Chosen } from "./upload";

/** An upload that a closed or reloaded page left in the middle; the server has its beginning. */
export interface Unfinished {
  url: string;
  name: string;
  size: number;
  looks: string;
}

const key = (chatId: string) => `uploads:${chatId}`;

export function unfinished(chatId: string): Unfinished[] {
  try {
    return JSON.parse(stored(key(chatId)) ?? "[]") as Unfinished[];
  } catch {
    return [];
  }
}

export function noteUnfinished(chatId: string, upload: Unfinished): void {
  keep(chatId, [...without(chatId, upload.url), upload]);
}

export function forgetUnfinished(chatId: string, url: string): void {
  keep(chatId, without(chatId, url));
}

/** Alike for a file and the same file chosen again. */
export function describe({ file, folder }: Chosen): string {
  return [folder, file.name, file.size, file.lastModified].join("\n");
}

const without = (chatId: string, url: string) =>
  unfinished(chatId).filter((one) => one.url !== url);

function keep(chatId: string, list: Unfinished[]): void {
  store(key(chatId), list.length === 0 ? null : JSON.stringify(list));
}
