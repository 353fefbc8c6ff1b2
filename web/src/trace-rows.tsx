import { memo, useState } from "react";
import { formatDuration, formatSize } from "./format";
import { readable } from "./step-detail";
import { describe, type Row } from "./trace";

/** A value of the trace may have megabytes. */
const SHOWN_CHARS = 4_000;

interface Props {
  row: Row;
  start: number | undefined;
  /** Changes with the row. */
  version: string;
}

/** What a row shows changes with these. */
export const versionOf = (row: Row) => (row.kind === "text" ? String(row.text.length) : row.kind === "step" ? String(row.end !== null) : "");

export const TraceRow = memo(
  function TraceRow({ row, start }: Props) {
    const label = labelOf(row);
    return (
      <li className={`trace-line is-${label}`}>
        <span className="trace-time">{row.ts !== undefined && start !== undefined && `+${formatDuration(row.ts - start)}`}</span>
        <span className="badge plain">{label}</span>
        <div className="trace-text">
          <Content row={row} />
        </div>
      </li>
    );
  },
  (before, now) => before.row === now.row && before.version === now.version && before.start === now.start,
);

function labelOf(row: Row): string {
  switch (row.kind) {
    case "text":
      return row.stream === "stderr" ? "stderr" : row.type;
    case "step":
      return row.end?.status === "failed" ? "error" : "step";
    case "line":
      return row.line.type === "log" ? (row.line.level ?? "info") : row.line.type;
  }
}

function Content({ row }: { row: Row }) {
  switch (row.kind) {
    case "text":
      return <Cut text={row.text} />;
    case "step":
      return <Step row={row} />;
    case "line":
      return <Cut text={describe(row.line)} />;
  }
}

/** One line; its arguments and its result are below it. */
function Step({ row: { start, end } }: { row: Extract<Row, { kind: "step" }> }) {
  const [open, setOpen] = useState(false);
  const took = end?.durationMs ?? (end?.ts !== undefined && start.ts !== undefined ? end.ts - start.ts : undefined);
  const values = [
    ["Arguments", start.args],
    ["Result", end?.result],
    ["Error", end?.error],
  ] as const;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {start.name} {end?.status ?? "running"}
        {took !== undefined && `, ${formatDuration(took)}`}
      </summary>
      {open &&
        values.map(
          ([label, value]) =>
            value !== undefined && (
              <div key={label} className="trace-value">
                <strong>{label}</strong>
                <Cut text={readable(value)} />
              </div>
            ),
        )}
      {open && (start.truncated || end?.truncated) && (
        <p>Values of this step were cut, {formatSize((start.originalSize ?? 0) + (end?.originalSize ?? 0))} before.</p>
      )}
    </details>
  );
}

function Cut({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  return (
    <>
      {all ? text : text.slice(0, SHOWN_CHARS)}
      {!all && text.length > SHOWN_CHARS && (
        <button type="button" className="link" onClick={() => setAll(true)}>
          … Show all ({text.length.toLocaleString("en")} characters)
        </button>
      )}
    </>
  );
}
