import { useLayoutEffect, useRef, useState } from "react";
import { formatDuration } from "./format";
import { Icon } from "./icons";
import type { Line, OutputPiece, UsageBlock } from "./types";

/** What the model thought, folded; `live` while it thinks. */
export function Thinking({ text, live }: { text: string; live: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="thinking">
      <button
        type="button"
        className="steps-summary"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="chevron" />
        {live ? "Thinking…" : "Thoughts"}
        {live && <span className="spinner" />}
      </button>
      {open && <p className="thinking-text">{text}</p>}
    </div>
  );
}

/** What a command prints, like a terminal: the end stays in sight unless the reader scrolls up. */
export function Terminal({ output, omitted }: { output: OutputPiece[]; omitted?: number | undefined }) {
  const element = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const pre = element.current;
    if (pre && atEnd.current) pre.scrollTop = pre.scrollHeight;
  }, [output]);
  return (
    <pre
      ref={element}
      className="terminal"
      tabIndex={0}
      aria-label="Output"
      onScroll={({ currentTarget: pre }) => {
        atEnd.current = pre.scrollHeight - pre.scrollTop - pre.clientHeight < 8;
      }}
    >
      {omitted !== undefined && (
        <span className="terminal-cut">… {omitted.toLocaleString("en")} characters before, in the trace{"\n"}</span>
      )}
      {output.map((piece, index) => (
        <span key={index} className={piece.stream}>
          {piece.text}
        </span>
      ))}
    </pre>
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

const STOPPED: Record<string, string> = {
  max_rounds: "Stopped at the limit of rounds. The task may not be finished; say “continue” to go on.",
  max_tokens: "Stopped at the token limit of the model. The answer may be cut; say “continue” to go on.",
};

/** Why the agent ended before it was done. */
export function Stopped({ reason }: { reason: string }) {
  return (
    <p className="stopped">
      <Icon name="stop" />
      {STOPPED[reason] ?? `Stopped: ${reason}`}
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
