import { useEffect, useMemo, useRef, useState } from "react";
import { ApiError, api, request, traceUrl } from "./api";
import { formatDuration, formatTime } from "./format";
import { Icon } from "./icons";
import { Page } from "./page";
import { chatAddress } from "./router";
import { PageLink } from "./sidebar";
import { readLines } from "./sse";
import { CopyButton } from "./steps";
import { LEVELS, Trace, matches } from "./trace";
import { TraceRow, versionOf } from "./trace-rows";
import type { Line, Run } from "./types";
import { Waterfall } from "./waterfall";

const RECONNECT_MILLIS = 1_000;
/** A log may come much faster than a page can be drawn. */
const REDRAW_MILLIS = 100;

/** A log may have a hundred thousand lines; this many rows are in the document at first, and more when asked for. */
const WINDOW = 300;

export default function TracePage({ runId, openMenu }: { runId: string; openMenu: () => void }) {
  const { run, trace, drawn, error } = useTrace(runId);
  const [level, setLevel] = useState<string>("all");
  const [search, setSearch] = useState("");
  const [follow, setFollow] = useState(true);
  const filtered = useMemo(
    () => (level === "all" && search === "" ? trace.rows : trace.rows.filter((row) => matches(row, level, search))),
    [trace, drawn, level, search],
  );
  const following = follow && run?.status === "running";
  const { from, to, earlier, later, toEnd } = useWindow(filtered.length, following);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (following) end.current?.scrollIntoView();
  }, [drawn, following, to]);
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
      {run && <Summary run={run} trace={trace} />}
      <Waterfall trace={trace} />
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
      {from > 0 && <More count={from} what="earlier" run={earlier} />}
      <ol className="trace" aria-label="Lines" onWheel={(event) => event.deltaY < 0 && setFollow(false)}>
        {filtered.slice(from, to).map((row) => (
          <TraceRow key={row.key} row={row} start={trace.start} version={versionOf(row)} />
        ))}
      </ol>
      {to < filtered.length && (
        <>
          <More count={filtered.length - to} what="later" run={later} />{" "}
          <button type="button" className="button small" onClick={toEnd}>
            To the last
          </button>
        </>
      )}
      {filtered.length === 0 && <p className="files-empty">No line matches.</p>}
      <div ref={end} />
    </Page>
  );
}

function More({ count, what, run }: { count: number; what: string; run: () => void }) {
  return (
    <button type="button" className="button small" onClick={run}>
      Show {Math.min(count, WINDOW)} of {count.toLocaleString("en")} {what} rows
    </button>
  );
}

/** Which of many rows are in the document: the first ones, or the last ones of a run that is followed. */
function useWindow(count: number, following: boolean) {
  const [range, setRange] = useState({ from: 0, size: WINDOW });
  const last = Math.max(0, count - WINDOW);
  useEffect(() => {
    if (following) setRange({ from: last, size: WINDOW });
  }, [following, last]);
  const from = Math.min(range.from, last);
  const to = Math.min(count, from + range.size);
  return {
    from,
    to,
    earlier: () => setRange({ from: Math.max(0, from - WINDOW), size: to - Math.max(0, from - WINDOW) }),
    later: () => setRange({ from, size: range.size + WINDOW }),
    toEnd: () => setRange({ from: last, size: WINDOW }),
  };
}

function Summary({ run, trace }: { run: Run; trace: Trace }) {
  return (
    <dl className="facts">
      <Fact name="Run">
        <code>{run.id}</code> <CopyButton text={run.id} label="Copy the run id" icon />
      </Fact>
      <Fact name="Status">{run.status}</Fact>
      <Fact name="Started">{formatTime(run.startedAt)}</Fact>
      {run.endedAt !== null && <Fact name="Took">{formatDuration(run.endedAt - run.startedAt)}</Fact>}
      {trace.models.size > 0 && <Fact name="Model">{[...trace.models].join(", ")}</Fact>}
      {trace.models.size > 0 && (
        <Fact name="Tokens">
          {trace.inputTokens.toLocaleString("en")} in · {trace.outputTokens.toLocaleString("en")} out
        </Fact>
      )}
      {run.chatId && (
        <Fact name="Chat">
          <PageLink to={chatAddress(run.chatId)}>Back to the chat</PageLink>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface Shown {
  run: Run | null;
  error: string;
  /** Changes when the trace has grown. */
  drawn: number;
}

/** The whole log, with new lines while the run is active; what has arrived is not read again after a lost connection. */
function useTrace(runId: string): Shown & { trace: Trace } {
  const [trace] = useState(() => new Trace());
  const [shown, setShown] = useState<Shown>({ run: null, error: "", drawn: 0 });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const change = (change: Partial<Shown>) => {
      if (!signal.aborted) setShown((now) => ({ ...now, ...change, drawn: now.drawn + 1 }));
    };
    let redraw: ReturnType<typeof setTimeout> | undefined;
    const receive = (lines: string[]) => {
      if (signal.aborted) return;
      lines.forEach((line) => trace.add(JSON.parse(line) as Line));
      redraw ??= setTimeout(() => {
        redraw = undefined;
        change({});
      }, REDRAW_MILLIS);
    };
    const follow = async () => {
      for (;;) {
        try {
          const run = await api.run(runId);
          change({ run, error: "" });
          if (trace.status !== "waiting" || run.status !== "waiting")
            await readLines(await request(`${traceUrl(runId)}?follow=true&skip=${trace.received}`, { signal }), receive);
          if (trace.status !== undefined && trace.status !== "waiting") break;
        } catch (error) {
          if (signal.aborted) return;
          change({ error: (error as Error).message });
          if (error instanceof ApiError) return;
        }
        await new Promise((resolve) => setTimeout(resolve, RECONNECT_MILLIS));
        if (signal.aborted) return;
      }
      change({ run: await api.run(runId) });
    };
    void follow();
    return () => {
      controller.abort();
      clearTimeout(redraw);
    };
  }, [runId, trace]);
  return { ...shown, trace };
}
