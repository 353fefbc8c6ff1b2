import { createContext } from "react";
import { fileUrl, request, workspaceFileUrl } from "./api";
import { mimeOfName } from "./format";
import type { Previewed } from "./preview";
import { showError, showToast } from "./toasts";
import type { FileAttachment } from "./types";

/** Where the paths in a text lead: to the files of its message, or to the workspace of its chat. */
export interface ChatFiles {
  chatId: string;
  files: readonly FileAttachment[];
  /** The folder that the paths are relative to; the workspace if there is none. */
  folder?: string;
  preview: (file: Previewed) => void;
}

export const ChatFilesContext = createContext<ChatFiles | null>(null);

const WORKSPACE = /^\/?root\/workspace\//;

/** A path as models write it, without the place of the workspace in the sandbox. */
export const relativePath = (path: string) => path.replace(WORKSPACE, "").replace(/^(\.\/)+/, "");

/** A path with a folder is that file and no other; only a bare name may stand for a file in some folder. */
export function findFile({ files }: Pick<ChatFiles, "files">, path: string): FileAttachment | undefined {
  const wanted = relativePath(path);
  return (
    files.findLast((file) => file.path !== undefined && wanted === `assets/${file.path}`) ??
    files.findLast((file) => (file.path ?? file.name) === wanted) ??
    files.findLast((file) => file.name === wanted)
  );
}

export const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);

/** A path in a text as one of the workspace. */
export function resolved(folder: string | undefined, path: string): string {
  if (!folder || path.startsWith("/")) return path;
  const parts: string[] = [];
  for (const part of (folder + path).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** A file of a run is in `assets/` of the workspace. */
const placeOf = (file: FileAttachment) => (file.path === undefined ? file.name : `assets/${file.path}`);

/** `among` are the files of the same message. */
export function shownFile(chatId: string, file: FileAttachment, among: readonly FileAttachment[] = []): Previewed {
  const url = fileUrl(chatId, file.id);
  return { ...file, url, saveUrl: `${url}/save`, textUrl: `${url}/text`, chat: { chatId, path: placeOf(file), files: among } };
}

/** A file of the workspace, now or in a saved state. */
export function shownWorkspaceFile(chatId: string, { path, size }: { path: string; size: number }, at?: string): Previewed {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const query = at === undefined ? "" : `?at=${at}`;
  return {
    name,
    url: workspaceFileUrl(chatId, path) + query,
    size,
    mimeType: mimeOfName(name),
    textUrl: `/api/sessions/${encodeURIComponent(chatId)}/text/${path.split("/").map(encodeURIComponent).join("/")}${query}`,
    chat: { chatId, path, files: [] },
  };
}

export function addressOf(chat: ChatFiles, given: string): string {
  const path = resolved(chat.folder, given);
  const file = findFile(chat, path);
  return file ? fileUrl(chat.chatId, file.id) : workspaceFileUrl(chat.chatId, relativePath(path));
}

/** Opens a file of a text; one of the workspace may have gone since. */
export async function openFile(chat: ChatFiles, given: string): Promise<void> {
  const path = resolved(chat.folder, given);
  const file = findFile(chat, path);
  if (file) {
    const shown = (one: FileAttachment) => shownFile(chat.chatId, one, chat.files);
    chat.preview({ ...shown(file), among: chat.files.map(shown) });
    return;
  }
  const wanted = relativePath(path);
  const url = workspaceFileUrl(chat.chatId, wanted);
  try {
    const size = await workspaceFileSize(url);
    if (size === null) showToast(`${wanted} is not in the workspace.`);
    else chat.preview(shownWorkspaceFile(chat.chatId, { path: wanted, size }));
  } catch (error) {
    showError(`${wanted} could not be opened.`, error);
  }
}

async function workspaceFileSize(url: string): Promise<number | null> {
  try {
    const response = await request(url, { method: "HEAD" });
    return Number(response.headers.get("Content-Length") ?? 0);
  } catch (error) {
    if ((error as { status?: number }).status === 404) return null;
    throw error;
  }
}
