import { useEffect, useMemo, useRef, useState } from "react";
import { ApiError, api, request, traceUrl } from "./api";
import { formatDuration, formatTime } from "./format";
import { Icon } from "./icons";
import { Page } from "./page";
import { chatAddress } from "./router";
import { PageLink } from "./sidebar";
import { readLines } from "./sse";
import type { Line, Run } from "./types";

const LEVELS = ["debug", "info", "warn", "error"] as const;
const RECONNECT_MILLIS = 1_000;

/** A value of the trace may have megabytes. */
const SHOWN_CHARS = 4_000;

export default function TracePage({ runId, openMenu }: { runId: string; openMenu: () => void }) {
  const { run, lines, error } = useTrace(runId);
  const [level, setLevel] = useState<string>("all");
  const [search, setSearch] = useState("");
  const shown = useMemo(() => lines.filter((line) => matches(line, level, search)), [lines, level, search]);
  const end = useRef<HTMLDivElement>(null);
  const [follow, setFollow] = useState(true);
  useEffect(() => {
    if (follow && run?.status === "running") end.current?.scrollIntoView();
  }, [shown.length, follow, run?.status]);
  const start = lines.find((line) => line.ts !== undefined)?.ts;
  return (
    <Page
      title="Run trace"
      openMenu={openMenu}
      actions={
        <a className="button small" href={traceUrl(runId)} download={`run-${runId}.ndjson`}>
          <Icon name="download" />
          NDJSON
        </a>
      }
    >
      {error && <p className="notice">{error}</p>}
      {run && <Summary run={run} />}
      <div className="filters">
        <fieldset className="segmented">
          <legend className="visually-hidden">Show</legend>
          {["all", ...LEVELS].map((one) => (
            <label key={one}>
              <input type="radio" name="level" checked={level === one} onChange={() => setLevel(one)} />
              <span>{one === "all" ? "Everything" : one === "error" ? "error" : `${one}+`}</span>
            </label>
          ))}
        </fieldset>
        <label className="search">
          <Icon name="search" />
          <input
            type="search"
            placeholder="Search lines"
            aria-label="Search lines"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
        {run?.status === "running" && (
          <label className="check">
            <input type="checkbox" checked={follow} onChange={() => setFollow(!follow)} /> Follow
          </label>
        )}
      </div>
      <ol className="trace" aria-label="Lines" onWheel={(event) => event.deltaY < 0 && setFollow(false)}>
        {shown.map((line, index) => (
          <TraceLine key={index} line={line} start={start} />
        ))}
      </ol>
      {shown.length === 0 && <p className="files-empty">No line matches.</p>}
      <div ref={end} />
    </Page>
  );
}

function Summary({ run }: { run: Run }) {
  return (
    <dl className="facts">
      <div>
        <dt>Status</dt>
        <dd>{run.status}</dd>
      </div>
      <div>
        <dt>Started</dt>
        <dd>{formatTime(run.startedAt)}</dd>
      </div>
      {run.endedAt !== null && (
        <div>
          <dt>Took</dt>
          <dd>{formatDuration(run.endedAt - run.startedAt)}</dd>
        </div>
      )}
      {run.chatId && (
        <div>
          <dt>Chat</dt>
          <dd>
            <PageLink to={chatAddress(run.chatId)}>Back to the chat</PageLink>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** Only logs have a level; a chosen level shows logs of that level and above. */
function matches(line: Line, level: string, search: string): boolean {
  if (level !== "all") {
    if (line.type !== "log") return false;
    const rank = (name: string) => LEVELS.indexOf(name as (typeof LEVELS)[number]);
    if (rank(line.level ?? "info") < rank(level)) return false;
  }
  return search === "" || JSON.stringify(line).toLowerCase().includes(search.toLowerCase());
}

function TraceLine({ line, start }: { line: Line; start: number | undefined }) {
  const [all, setAll] = useState(false);
  const text = describe(line);
  const offset = line.ts !== undefined && start !== undefined ? `+${formatDuration(line.ts - start)}` : "";
  return (
    <li className={`trace-line is-${line.type === "log" ? (line.level ?? "info") : line.type}`}>
      <span className="trace-time">{offset}</span>
      <span className="badge plain">{line.type === "log" ? (line.level ?? "info") : line.type}</span>
      <span className="trace-text">
        {all ? text : text.slice(0, SHOWN_CHARS)}
        {!all && text.length > SHOWN_CHARS && (
          <button type="button" className="link" onClick={() => setAll(true)}>
            … Show all ({text.length.toLocaleString()} characters)
          </button>
        )}
      </span>
    </li>
  );
}

function describe(line: Line): string {
  switch (line.type) {
    case "chat":
      return `run ${line.runId} of message ${line.messageId}`;
    case "log":
      return line.message ?? "";
    case "step":
      return `${line.name} ${line.status}${detail(line.error ?? line.result ?? line.args)}`;
    case "delta":
    case "thinking":
    case "output":
      return line.text ?? "";
    case "usage":
      return `${line.model} ${line.inputTokens} tokens in, ${line.outputTokens} out, ${line.cacheReadTokens} read from the cache, ${line.cacheWriteTokens} written to it`;
    case "retry":
      return `try ${line.attempt} failed, ${line.code}: ${line.message}; again in ${formatDuration(line.delayMs ?? 0)}`;
    case "steer":
      return `heard: ${line.text}`;
    case "resumed":
      return `continued, attempt ${line.attempt}`;
    case "result":
      return `${line.message ?? ""}${line.stopped ? ` (stopped: ${line.stopped})` : ""}`;
    case "error":
      return `${line.code}: ${line.message}`;
    case "end":
      return line.status ?? "";
    default:
      return JSON.stringify(line);
  }
}

function detail(value: unknown): string {
  if (value === undefined) return "";
  return ` ${typeof value === "string" ? value : JSON.stringify(value)}`;
}

interface Trace {
  run: Run | null;
  lines: Line[];
  error: string;
}

/** The whole log, with new lines while the run is active. */
function useTrace(runId: string): Trace {
  const [trace, setTrace] = useState<Trace>({ run: null, lines: [], error: "" });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const change = (change: Partial<Trace>) => {
      if (!signal.aborted) setTrace((now) => ({ ...now, ...change }));
    };
    const follow = async () => {
      for (;;) {
        try {
          change({ run: await api.run(runId), error: "" });
          const lines: Line[] = [];
          await readLines(await request(`${traceUrl(runId)}?follow=true`, { signal }), (more) => {
            lines.push(...more.map((line) => JSON.parse(line) as Line));
            change({ lines: [...lines] });
          });
          if (lines.at(-1)?.type === "end") break;
        } catch (error) {
          if (signal.aborted) return;
          change({ error: (error as Error).message });
          if (error instanceof ApiError) return;
        }
        await new Promise((resolve) => setTimeout(resolve, RECONNECT_MILLIS));
      }
      change({ run: await api.run(runId) });
    };
    void follow();
    return () => controller.abort();
  }, [runId]);
  return trace;
}
