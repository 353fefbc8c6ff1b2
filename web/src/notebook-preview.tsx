import { Markdown } from "./markdown-text";

interface Cell {
  cell_type?: string;
  source?: string | string[];
  outputs?: Output[];
  execution_count?: number | null;
}

interface Output {
  text?: string | string[];
  data?: Record<string, string | string[]>;
  ename?: string;
  evalue?: string;
  traceback?: string[];
}

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join("") : typeof value === "string" ? value : "";

/** The cells of a Jupyter notebook. Pictures and text of outputs are shown; HTML and scripts are not run. */
export default function NotebookPreview({ text }: { text: string }) {
  const cells = parse(text);
  if (!cells) return <p className="preview-note">This notebook cannot be read.</p>;
  return (
    <div className="notebook" tabIndex={0} role="region" aria-label="Notebook">
      {cells.map((cell, index) => (
        <section key={index} className="cell">
          {cell.cell_type === "markdown" ? (
            <Markdown text={textOf(cell.source)} live={false} />
          ) : (
            <pre className="preview-text">
              <code>{textOf(cell.source)}</code>
            </pre>
          )}
          {(Array.isArray(cell.outputs) ? cell.outputs : []).map((output, place) => (
            <CellOutput key={place} output={output} />
          ))}
        </section>
      ))}
    </div>
  );
}

export function parse(text: string): Cell[] | null {
  try {
    const { cells } = JSON.parse(text) as { cells?: unknown };
    return Array.isArray(cells) ? cells.filter((cell): cell is Cell => typeof cell === "object" && cell !== null) : null;
  } catch {
    return null;
  }
}

function CellOutput({ output }: { output: Output }) {
  const type = ["image/png", "image/jpeg", "image/gif"].find((found) => output.data?.[found]);
  if (type)
    return (
      <img className="cell-picture" alt="Output" src={`data:${type};base64,${textOf(output.data?.[type]).replace(/\s/g, "")}`} />
    );
  const text = output.ename
    ? [`${output.ename}: ${output.evalue ?? ""}`, ...(output.traceback ?? [])].join("\n")
    : textOf(output.text) || textOf(output.data?.["text/plain"]);
  // eslint-disable-next-line no-control-regex -- colours of terminals
  return text === "" ? null : <pre className="cell-output">{text.replace(/\u001b\[[0-9;]*m/g, "")}</pre>;
}
