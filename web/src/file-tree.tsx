import { useMemo, useRef, useState, type KeyboardEvent } from "react";
import type { Mark } from "./files";
import { formatSize, formatTime } from "./format";
import { Icon } from "./icons";
import { store, stored } from "./theme";
import { buildTree, rowFor, visibleRows, type Leaf, type Row } from "./tree";
import type { WorkspaceFile } from "./types";

interface Props {
  chatId: string;
  files: WorkspaceFile[];
  marks: ReadonlyMap<string, Mark>;
  open: (file: Leaf) => void;
}

export function FileTree({ chatId, files, marks, open }: Props) {
  const tree = useMemo(() => buildTree(files), [files]);
  const [expanded, setExpanded] = useExpanded(chatId);
  const rows = visibleRows(tree, expanded);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const focused = Math.min(at, rows.length - 1);

  const focus = (index: number) => {
    setAt(index);
    list.current?.querySelectorAll<HTMLElement>("[role=treeitem]")[index]?.focus();
  };
  const toggle = (path: string, expand = !expanded.has(path)) => {
    const next = new Set(expanded);
    if (expand) next.add(path);
    else next.delete(path);
    setExpanded(next);
  };
  const activate = ({ node }: Row) => (node.kind === "folder" ? toggle(node.path) : open(node));
  const keyDown = (event: KeyboardEvent) => {
    const row = rows[focused];
    if (!row || event.ctrlKey || event.metaKey) return;
    const next = rowFor(event.key, rows, focused);
    if (next !== null) focus(next);
    else if (event.key === "Enter" || event.key === " ") activate(row);
    else if (event.key === "ArrowRight" && row.node.kind === "folder") {
      if (expanded.has(row.node.path)) focus(Math.min(focused + 1, rows.length - 1));
      else toggle(row.node.path, true);
    } else if (event.key === "ArrowLeft") {
      if (row.node.kind === "folder" && expanded.has(row.node.path)) toggle(row.node.path, false);
      else focus(Math.max(0, rows.findLastIndex((one, i) => i < focused && one.level < row.level)));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <ul className="tree" role="tree" aria-label="Workspace" ref={list} onKeyDown={keyDown}>
      {rows.map((row, index) => {
        const { node, level } = row;
        const isFolder = node.kind === "folder";
        const mark = marks.get(node.path);
        return (
          <li
            key={node.path + (isFolder ? "/" : "")}
            role="treeitem"
            aria-level={level}
            aria-expanded={isFolder ? expanded.has(node.path) : undefined}
            tabIndex={index === focused ? 0 : -1}
            className={mark}
            style={{ paddingInlineStart: `${level * 14}px` }}
            title={isFolder ? node.path : `${node.path}\n${formatTime(Date.parse(node.modifiedAt))}`}
            onClick={() => {
              setAt(index);
              activate(row);
            }}
          >
            {isFolder ? (
              <span className="twist">
                <Icon name="chevron" />
              </span>
            ) : (
              <span className="leaf" />
            )}
            <Icon name={isFolder ? "folder" : "file"} />
            <span className="tree-name">{node.name}</span>
            {mark && <span className="badge">{mark}</span>}
            {isFolder && hasHiddenMarks(row, marks, expanded) && (
              <span className="dot" role="img" aria-label="has new or changed files" />
            )}
            {!isFolder && <span className="chip-size">{formatSize(node.size)}</span>}
          </li>
        );
      })}
    </ul>
  );
}

/** Whether a collapsed folder contains new or changed files. */
function hasHiddenMarks({ node }: Row, marks: ReadonlyMap<string, Mark>, open: ReadonlySet<string>): boolean {
  return !open.has(node.path) && [...marks.keys()].some((path) => path.startsWith(`${node.path}/`));
}

function useExpanded(chatId: string): [ReadonlySet<string>, (next: ReadonlySet<string>) => void] {
  const key = `tree:${chatId}`;
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set((stored(key) ?? "").split("\n").filter((path) => path !== "")),
  );
  return [
    open,
    (next) => {
      setOpen(next);
      store(key, next.size === 0 ? null : [...next].join("\n"));
    },
  ];
}
