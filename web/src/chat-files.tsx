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

export function shownFile(chatId: string, file: FileAttachment): Previewed {
  const url = fileUrl(chatId, file.id);
  return { ...file, url, saveUrl: `${url}/save`, textUrl: `${url}/text` };
}

export function addressOf(chat: ChatFiles, path: string): string {
  const file = findFile(chat, path);
  return file ? fileUrl(chat.chatId, file.id) : workspaceFileUrl(chat.chatId, relativePath(path));
}

/** Opens a file of a text; one of the workspace may have gone since. */
export async function openFile(chat: ChatFiles, path: string): Promise<void> {
  const file = findFile(chat, path);
  if (file) {
    chat.preview(shownFile(chat.chatId, file));
    return;
  }
  const wanted = relativePath(path);
  const url = workspaceFileUrl(chat.chatId, wanted);
  try {
    const size = await workspaceFileSize(url);
    const name = wanted.slice(wanted.lastIndexOf("/") + 1);
    const textUrl = `/api/sessions/${encodeURIComponent(chat.chatId)}/text/${wanted.split("/").map(encodeURIComponent).join("/")}`;
    if (size === null) showToast(`${wanted} is not in the workspace.`);
    else chat.preview({ name, url, size, mimeType: mimeOfName(name), textUrl });
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
