import type { OutputPiece } from "./types";

/** Characters that look the same. */
export interface Run {
  text: string;
  className: string;
}

interface Cell {
  text: string;
  className: string;
}

/** How the next characters look. */
interface Style {
  colour: string;
  bold: boolean;
  dim: boolean;
}

const PLAIN: Style = { colour: "", bold: false, dim: false };
const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** A sequence of a terminal: of a command with its values, of a title, or of one character. The last may be cut. */
// eslint-disable-next-line no-control-regex -- these are what terminals are told with
const SEQUENCE = /\u001b(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[()#][0-9A-Za-z]|[0-9=>A-Za-z]|\[[0-?]*[ -/]*$|\][^\u0007\u001b]*\u001b?$|$)/y;

/** Far to the right is nothing that a program writes on purpose. */
const MAX_COLUMNS = 1_000;
const MAX_ROWS_UP = 200;
const MAX_SEQUENCE = 4_096;

/** What a terminal would show: a line that a program writes again is one line, colours are names of classes. */
export function shownBy(output: readonly OutputPiece[]): Run[] {
  // eslint-disable-next-line no-control-regex
  if (!output.some(({ text }) => /[\u0000-\u0008\u000b-\u001f\u007f]/.test(text)))
    return output.map(({ text, stream }) => ({ text, className: stream }));
  const screen = new Screen();
  let rest = "";
  for (const { text, stream } of output) rest = screen.write(rest + text, stream);
  return screen.runs();
}

/** The same without colours. */
export const plainText = (text: string) =>
  shownBy([{ stream: "stdout", text }])
    .map((run) => run.text)
    .join("");

class Screen {
  private readonly rows: Cell[][] = [[]];
  private row = 0;
  private column = 0;
  private style = PLAIN;

  /** Returns the beginning of a sequence that is not whole. */
  write(text: string, stream: string): string {
    for (let at = 0; at < text.length; ) {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      if (character === "\u001b") {
        SEQUENCE.lastIndex = at;
        const found = SEQUENCE.exec(text);
        if (found && found[2] === undefined && at + found[0].length === text.length) return found[0].length < MAX_SEQUENCE ? found[0] : "";
        if (found?.[2] !== undefined) this.command(found[2], found[1] ?? "");
        at += found?.[0].length ?? 1;
        continue;
      }
      this.character(character, stream);
      at += character.length;
    }
    return "";
  }

  private character(character: string, stream: string): void {
    switch (character) {
      case "\n":
        this.row++;
        if (this.row === this.rows.length) this.rows.push([]);
        this.column = 0;
        return;
      case "\r":
        this.column = 0;
        return;
      case "\b":
        this.column = Math.max(0, this.column - 1);
        return;
      default:
        if (character < " " && character !== "\t") return;
        if (character === "\u007f") return;
        this.put(character, stream);
    }
  }

  private put(character: string, stream: string): void {
    const line = this.line();
    while (line.length < this.column) line.push({ text: " ", className: stream });
    line[this.column++] = { text: character, className: classOf(stream, this.style) };
  }

  private line(): Cell[] {
    return (this.rows[this.row] ??= []);
  }

  private command(name: string, values: string): void {
    const count = Math.max(1, Number.parseInt(values, 10) || 1);
    if (name === "m") this.style = styled(this.style, values.split(/[;:]/).map(Number));
    else if (name === "K") this.erase(Number.parseInt(values, 10) || 0);
    else if (name === "A") this.row = Math.max(0, this.row - Math.min(count, MAX_ROWS_UP));
    else if (name === "B") this.row = Math.min(this.rows.length - 1, this.row + count);
    else if (name === "C") this.column = Math.min(MAX_COLUMNS, this.column + count);
    else if (name === "D") this.column = Math.max(0, this.column - count);
    else if (name === "G") this.column = Math.min(MAX_COLUMNS, count - 1);
  }

  private erase(what: number): void {
    const line = this.line();
    if (what === 0) line.length = Math.min(line.length, this.column);
    else if (what === 2) line.length = 0;
    else for (let at = 0; at <= this.column && at < line.length; at++) line[at] = { text: " ", className: "stdout" };
  }

  runs(): Run[] {
    const runs: Run[] = [];
    const add = ({ text, className }: Cell) => {
      const last = runs.at(-1);
      if (last?.className === className) last.text += text;
      else runs.push({ text, className });
    };
    this.rows.forEach((line, index) => {
      line.forEach(add);
      if (index < this.rows.length - 1) add({ text: "\n", className: runs.at(-1)?.className ?? "stdout" });
    });
    return runs;
  }
}

function classOf(stream: string, { colour, bold, dim }: Style): string {
  return [stream, colour, bold ? "bold" : "", dim ? "dim" : ""].filter((name) => name !== "").join(" ");
}

function styled(before: Style, codes: number[]): Style {
  let style = before;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 0) style = PLAIN;
    else if (code === 1) style = { ...style, bold: true };
    else if (code === 2) style = { ...style, dim: true };
    else if (code === 22) style = { ...style, bold: false, dim: false };
    else if (code === 39) style = { ...style, colour: "" };
    else if (code === 38 || code === 48) at += codes[at + 1] === 5 ? 2 : 4; // one of many colours: not shown
    else {
      const colour = code >= 90 && code <= 97 ? COLOURS[code - 90] : code >= 30 && code <= 37 ? COLOURS[code - 30] : undefined;
      if (colour) style = { ...style, colour: `ansi-${colour}` };
    }
  }
  return style;
}
