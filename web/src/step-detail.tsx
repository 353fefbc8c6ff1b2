import { useState } from "react";
import { api } from "./api";
import { formatSize } from "./format";
import { CopyButton } from "./steps";
import Terminal from "./terminal";
import type { Line, StepBlock } from "./types";

/** The arguments, the output and the result of a step. */
export default function StepDetail({ step, runId }: { step: StepBlock; runId: string | null | undefined }) {
  const [whole, setWhole] = useState<Line[]>([]);
  const { args, result, error, truncated } = { ...step, ...valuesOf(whole) };
  return (
    <div className="step-detail">
      {args !== undefined && <Arguments step={step} args={args} />}
      {step.output && step.status !== "running" && step.status !== "interrupted" && (
        <Terminal output={step.output} omitted={step.outputOmitted} />
      )}
      {result !== undefined && <Value label="Result" value={result} />}
      {error !== undefined && <Value label="Error" value={error} />}
      {truncated && runId && whole.length === 0 && (
        <LoadWhole step={step} runId={runId} loaded={setWhole} />
      )}
      {truncated && whole.length > 0 && (
        <p className="step-cut">The trace does not have all of this value; the rest is gone.</p>
      )}
    </div>
  );
}

/** Edits as a diff and written files as they are, all else as it was given. */
function Arguments({ step, args }: { step: StepBlock; args: unknown }) {
  const given = (typeof args === "object" && args !== null ? args : {}) as Record<string, unknown>;
  if (typeof given.old_str === "string" && typeof given.new_str === "string")
    return <Diff path={String(given.path ?? "")} before={given.old_str} after={given.new_str} />;
  if (step.name === "write" && typeof given.content === "string")
    return <Value label={String(given.path ?? "Content")} value={given.content} />;
  return <Value label="Arguments" value={args} />;
}

/** What an edit has replaced: the lines that both have frame the change. */
function Diff({ path, before, after }: { path: string; before: string; after: string }) {
  const lines = diffLines(before, after);
  return (
    <section className="step-value">
      <header>
        <h4>{path}</h4>
      </header>
      <pre tabIndex={0} className="diff" aria-label={`Changes of ${path}`}>
        {lines.map(([sign, text], index) => (
          <span key={index} className={sign === "+" ? "added" : sign === "-" ? "removed" : undefined}>
            {`${sign} ${text}\n`}
          </span>
        ))}
      </pre>
    </section>
  );
}

export type DiffLine = [sign: " " | "+" | "-", text: string];

export function diffLines(before: string, after: string): DiffLine[] {
  const old = before.split("\n");
  const now = after.split("\n");
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const marked = (sign: DiffLine[0], lines: string[]) => lines.map((text): DiffLine => [sign, text]);
  return [
    ...marked(" ", old.slice(0, head)),
    ...marked("-", old.slice(head, old.length - tail)),
    ...marked("+", now.slice(head, now.length - tail)),
    ...marked(" ", tail === 0 ? [] : old.slice(-tail)),
  ];
}

/** The values of a step in its lines; a line of the trace says itself if it was cut. */
function valuesOf(lines: Line[]): Partial<StepBlock> {
  const values: Partial<StepBlock> = lines.length > 0 ? { truncated: false } : {};
  for (const { args, result, error, truncated } of lines) {
    if (args !== undefined) values.args = args;
    if (result !== undefined) values.result = result;
    if (error !== undefined) values.error = error;
    if (truncated) values.truncated = true;
  }
  return values;
}

/** Large values are cut in the thread; the trace of the run has them. */
function LoadWhole(props: { step: StepBlock; runId: string; loaded: (lines: Line[]) => void }) {
  const { step, runId, loaded } = props;
  const [problem, setProblem] = useState("");
  const load = async () => {
    try {
      loaded(await api.traceOfStep(runId, step.id));
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <p className="step-cut">
      Cut here.{" "}
      <button type="button" className="link" onClick={() => void load()}>
        Load all of it{step.originalSize !== undefined && ` (${formatSize(step.originalSize)})`}
      </button>{" "}
      {problem}
    </p>
  );
}

const COLLAPSED_CHARS = 2_000;

function Value({ label, value }: { label: string; value: unknown }) {
  const [all, setAll] = useState(false);
  const text = readable(value);
  const shown = all || text.length <= COLLAPSED_CHARS ? text : `${text.slice(0, COLLAPSED_CHARS)}…`;
  return (
    <section className="step-value">
      <header>
        <h4>{label}</h4>
        <CopyButton text={text} />
      </header>
      <pre tabIndex={0}>{shown}</pre>
      {shown !== text && (
        <button type="button" className="link" onClick={() => setAll(true)}>
          Show all ({text.length.toLocaleString()} characters)
        </button>
      )}
    </section>
  );
}

/** Text as it is, and an object of texts field by field, so that line feeds are not escaped. */
export function readable(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return JSON.stringify(value, null, 2) ?? "";
  return Object.entries(value)
    .map(([name, field]) => {
      const text = typeof field === "string" ? field : JSON.stringify(field, null, 2);
      return text.includes("\n") ? `${name}:\n${text}` : `${name}: ${text}`;
    })
    .join("\n");
}
