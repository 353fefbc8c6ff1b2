import { useEffect, useRef, useState } from "react";
import { getJson } from "./api";
import { plural } from "./format";
import type { FileText, FileTextPart } from "./types";

const POLL_MILLIS = 1_000;
const ROWS = 500;

/** The text of a document as the server has read it. */
export default function DocumentPreview({ url, page }: { url: string; page?: number | undefined }) {
  const { text, error } = useText(url);
  const body = useRef<HTMLDivElement>(null);
  const ready = text?.status === "ready";
  useEffect(() => {
    if (ready && page !== undefined && page > 1) body.current?.querySelector(`[data-part="${page}"]`)?.scrollIntoView();
  }, [ready, page]);
  if (error) return <p className="preview-note">{error}</p>;
  if (!text || text.status === "pending")
    return (
      <p className="preview-note" role="status">
        <span className="spinner" /> {text?.problem ?? "Reading the document…"}
      </p>
    );
  if (text.status !== "ready")
    return <p className="preview-note">{text.problem ?? "This file has no text to show."}</p>;
  return (
    <div className="document" ref={body} tabIndex={0} role="region" aria-label="Text of the document">
      {text.problem && <p className="preview-note">{text.problem}</p>}
      {joined(text.parts).map((part) => (
        <section key={`${part.kind}:${part.number}`} data-part={part.number}>
          <h3>{headingOf(part)}</h3>
          {part.picture ? <p className="preview-note">A picture without text.</p> : <Blocks text={part.text} />}
        </section>
      ))}
    </div>
  );
}

/** A long part comes in pieces with the same kind and number. */
function joined(parts: FileTextPart[]): FileTextPart[] {
  const whole: FileTextPart[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (last && last.kind === part.kind && last.number === part.number) last.text += `\n${part.text}`;
    else whole.push({ ...part });
  }
  return whole;
}

function headingOf({ kind, number, title }: FileTextPart): string {
  const label = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${number}`;
  return title ? `${label}: ${title}` : label;
}

const isRow = (line: string) => line.includes("|");
const cells = (line: string) => line.replace(/^\s*\|/, "").replace(/\|\s*$/, "").split("|").map((cell) => cell.trim());
const isRule = (line: string) => /^[\s|:-]+$/.test(line);

/** Headings, lists, tables and paragraphs; everything is shown as text. */
function Blocks({ text }: { text: string }) {
  const lines = text.split("\n");
  const blocks: React.ReactNode[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const from = at;
    const test = isRow(line) ? isRow : line.startsWith("- ") ? (next: string) => next.startsWith("- ") : null;
    while (test && at < lines.length && test(lines[at] ?? "")) at++;
    if (!test) at++;
    const group = lines.slice(from, at);
    if (isRow(line)) blocks.push(<Rows key={from} lines={group} />);
    else if (test)
      blocks.push(
        <ul key={from}>
          {group.map((item, index) => (
            <li key={index}>{item.slice(2)}</li>
          ))}
        </ul>,
      );
    else if (/^#{1,6} /.test(line)) blocks.push(<h4 key={from}>{line.replace(/^#+ /, "")}</h4>);
    else if (line.trim() !== "") blocks.push(<p key={from} dir="auto">{line}</p>);
  }
  return <>{blocks}</>;
}

function Rows({ lines }: { lines: string[] }) {
  const rows = lines.filter((line) => !isRule(line)).map(cells);
  return (
    <div className="table" role="region" aria-label="Table" tabIndex={0}>
      <table>
        <tbody>
          {rows.slice(0, ROWS).map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > ROWS && <p className="preview-note">{plural(rows.length - ROWS, "more row")} in the file.</p>}
    </div>
  );
}

function useText(url: string) {
  const [state, setState] = useState<{ text?: FileText; error?: string }>({});
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const load = () =>
      void getJson<FileText>(url, controller.signal).then(
        (text) => {
          if (controller.signal.aborted) return;
          setState({ text });
          if (text.status === "pending") timer = setTimeout(load, POLL_MILLIS);
        },
        (error: unknown) => !controller.signal.aborted && setState({ error: (error as Error).message }),
      );
    setState({});
    load();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [url]);
  return state;
}
