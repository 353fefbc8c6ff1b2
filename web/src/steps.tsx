import { memo, useEffect, useState } from "react";
import { formatDuration, plural } from "./format";
import { Icon, type IconName } from "./icons";
import type { StepBlock, StepStatus } from "./types";

const STATUS: Record<StepStatus, { text: string; icon: IconName | null }> = {
  running: { text: "running", icon: null },
  succeeded: { text: "done", icon: "check" },
  failed: { text: "failed", icon: "cross" },
  interrupted: { text: "stopped", icon: "dash" },
};

/** Consecutive steps: one row for each while they run, one collapsed line afterwards. */
export function StepGroup({ steps, live }: { steps: StepBlock[]; live: boolean }) {
  const [open, setOpen] = useState(false);
  const shown = live || open ? steps : steps.filter((step) => step.status === "failed");
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
            <StepRow key={step.id} step={step} />
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

const StepRow = memo(function StepRow({ step }: { step: StepBlock }) {
  const [open, setOpen] = useState(false);
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
            step.durationMs !== undefined && formatDuration(step.durationMs)
          )}
        </span>
      </button>
      {open && <StepDetail step={step} />}
    </li>
  );
});

/** The most useful argument for a summary: the first that is text. */
function about(step: StepBlock): string {
  if (typeof step.args !== "object" || step.args === null) return "";
  const first = Object.values(step.args).find((value) => typeof value === "string");
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

function StepDetail({ step }: { step: StepBlock }) {
  return (
    <div className="step-detail">
      {step.args !== undefined && <Value label="Arguments" value={step.args} />}
      {step.result !== undefined && <Value label="Result" value={step.result} />}
      {step.error !== undefined && <Value label="Error" value={step.error} />}
    </div>
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
function readable(value: unknown): string {
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

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="link quiet"
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setCopied(true);
          setTimeout(() => setCopied(false), 1_500);
        });
      }}
    >
      <Icon name={copied ? "check" : "copy"} />
      {copied ? "Copied" : label}
    </button>
  );
}
