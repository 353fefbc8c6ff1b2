/** Files of a disk, for programs in Node. Nothing of this is in a browser. */
import { createWriteStream, openAsBlob } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { Upload } from "./files.js";

/** A file to upload, which is read while it is sent. */
export async function fileOf(path: string, folder = ""): Promise<Upload> {
  return { name: basename(path), content: await openAsBlob(path), folder };
}

/** All files below a folder, which keep their paths. Links are not followed. */
export async function filesOf(folder: string): Promise<Upload[]> {
  const root = resolve(folder);
  return below(root, basename(root));
}

/** Saves a download. The name holds the whole file, or what it held before. */
export async function saveTo(path: string, content: ReadableStream<Uint8Array>): Promise<void> {
  const draft = `${path}.part`;
  await mkdir(dirname(resolve(path)), { recursive: true });
  try {
    await pipeline(Readable.fromWeb(content as NodeReadableStream<Uint8Array>), createWriteStream(draft));
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

async function below(directory: string, target: string): Promise<Upload[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const found: Upload[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) found.push(...(await below(path, `${target}/${entry.name}`)));
    else if (entry.isFile()) found.push(await fileOf(path, target));
  }
  return found;
}
