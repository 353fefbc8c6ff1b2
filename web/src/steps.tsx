import { lazy, memo, useEffect, useState } from "react";
import { Later } from "./boundary";
import { copyText } from "./clipboard";
import { formatDuration, plural } from "./format";
import { Icon, type IconName } from "./icons";
import type { StepBlock, StepStatus } from "./types";

const StepDetail = lazy(() => import("./step-detail"));
const Terminal = lazy(() => import("./terminal"));

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
        <Later>
          <Terminal output={step.output} omitted={step.outputOmitted} />
        </Later>
      )}
      {open && (
        <Later>
          <StepDetail step={step} runId={runId} />
        </Later>
      )}
    </li>
  );
});

/** A step that was stopped has no time of its own: it lasted until the end of its turn. */
function timeUntilStop({ status, startedAt }: StepBlock, endedAt: number | undefined): number | undefined {
  if (status !== "interrupted" || startedAt === undefined || endedAt === undefined) return undefined;
  const lasted = endedAt - startedAt;
  return lasted >= 0 && lasted < 86_400_000 ? lasted : undefined; // the clock of the sandbox may differ
}

/** Colours, and whatever a program has written again over the beginning of a line. */
// eslint-disable-next-line no-control-regex -- these are what terminals are told with
const SEQUENCE = /\u001b\[[0-?]*[ -/]*[@-~]|[^\n]*\r(?!\n|$)/g;

/** Why a step has failed, in one line: the last one of what it printed, which is where programs say it. */
export function reasonOf({ error, output }: StepBlock): string {
  const lines = (text: string) => text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const said = typeof error === "string" ? error : firstText(error);
  const printed = (output ?? []).map((piece) => piece.text).join("");
  const told = lines((said === "" ? printed : said).replace(SEQUENCE, ""));
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
