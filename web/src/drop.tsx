import { useEffect, useState } from "react";
import type { Chosen } from "./upload";

const SKIPPED_FOLDERS = new Set(["node_modules", ".git"]);

/** Receives files dropped anywhere on the page, and folders with all their files. */
export function DropZone({ take }: { take: (files: Chosen[]) => void }) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let depth = 0; // every element that is crossed fires enter and leave
    const enter = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      depth++;
      setOver(true);
    };
    const leave = () => {
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const drag = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      depth = 0;
      setOver(false);
      if (event.dataTransfer) void dropped(event.dataTransfer).then(take);
    };
    addEventListener("dragenter", enter);
    addEventListener("dragleave", leave);
    addEventListener("dragover", drag);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragenter", enter);
      removeEventListener("dragleave", leave);
      removeEventListener("dragover", drag);
      removeEventListener("drop", drop);
    };
  }, [take]);
  return over ? (
    <div className="drop-overlay">
      <p>Drop files to attach them</p>
    </div>
  ) : null;
}

async function dropped(data: DataTransfer): Promise<Chosen[]> {
  const plain = [...data.files]; // no longer available after the first await
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (!entries.some((entry) => entry?.isDirectory)) return plain.map((file) => ({ file, folder: "" }));
  const found = await Promise.all(entries.map((entry) => (entry ? walk(entry, "") : [])));
  return found.flat();
}

async function walk(entry: FileSystemEntry, folder: string): Promise<Chosen[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((ok, no) => (entry as FileSystemFileEntry).file(ok, no));
    return [{ file, folder }];
  }
  if (SKIPPED_FOLDERS.has(entry.name)) return [];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: Chosen[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((ok, no) => reader.readEntries(ok, no));
    if (batch.length === 0) return files;
    for (const child of batch) files.push(...(await walk(child, `${folder}${entry.name}/`)));
  }
}
