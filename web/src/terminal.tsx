import { useLayoutEffect, useMemo, useRef } from "react";
import { shownBy } from "./terminal-text";
import type { OutputPiece } from "./types";

/** What a command prints, like a terminal: the end stays in sight unless the reader scrolls up. */
export default function Terminal({ output, omitted }: { output: OutputPiece[]; omitted?: number | undefined }) {
  const element = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  const runs = useMemo(() => shownBy(output), [output]);
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
      {runs.map((run, index) => (
        <span key={index} className={run.className}>
          {run.text}
        </span>
      ))}
    </pre>
  );
}
