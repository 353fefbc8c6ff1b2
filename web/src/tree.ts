import type { WorkspaceFile } from "./types";

/** A folder of the workspace with its entries, folders first, sorted by name. */
export interface Folder {
  kind: "folder";
  name: string;
  path: string;
  children: Node[];
}

export interface Leaf extends WorkspaceFile {
  kind: "file";
  name: string;
}

export type Node = Folder | Leaf;

export function buildTree(files: WorkspaceFile[]): Node[] {
  const root: Folder = { kind: "folder", name: "", path: "", children: [] };
  const folders = new Map<string, Folder>([["", root]]);
  for (const file of files) {
    const slash = file.path.lastIndexOf("/");
    const parent = folderAt(folders, slash < 0 ? "" : file.path.slice(0, slash));
    parent.children.push({ kind: "file", name: file.path.slice(slash + 1), ...file });
  }
  folders.forEach((folder) => folder.children.sort(order));
  return root.children;
}

function folderAt(folders: Map<string, Folder>, path: string): Folder {
  const known = folders.get(path);
  if (known) return known;
  const slash = path.lastIndexOf("/");
  const folder: Folder = { kind: "folder", name: path.slice(slash + 1), path, children: [] };
  folders.set(path, folder);
  folderAt(folders, slash < 0 ? "" : path.slice(0, slash)).children.push(folder);
  return folder;
}

const byName = new Intl.Collator(undefined, { numeric: true });

function order(a: Node, b: Node): number {
  if (a.kind !== b.kind) return a.kind === "folder" ? -1 : 1;
  return byName.compare(a.name, b.name);
}

/** The files of a tree, in its order. */
export function leavesOf(nodes: Node[]): Leaf[] {
  return nodes.flatMap((node) => (node.kind === "folder" ? leavesOf(node.children) : [node]));
}

export interface Row {
  node: Node;
  level: number;
}

/** The visible rows, from top to bottom. */
export function visibleRows(nodes: Node[], open: ReadonlySet<string>, level = 1): Row[] {
  const rows: Row[] = [];
  for (const node of nodes) {
    rows.push({ node, level });
    if (node.kind === "folder" && open.has(node.path)) for (const row of visibleRows(node.children, open, level + 1)) rows.push(row);
  }
  return rows;
}

/** The target of a key from a row; null when the tree does not use the key. */
export function rowFor(key: string, rows: Row[], at: number): number | null {
  switch (key) {
    case "ArrowDown":
      return Math.min(at + 1, rows.length - 1);
    case "ArrowUp":
      return Math.max(at - 1, 0);
    case "Home":
      return 0;
    case "End":
      return rows.length - 1;
    default:
      return key.length === 1 && key !== " " ? typeAhead(key, rows, at) : null;
  }
}

function typeAhead(key: string, rows: Row[], at: number): number {
  for (let i = 1; i <= rows.length; i++) {
    const next = (at + i) % rows.length;
    if (rows[next]?.node.name.toLowerCase().startsWith(key.toLowerCase())) return next;
  }
  return at;
}
