import { useEffect, useRef, useState } from "react";
import { formatDuration } from "./format";
import { Icon } from "./icons";
import type { Live } from "./live";
import type { Line, UsageBlock } from "./types";

/** What the model thought, folded; `live` while it thinks. How long that took is known to who has seen it. */
export function Thinking({ text, live }: { text: string; live: boolean }) {
  const [open, setOpen] = useState(false);
  const started = useRef(live ? Date.now() : 0);
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!live && started.current > 0) setSeconds(Math.max(1, Math.round((Date.now() - started.current) / 1_000)));
  }, [live]);
  return (
    <div className="thinking">
      <button
        type="button"
        className="steps-summary"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="chevron" />
        {live ? "Thinking…" : seconds > 0 ? `Thought for ${seconds} s` : "Thoughts"}
        {live && <span className="spinner" />}
      </button>
      {open && (
        <p className="thinking-text" dir="auto">
          {text}
        </p>
      )}
    </div>
  );
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

/** A call of the model that is repeated: why, when and for which time; for a fallback the reason says it all. */
export function Retry({ line }: { line: Line }) {
  const delay = line.delayMs ?? 0;
  const wait = delay < 1_000 ? formatDuration(delay) : `${Math.round(delay / 1_000)} s`;
  const again = delay === 0 ? "" : ` Trying again in ${wait} (try ${(line.attempt ?? 0) + 1}).`;
  return (
    <p className="starting retry" role="status" title={[line.code, line.model].filter(Boolean).join(", ")}>
      <span className="spinner" />
      {sentence(line.message || "The model did not answer")}
      {again}
    </p>
  );
}

/** The mark of a run that was continued. */
export function Resumed({ attempt }: { attempt: number }) {
  return (
    <p className="starting resumed" role="status" title={`Attempt ${attempt}`}>
      <Icon name="retry" />
      The server was interrupted; this answer is being continued.
    </p>
  );
}

const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });
const SUFFIXES: Record<string, string> = { one: "st", two: "nd", few: "rd" };

/** Where a run is that waits because all places are taken. */
export function waitingText(position: number): string {
  const suffix = SUFFIXES[ORDINALS.select(position)] ?? "th";
  return `Waiting for a free place: ${position}${suffix} in the queue`;
}

const STOPPED: Record<string, string> = {
  max_rounds: "Stopped at the limit of rounds. The task may not be finished.",
  max_tokens: "Stopped at the token limit of the model. The answer may be cut.",
};

/** Why the agent ended before it was done; the newest turn can go on. */
export function Stopped({ reason, proceed }: { reason: string; proceed: (() => void) | undefined }) {
  return (
    <p className="stopped">
      <Icon name="stop" />
      {STOPPED[reason] ?? `Stopped: ${reason}`}
      {proceed && (
        <button type="button" className="button small" onClick={proceed}>
          Continue
        </button>
      )}
    </p>
  );
}

/** The tokens of a turn, with their parts as a title. */
export function Usage({ usage }: { usage: UsageBlock }) {
  const count = (tokens: number) => tokens.toLocaleString("en");
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const cost = usage.costMicros === undefined ? "" : ` · $${(usage.costMicros / 1e6).toFixed(4)}`;
  return (
    <span
      className="usage"
      title={`${count(usage.cacheReadTokens)} tokens read from the cache, ${count(usage.cacheWriteTokens)} written to it`}
    >
      {count(input)} tokens in · {count(usage.outputTokens)} out{cost}
    </span>
  );
}

/**
 * What the turn waits for while nothing streams: the server, the sandbox, or the model. The own runner starts its
 * sandbox at once, so that it is the model that takes time.
 */
export function Waiting({ live, model }: { live: Live; model: string | null }) {
  const { fold, runId, stopping, waitsFor } = live;
  const last = fold.blocks.at(-1);
  const between = last?.type === "step" && !fold.blocks.some((block) => block.type === "step" && block.status === "running");
  if (stopping) return <Wait key="stopping" text="Stopping…" />;
  if (fold.position > 0) return <Wait key="queued" text={waitingText(fold.position)} clock />;
  if (waitsFor || fold.retry || (last && !between)) return null;
  if (model && (runId || last)) return <Wait key={`model-${fold.blocks.length}`} text={`Waiting for ${model}…`} clock />;
  return last ? <Wait key={fold.blocks.length} text="Thinking what to do next…" clock /> : <Wait key="sandbox" text="Starting sandbox…" clock />;
}

const CLOCK_AFTER_SECONDS = 2;

function Wait({ text, clock = false }: { text: string; clock?: boolean }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!clock) return;
    const start = Date.now();
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - start) / 1_000)), 1_000);
    return () => clearInterval(timer);
  }, [clock]);
  return (
    <div className="starting">
      <span className="spinner" />
      <span>{text}</span>
      {seconds >= CLOCK_AFTER_SECONDS && <span className="clock">{seconds} s</span>}
    </div>
  );
}
