import { Suspense, lazy, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { request, sendJson } from "./api";
import { ChatFilesContext, folderOf } from "./chat-files";
import { parseCsv } from "./csv";
import { fileKind, formatSize } from "./format";
import { Boundary } from "./boundary";
import { Icon, type IconName } from "./icons";
import { Markdown } from "./markdown-text";
import { PreviewPane } from "./preview-pane";
import type { FileAttachment } from "./types";

export interface Previewed {
  name: string;
  url: string;
  size: number;
  mimeType: string;
  /** The address that saves the file as an asset. */
  saveUrl?: string;
  /** The address of the text that the server reads from documents. */
  textUrl?: string;
  /** The page to show first. */
  page?: number;
  /** What the paths in its text are relative to. */
  chat?: { chatId: string; path: string; files: readonly FileAttachment[] };
  /** The files that a person sees with it, in their order. */
  among?: readonly Previewed[];
}

const DocumentPreview = lazy(() => import("./document-preview"));
const LivePreview = lazy(() => import("./live-preview"));
const NotebookPreview = lazy(() => import("./notebook-preview"));

const TEXT_BYTES = 256 * 1024;
const ROWS = 500;
const HEX_BYTES = 256;
const LOADING = <p className="preview-note">Loading…</p>;

interface Props {
  file: Previewed;
  /** Shows another of the files that it is among. */
  show: (file: Previewed) => void;
  close: () => void;
}

export default function Preview({ file, show, close }: Props) {
  const among = file.among ?? [];
  const at = among.findIndex((one) => one.url === file.url);
  const other = (index: number) => {
    const next = among[index];
    if (next) show({ ...next, among });
  };
  return (
    <PreviewPane label={`Preview of ${file.name}`} close={close}>
      <header>
        <h2 title={file.name}>{file.name}</h2>
        <span className="chip-size">{formatSize(file.size)}</span>
        {at >= 0 && among.length > 1 && (
          <span className="preview-place">
            <Step icon="before" label="Previous file" disabled={at === 0} run={() => other(at - 1)} />
            {at + 1} / {among.length}
            <Step icon="chevron" label="Next file" disabled={at === among.length - 1} run={() => other(at + 1)} />
          </span>
        )}
        {file.saveUrl && <SaveButton key={file.saveUrl} url={file.saveUrl} />}
        <a className="button small" href={file.url} download={file.name}>
          <Icon name="download" />
          Download
        </a>
        <button type="button" className="icon-button" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div className="preview-body" key={file.url}>
        <Boundary fallback={<p className="preview-note">This file cannot be shown. Download it instead.</p>}>
          <Suspense fallback={LOADING}>
            <Paths file={file} show={show}>
              <Content file={file} />
            </Paths>
          </Suspense>
        </Boundary>
      </div>
    </PreviewPane>
  );
}

/** Links and pictures of a Markdown file lead from its folder. */
function Paths({ file, show, children }: { file: Previewed; show: (file: Previewed) => void; children: ReactNode }) {
  const { chat } = file;
  const files = useMemo(() => (chat ? { ...chat, folder: folderOf(chat.path), preview: show } : null), [chat, show]);
  return <ChatFilesContext value={files}>{children}</ChatFilesContext>;
}

function Step({ icon, label, disabled, run }: { icon: IconName; label: string; disabled: boolean; run: () => void }) {
  return (
    <button type="button" className="icon-button small" aria-label={label} title={label} disabled={disabled} onClick={run}>
      <Icon name={icon} />
    </button>
  );
}

/** The button shows the result itself, because a dialog hides notifications. */
function SaveButton({ url }: { url: string }) {
  const [state, setState] = useState("Save as asset");
  const save = () =>
    sendJson("POST", url).then(
      () => setState("Saved"),
      (error: unknown) => setState((error as Error).message),
    );
  return (
    <button type="button" className="button small" disabled={state === "Saved"} onClick={() => void save()}>
      <Icon name={state === "Saved" ? "check" : "box"} />
      {state}
    </button>
  );
}

function Content({ file }: { file: Previewed }) {
  switch (fileKind(file.name, file.mimeType)) {
    case "image":
      return <Picture file={file} />;
    case "pdf":
      return <Pdf file={file} />;
    case "csv":
      return <Start file={file} bytes={TEXT_BYTES} show={(bytes) => <Table bytes={bytes} />} />;
    case "text":
      return (
        <Start file={file} bytes={TEXT_BYTES} show={(bytes) => <Text file={file} bytes={bytes} />} />
      );
    case "live":
      return <Start file={file} bytes={LIVE_BYTES} show={(bytes) => <Live file={file} bytes={bytes} />} />;
    case "notebook":
      return <Start file={file} bytes={LIVE_BYTES} show={(bytes) => <NotebookPreview text={decoded(bytes)} />} />;
    case "audio":
      return <audio className="preview-media" controls src={file.url} aria-label={file.name} />;
    case "video":
      return <video className="preview-media" controls src={file.url} aria-label={file.name} />;
    case "document":
      if (file.textUrl) return <DocumentPreview url={file.textUrl} page={file.page} />;
      return <Unknown file={file} />;
    case "binary":
      return <Unknown file={file} />;
  }
}

const LIVE_BYTES = 8 * 1024 * 1024;
const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function Live({ file, bytes }: { file: Previewed; bytes: Uint8Array }) {
  return <LivePreview name={file.name} text={decoded(bytes)} source={<Text file={file} bytes={bytes} />} />;
}

/** A file of an unknown type is often text. */
function Unknown({ file }: { file: Previewed }) {
  return (
    <Start
      file={file}
      bytes={TEXT_BYTES}
      show={(bytes) =>
        isText(bytes.subarray(0, 4096)) && bytes.length > 0 ? (
          <Text file={file} bytes={bytes} />
        ) : (
          <Hex file={file} bytes={bytes.subarray(0, HEX_BYTES)} />
        )
      }
    />
  );
}

/** UTF-8 without control characters; the last character may be cut. */
export function isText(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    // eslint-disable-next-line no-control-regex -- these are what tells text from other bytes
    return !/[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/.test(text);
  } catch {
    return false;
  }
}

interface StartProps {
  file: Previewed;
  bytes: number;
  show: (bytes: Uint8Array) => React.ReactNode;
}

/** Reads only the beginning, so that a large file opens fast. */
function Start({ file, bytes, show }: StartProps) {
  const loaded = useLoaded(file, async (signal) => {
    if (file.size === 0) return new Uint8Array();
    const response = await request(file.url, { signal, headers: { Range: `bytes=0-${bytes - 1}` } });
    return new Uint8Array(await response.arrayBuffer()).subarray(0, bytes);
  });
  if (loaded.error) return <p className="preview-note">{loaded.error}</p>;
  if (!loaded.value) return <p className="preview-note">Loading…</p>;
  return (
    <>
      {file.size > bytes && bytes !== HEX_BYTES && (
        <p className="preview-note">Showing the first {formatSize(bytes)}.</p>
      )}
      {show(loaded.value)}
    </>
  );
}

function Text({ file, bytes }: { file: Previewed; bytes: Uint8Array }) {
  const code = useRef<HTMLElement>(null);
  const [plain, setPlain] = useState(false);
  const text = new TextDecoder().decode(bytes);
  const extension = file.name.slice(file.name.lastIndexOf(".") + 1).toLowerCase();
  const isMarkdown = extension === "md";
  useEffect(() => {
    const element = code.current;
    if (!element) return;
    void import("./highlight").then(({ highlightElement }) => setPlain(!highlightElement(element, extension)));
  }, [text, extension]);
  if (isMarkdown) return <Markdown text={text} live={false} />;
  return (
    <>
      {plain && <p className="preview-note">Without colours, because the text is long.</p>}
      <pre className="preview-text" tabIndex={0}>
        <code ref={code}>{text}</code>
      </pre>
    </>
  );
}

function Table({ bytes }: { bytes: Uint8Array }) {
  const rows = parseCsv(new TextDecoder().decode(bytes), ROWS + 1);
  const [header, ...body] = rows;
  if (!header) return <p className="preview-note">The file is empty.</p>;
  const side = header.map((_, column) => (isNumeric(body, column) ? "align-right" : undefined));
  return (
    <>
      <p className="preview-note">
        {rows.length > ROWS ? `The first ${ROWS} rows` : `${body.length} rows`}, {header.length} columns
      </p>
      <div className="table" role="region" aria-label="Table" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {header.map((cell, index) => (
                <th key={index} scope="col" className={side[index]}>{cell}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {body.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column} className={side[column]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

const NUMBER = /^\s*[-+]?[\d.,]+\s*%?\s*$/;

/** Whether a column contains only numbers, which are aligned to the right. */
function isNumeric(rows: string[][], column: number): boolean {
  const cells = rows.map((row) => row[column] ?? "").filter((cell) => cell !== "");
  return cells.length > 0 && cells.every((cell) => NUMBER.test(cell));
}

function Hex({ file, bytes }: { file: Previewed; bytes: Uint8Array }) {
  return (
    <>
      <p className="preview-note">
        This kind of file ({file.mimeType}) cannot be shown. Its first {bytes.length} bytes:
      </p>
      <pre className="preview-text" tabIndex={0}>
        {hexLines(bytes)}
      </pre>
    </>
  );
}

export function hexLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${hex.padEnd(47)}  ${text}`);
  }
  return lines.join("\n");
}

function Picture({ file }: { file: Previewed }) {
  const [size, setSize] = useState("");
  return (
    <figure className="preview-picture">
      <img
        src={file.url}
        alt={file.name}
        onLoad={(event) =>
          setSize(`${event.currentTarget.naturalWidth} × ${event.currentTarget.naturalHeight}`)
        }
      />
      <figcaption>{size}</figcaption>
    </figure>
  );
}

/** The PDF viewer of the browser, from a blob, because the server sends downloads as attachments. */
function Pdf({ file }: { file: Previewed }) {
  const loaded = useLoaded(file, async (signal) => {
    const bytes = await (await request(file.url, { signal })).arrayBuffer();
    return URL.createObjectURL(new Blob([bytes], { type: "application/pdf" }));
  });
  useEffect(() => {
    const url = loaded.value;
    return () => {
      if (url) URL.revokeObjectURL(url);
    };
  }, [loaded.value]);
  if (!navigator.pdfViewerEnabled)
    return <p className="preview-note">This browser does not show PDF files. Download it instead.</p>;
  if (loaded.error) return <p className="preview-note">{loaded.error}</p>;
  if (!loaded.value) return <p className="preview-note">Loading…</p>;
  return <iframe className="preview-pdf" title={file.name} src={file.page === undefined ? loaded.value : `${loaded.value}#page=${file.page}`} />;
}

function useLoaded<T>(file: Previewed, load: (signal: AbortSignal) => Promise<T>) {
  const [state, setState] = useState<{ value?: T; error?: string }>({});
  useEffect(() => {
    const controller = new AbortController();
    setState({});
    load(controller.signal).then(
      (value) => !controller.signal.aborted && setState({ value }),
      (error: unknown) => !controller.signal.aborted && setState({ error: String((error as Error).message) }),
    );
    return () => controller.abort();
  }, [file.url]);
  return state;
}
