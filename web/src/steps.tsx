import { memo, useEffect, useState } from "react";
import { api } from "./api";
import { copyText } from "./clipboard";
import { formatDuration, formatSize, plural } from "./format";
import { Icon, type IconName } from "./icons";
import { Terminal } from "./progress";
import type { Line, StepBlock, StepStatus } from "./types";

const STATUS: Record<StepStatus, { text: string; icon: IconName | null }> = {
  waiting: { text: "waiting", icon: "pause" },
  running: { text: "running", icon: null },
  succeeded: { text: "done", icon: "check" },
  failed: { text: "failed", icon: "cross" },
  interrupted: { text: "stopped", icon: "dash" },
};

/** Consecutive steps: one row for each while they run, one collapsed line afterwards. */
export function StepGroup(props: { steps: StepBlock[]; live: boolean; runId?: string | null; endedAt: number }) {
  const { steps, live, runId, endedAt } = props;
  const [open, setOpen] = useState(false);
  const shown = live || open ? steps : steps.filter(({ status }) => status === "failed" || status === "interrupted");
  return (
    <div className="steps">
      {!live && (
        <button
          type="button"
          className="steps-summary"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <Icon name="chevron" />
          {summary(steps)}
        </button>
      )}
      {shown.length > 0 && (
        <ol className="step-list">
          {shown.map((step) => (
            <StepRow key={step.id} step={step} runId={runId} endedAt={live ? undefined : endedAt} />
          ))}
        </ol>
      )}
    </div>
  );
}

function summary(steps: StepBlock[]): string {
  const total = steps.reduce((sum, step) => sum + (step.durationMs ?? 0), 0);
  const failed = steps.filter((step) => step.status === "failed").length;
  const parts = [plural(steps.length, "step"), formatDuration(total)];
  if (failed > 0) parts.push(`${failed} failed`);
  return parts.join(" · ");
}

interface RowProps {
  step: StepBlock;
  runId: string | null | undefined;
  /** When its turn has ended. */
  endedAt: number | undefined;
}

const StepRow = memo(function StepRow({ step, runId, endedAt }: RowProps) {
  const [open, setOpen] = useState(false);
  const duration = step.durationMs ?? timeUntilStop(step, endedAt);
  const reason = step.status === "failed" && !open ? reasonOf(step) : "";
  const status = STATUS[step.status];
  return (
    <li className={`step ${step.status}`} data-step={step.id}>
      <button
        type="button"
        className="step-head"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span className="step-icon">
          {status.icon ? <Icon name={status.icon} /> : <span className="spinner" />}
        </span>
        <span className="step-name">{step.name}</span>
        <span className="step-about">{about(step)}</span>
        <span className="step-status">{status.text}</span>
        <span className="step-time">
          {step.status === "running" ? (
            <ElapsedTime since={step.startedAt} />
          ) : (
            duration !== undefined && formatDuration(duration)
          )}
        </span>
      </button>
      {reason !== "" && <p className="step-reason">{reason}</p>}
      {step.output && (step.status === "running" || step.status === "interrupted") && (
        <Terminal output={step.output} omitted={step.outputOmitted} />
      )}
      {open && <StepDetail step={step} runId={runId} />}
    </li>
  );
});

/** A step that was stopped has no time of its own: it lasted until the end of its turn. */
function timeUntilStop({ status, startedAt }: StepBlock, endedAt: number | undefined): number | undefined {
  if (status !== "interrupted" || startedAt === undefined || endedAt === undefined) return undefined;
  const lasted = endedAt - startedAt;
  return lasted >= 0 && lasted < 86_400_000 ? lasted : undefined; // the clock of the sandbox may differ
}

/** Why a step has failed, in one line: the last one of what it printed, which is where programs say it. */
export function reasonOf({ error, output }: StepBlock): string {
  const lines = (text: string) => text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const said = typeof error === "string" ? error : firstText(error);
  const printed = (output ?? []).map((piece) => piece.text).join("");
  const told = lines(said === "" ? printed : said);
  const last = told.at(-1) ?? "";
  const before = told.at(-2);
  return /^\(.*\)$/.test(last) && before !== undefined ? `${before} ${last}` : last; // (exit code 3)
}

/** The first text of the arguments; of a renamed file also its path in the workspace. */
export function about(step: StepBlock): string {
  const subject = firstText(step.args);
  const path = step.name === "rename_file" ? firstText(step.result) : "";
  return path === "" ? subject : `${subject} → ${path}`;
}

function firstText(values: unknown): string {
  if (typeof values !== "object" || values === null) return "";
  const first = Object.values(values).find((value) => typeof value === "string");
  return typeof first === "string" ? first : "";
}

/** Measures from when the row appeared, because the clock of the sandbox may differ. */
function ElapsedTime({ since }: { since: number | undefined }) {
  const [start] = useState(() => {
    const now = Date.now();
    return since !== undefined && Math.abs(now - since) < 86_400_000 ? Math.min(since, now) : now;
  });
  const [now, setNow] = useState(start);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 200);
    return () => clearInterval(timer);
  }, []);
  return <>{formatDuration(Math.floor(Math.max(0, now - start) / 100) * 100)}</>;
}

function StepDetail({ step, runId }: { step: StepBlock; runId?: string | null }) {
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

/** As an icon its name is the label. */
export function CopyButton({ text, label = "Copy", icon = false }: { text: string; label?: string; icon?: boolean }) {
  const [copied, setCopied] = useState(false);
  const name = copied ? "Copied" : label;
  return (
    <button
      type="button"
      className={icon ? "icon-button small" : "link quiet"}
      aria-label={icon ? name : undefined}
      title={icon ? name : undefined}
      onClick={() => {
        void copyText(text).then((done) => {
          if (!done) return;
          setCopied(true);
          setTimeout(() => setCopied(false), 1_500);
        });
      }}
    >
      <Icon name={copied ? "check" : "copy"} />
      {!icon && name}
    </button>
  );
}
