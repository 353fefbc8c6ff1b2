import type { Diagram } from "./diagram-svg";

/** Longer sources stay text. */
const MAX_CHARS = 20_000;
/** A layout that takes longer is given up. */
const MAX_MILLIS = 8_000;

interface Reply {
  id: number;
  drawn?: Diagram;
  problem?: string;
}

type Done = (drawn: Diagram | null, problem?: string) => void;

let worker: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, Done>();

/**
 * Shows the diagram of a block of code, as a picture: in a picture no script runs and nothing is loaded. What cannot be
 * drawn stays code.
 */
export function showDiagram(block: Element, source: string): void {
  if (block.querySelector(".diagram") || source.length > MAX_CHARS) return;
  draw(source, (drawn, problem) => {
    if (drawn) show(block, source, drawn);
    else if (problem) block.querySelector(".code-head span")?.setAttribute("title", `Not drawn: ${problem}`);
  });
}

function draw(source: string, done: Done): void {
  worker ??= started();
  const id = ++lastId;
  const timer = setTimeout(() => giveUp(), MAX_MILLIS);
  waiting.set(id, (drawn, problem) => {
    clearTimeout(timer);
    waiting.delete(id);
    done(drawn, problem);
  });
  worker.postMessage({ id, source });
}

function started(): Worker {
  const made = new Worker(new URL("./diagram-worker.ts", import.meta.url), { type: "module" });
  made.onmessage = ({ data }: MessageEvent<Reply>) => waiting.get(data.id)?.(data.drawn ?? null, data.problem);
  made.onerror = () => giveUp();
  return made;
}

/** The next diagram gets another worker. */
function giveUp(): void {
  worker?.terminate();
  worker = null;
  [...waiting.values()].forEach((done) => done(null, "the layout took too long"));
}

function show(block: Element, source: string, drawn: Diagram): void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "diagram";
  button.title = "Show in full size";
  button.dataset.code = "size";
  button.append(picture(source, drawn.light, "for-light"), picture(source, drawn.dark, "for-dark"));
  const toggle = document.createElement("button");
  toggle.type = "button";
  toggle.dataset.code = "source";
  toggle.setAttribute("aria-pressed", "false");
  toggle.textContent = "Source";
  block.querySelector(".code-head span")?.after(toggle);
  block.querySelector("pre")?.before(button);
  block.classList.add("drawn");
}

function picture(source: string, svg: string, className: string): HTMLImageElement {
  const image = new Image();
  image.className = className;
  image.alt = `Diagram: ${source.trim().slice(0, 300)}`;
  image.onerror = () => asCode(image); // its text was not well-formed
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  return image;
}

function asCode(image: HTMLImageElement): void {
  const block = image.closest(".code");
  block?.classList.remove("drawn");
  block?.querySelector("[data-code=source]")?.remove();
  block?.querySelector(".diagram")?.remove();
}
