import { useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
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
  const rows = useMemo(() => visibleRows(tree, expanded), [tree, expanded]);
  const marked = useMemo(() => foldersOf(marks), [marks]);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const focused = Math.min(at, rows.length - 1);
  const [first, last] = useWindow(list, rows.length);
  const wanted = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`)?.focus();
    wanted.current = null;
  });

  const focus = (index: number) => {
    wanted.current = index;
    setAt(index);
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
    <ul
      className="tree"
      role="tree"
      aria-label="Workspace"
      ref={list}
      onKeyDown={keyDown}
      style={{ height: `${rows.length * ROW_HEIGHT}px` }}
    >
      {rows.map((row, index) => {
        if ((index < first || index >= last) && index !== focused) return null;
        const { node, level } = row;
        const isFolder = node.kind === "folder";
        const mark = marks.get(node.path);
        return (
          <li
            key={node.path + (isFolder ? "/" : "")}
            role="treeitem"
            data-row={index}
            aria-level={level}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            aria-expanded={isFolder ? expanded.has(node.path) : undefined}
            tabIndex={index === focused ? 0 : -1}
            className={mark}
            style={{ paddingInlineStart: `${level * 14}px`, top: `${index * ROW_HEIGHT}px` }}
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
            {isFolder && !expanded.has(node.path) && marked.has(node.path) && (
              <span className="dot" role="img" aria-label="has new or changed files" />
            )}
            {!isFolder && <span className="chip-size">{formatSize(node.size)}</span>}
          </li>
        );
      })}
    </ul>
  );
}

/** The folders with new or changed files in them. */
function foldersOf(marks: ReadonlyMap<string, Mark>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of marks.keys())
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = path.slice(0, slash);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return folders;
}

/** As in the style sheet. */
const ROW_HEIGHT = 31;
const ROWS_AROUND = 20;

/** The rows to render: those in sight, and some around them. */
function useWindow(list: React.RefObject<HTMLUListElement | null>, count: number): [first: number, last: number] {
  const [range, setRange] = useState<[number, number]>([0, 2 * ROWS_AROUND]);
  useLayoutEffect(() => {
    const scroller = list.current?.parentElement?.closest<HTMLElement>(".files-body");
    if (!scroller) return;
    const measure = () => {
      const above = scroller.getBoundingClientRect().top - (list.current?.getBoundingClientRect().top ?? 0);
      const first = Math.max(0, Math.floor(above / ROW_HEIGHT) - ROWS_AROUND);
      const last = Math.ceil((above + scroller.clientHeight) / ROW_HEIGHT) + ROWS_AROUND;
      setRange((now) => (Math.abs(now[0] - first) < ROWS_AROUND / 2 && Math.abs(now[1] - last) < ROWS_AROUND / 2 ? now : [first, last]));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(scroller);
    scroller.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener("scroll", measure);
    };
  }, [list, count]);
  return range;
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
