import { useState } from "react";
import { formatDuration } from "./format";
import type { Span, Trace } from "./trace";

/** More spans are shown when a person asks for them. */
const FIRST = 60;

/** What took the time of a run: each call of a model and each step, from when to when. */
export function Waterfall({ trace }: { trace: Trace }) {
  const [all, setAll] = useState(false);
  const { spans, start, latest } = trace;
  if (start === undefined || latest === undefined || spans.length === 0) return null;
  const shown = all ? spans : spans.slice(0, FIRST);
  const whole = Math.max(1, latest - start);
  return (
    <section aria-labelledby="waterfall">
      <h2 className="section-title" id="waterfall">
        What took the time
      </h2>
      <ol className="waterfall" aria-labelledby="waterfall">
        {shown.map((span, index) => (
          <SpanRow key={index} span={span} start={start} latest={latest} whole={whole} />
        ))}
      </ol>
      {shown.length < spans.length && (
        <button type="button" className="link" onClick={() => setAll(true)}>
          Show {spans.length - shown.length} more
        </button>
      )}
    </section>
  );
}

function SpanRow({ span, start, latest, whole }: { span: Span; start: number; latest: number; whole: number }) {
  const end = Math.max(span.from, span.to ?? latest);
  const percent = (millis: number) => `${Math.min(100, Math.max(0, (millis / whole) * 100))}%`;
  const state = span.to === undefined ? "running" : span.failed ? "failed" : "";
  return (
    <li className={`is-${span.kind} ${state}`}>
      <span className="waterfall-name" title={span.name}>
        {span.name}
      </span>
      <span className="waterfall-track" aria-hidden="true">
        <span style={{ marginInlineStart: percent(span.from - start), width: percent(end - span.from) }} />
      </span>
      <span className="waterfall-time">
        {formatDuration(end - span.from)}
        {state !== "" && ` ${state}`}
      </span>
      <span className="waterfall-tokens">
        {span.tokens && `${span.tokens.input.toLocaleString("en")} in · ${span.tokens.output.toLocaleString("en")} out`}
      </span>
    </li>
  );
}
