import { formatDuration } from "./format";
import type { Line } from "./types";

/** A row of the trace: pieces of a text that came one after the other, a step from its start to its end, or another line. */
export type Row =
  | { kind: "text"; key: number; type: string; stream: string | undefined; id: string | undefined; ts: number | undefined; text: string }
  | { kind: "step"; key: number; ts: number | undefined; start: Line; end: Line | null }
  | { kind: "line"; key: number; ts: number | undefined; line: Line };

/** What took time: a step, or a call of a model. */
export interface Span {
  kind: "step" | "model";
  name: string;
  from: number;
  /** Undefined while it goes on. */
  to: number | undefined;
  failed: boolean;
  tokens?: { input: number; output: number };
}

const MERGED = new Set(["delta", "thinking", "output"]);

/** The rows of a trace; each line is looked at once, however many there are. */
export class Trace {
  readonly rows: Row[] = [];
  readonly spans: Span[] = [];
  readonly models = new Set<string>();
  /** How many lines of the log these are. */
  received = 0;
  inputTokens = 0;
  outputTokens = 0;
  start: number | undefined;
  latest: number | undefined;
  status: string | undefined;
  private readonly steps = new Map<string, { row: Extract<Row, { kind: "step" }>; span: Span | null }>();
  /** Since when the model may have worked on its next reply. */
  private modelSince: number | undefined;

  add(line: Line): void {
    this.status = undefined;
    if (line.type === "end" && line.status === "waiting") {
      this.status = line.status; // ends the stream; it is not in the log
      return;
    }
    this.received++;
    this.start ??= line.ts;
    this.modelSince ??= line.ts;
    this.latest = line.ts ?? this.latest;
    if (line.type === "step") this.step(line);
    else if (MERGED.has(line.type)) this.piece(line);
    else this.other(line);
  }

  private step(line: Line): void {
    const id = line.id ?? "";
    const known = this.steps.get(id);
    if (line.status === "running") {
      if (known) return; // a continued run may repeat it
      this.begin(id, line);
      return;
    }
    const { row, span } = known ?? this.begin(id, line);
    row.end = line;
    if (span) {
      span.to = line.ts ?? span.from + (line.durationMs ?? 0);
      span.failed = line.status === "failed";
    }
    this.modelSince = line.ts ?? this.modelSince;
  }

  private begin(id: string, line: Line) {
    const row = { kind: "step" as const, key: this.rows.length, ts: line.ts, start: line, end: null };
    const from = line.status === "running" ? line.ts : line.ts && line.ts - (line.durationMs ?? 0);
    const span: Span | null =
      from === undefined ? null : { kind: "step", name: nameOf(line), from, to: undefined, failed: false };
    this.rows.push(row);
    if (span) this.spans.push(span);
    const step = { row, span };
    this.steps.set(id, step);
    return step;
  }

  private piece({ type, stream, id, ts, text = "" }: Line): void {
    const last = this.rows.at(-1);
    if (last?.kind === "text" && last.type === type && last.stream === stream && last.id === id) {
      last.text += text;
    } else this.rows.push({ kind: "text", key: this.rows.length, type, stream, id, ts, text });
  }

  private other(line: Line): void {
    this.rows.push({ kind: "line", key: this.rows.length, ts: line.ts, line });
    if (line.type === "usage") this.call(line);
    if (line.type === "end") this.status = line.status;
  }

  private call(line: Line): void {
    const input = (line.inputTokens ?? 0) + (line.cacheReadTokens ?? 0) + (line.cacheWriteTokens ?? 0);
    const output = line.outputTokens ?? 0;
    this.inputTokens += input;
    this.outputTokens += output;
    if (line.model) this.models.add(line.model);
    if (line.ts === undefined) return;
    const from = this.modelSince ?? line.ts;
    this.modelSince = line.ts;
    this.spans.push({ kind: "model", name: line.model ?? "model", from, to: line.ts, failed: false, tokens: { input, output } });
  }
}

const nameOf = (step: Line) => {
  const values = typeof step.args === "object" && step.args !== null ? Object.values(step.args) : [];
  const about = values.find((value) => typeof value === "string");
  return about === undefined ? (step.name ?? "") : `${step.name} ${String(about).split("\n", 1)[0]?.slice(0, 80)}`;
};

export const LEVELS = ["debug", "info", "warn", "error"] as const;

const rank = (level: string) => LEVELS.indexOf(level as (typeof LEVELS)[number]);

/** Only logs have a level; a chosen level shows logs of that level and above. */
export function matches(row: Row, level: string, search: string): boolean {
  if (level !== "all") {
    if (row.kind !== "line" || row.line.type !== "log") return false;
    if (rank(row.line.level ?? "info") < rank(level)) return false;
  }
  return search === "" || textOf(row).toLowerCase().includes(search.toLowerCase());
}

/** What the search looks at. */
function textOf(row: Row): string {
  switch (row.kind) {
    case "text":
      return `${row.type} ${row.text}`;
    case "step":
      return JSON.stringify([row.start, row.end]);
    case "line":
      return JSON.stringify(row.line);
  }
}

export function describe(line: Line): string {
  switch (line.type) {
    case "chat":
      return `run ${line.runId} of message ${line.messageId}`;
    case "log":
      return line.message ?? "";
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
