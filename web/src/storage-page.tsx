import { useEffect, useState } from "react";
import { getJson } from "./api";
import { formatDuration, formatLongDuration, formatSize, plural } from "./format";
import { Icon } from "./icons";
import { Page } from "./page";
import { chatAddress } from "./router";
import { PageLink } from "./sidebar";
import type { ChatUsage, StorageUse, Usage } from "./types";

/** The kinds of files in the order of the bar, with the singular of each. */
const KINDS = [
  ["files", "Files of chats", "file"],
  ["snapshots", "Snapshots of workspaces", "snapshot"],
  ["assets", "Assets", "asset"],
  ["skills", "Skills", "version"],
  ["runFiles", "Files of headless runs", "file"],
  ["staged", "Staged copies of assets", "copy"],
  ["texts", "Texts of documents", "text"],
  ["uploads", "Uploads without a message", "upload"],
  ["deletedFiles", "Deleted, not yet removed", "file"],
] as const;

export default function StoragePage({ openMenu }: { openMenu: () => void }) {
  const { use, error } = useStorage();
  return (
    <Page
      title="Storage"
      openMenu={openMenu}
      actions={
        <PageLink to="/usage" className="button small">
          Usage
        </PageLink>
      }
    >
      {error && <p className="notice">{error}</p>}
      {use && (
        <>
          <section className="card">
            <p className="storage-total">
              <strong>{formatSize(use.bytes)}</strong> in total
            </p>
            <Bar use={use} />
            <dl className="storage-kinds">
              {KINDS.map(([kind, label, word]) => (
                <Kind key={kind} kind={kind} label={label} word={word} use={use[kind]} />
              ))}
            </dl>
          </section>
          <Largest chats={use.chats} />
          <Limits limits={use.limits} />
        </>
      )}
    </Page>
  );
}

function useStorage(): { use: StorageUse | null; error: string } {
  const [state, setState] = useState<{ use: StorageUse | null; error: string }>({ use: null, error: "" });
  useEffect(() => {
    const controller = new AbortController();
    getJson<StorageUse>("/api/storage?limit=20", controller.signal).then(
      (use) => setState({ use, error: "" }),
      (error: unknown) => !controller.signal.aborted && setState({ use: null, error: (error as Error).message }),
    );
    return () => controller.abort();
  }, []);
  return state;
}

/** Decorative: the list below has the same numbers. */
function Bar({ use }: { use: StorageUse }) {
  if (use.bytes === 0) return null;
  return (
    <div className="storage-bar" aria-hidden="true">
      {KINDS.filter(([kind]) => use[kind].bytes > 0).map(([kind]) => (
        <span key={kind} className={`is-${kind}`} style={{ flexGrow: use[kind].bytes }} />
      ))}
    </div>
  );
}

function Kind({ kind, label, word, use }: { kind: string; label: string; word: string; use: Usage }) {
  return (
    <div>
      <dt>
        <span className={`swatch is-${kind}`} />
        {label}
      </dt>
      <dd>
        {formatSize(use.bytes)} <small>{count(use.count, word)}</small>
      </dd>
    </div>
  );
}

const count = (number: number, word: string) =>
  number !== 1 && word === "copy" ? `${number} copies` : plural(number, word);

function Largest({ chats }: { chats: ChatUsage[] }) {
  if (chats.length === 0) return <p className="files-empty">No chat has files yet.</p>;
  return (
    <section>
      <h2 className="section-title">Largest chats</h2>
      <ul className="rows">
        {chats.map((chat) => (
          <li key={chat.id}>
            <ChatLine chat={chat} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ChatLine({ chat }: { chat: ChatUsage }) {
  const line = (
    <>
      <Icon name={chat.deleted ? "trash" : "folder"} />
      <span className="tree-name">{chat.title ?? "New chat"}</span>
      {chat.deleted && <span className="badge plain">{deletedBadge(chat.erasedAt)}</span>}
      <span className="chip-size">
        {plural(chat.files.count, "file")}, {plural(chat.snapshots.count, "snapshot")}
      </span>
      <strong className="storage-size">{formatSize(chat.bytes)}</strong>
    </>
  );
  return chat.deleted ? (
    <div className="row-main">{line}</div>
  ) : (
    <PageLink to={chatAddress(chat.id)} className="row-main">
      {line}
    </PageLink>
  );
}

/** Until that day the chat can be restored. */
function deletedBadge(erasedAt: number | null): string {
  if (erasedAt === null || erasedAt <= Date.now()) return "deleted, being erased";
  return `deleted, erased on ${new Date(erasedAt).toLocaleDateString(undefined, { dateStyle: "medium" })}`;
}

function Limits({ limits }: { limits: StorageUse["limits"] }) {
  return (
    <section className="card">
      <h2>Limits</h2>
      <dl className="facts">
        <div>
          <dt>One file</dt>
          <dd>{formatSize(limits.maxFileBytes)}</dd>
        </div>
        <div>
          <dt>Files of a chat</dt>
          <dd>
            {limits.maxFiles}, {formatSize(limits.maxBytes)} together
          </dd>
        </div>
        <div>
          <dt>Uploads expire after</dt>
          <dd>{formatDuration(limits.uploadMaxAgeMs)}</dd>
        </div>
        <div>
          <dt>Deleted chats are erased after</dt>
          <dd>{formatLongDuration(limits.trashMs)}</dd>
        </div>
      </dl>
    </section>
  );
}
