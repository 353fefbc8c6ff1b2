import { drawDiagram } from "./diagram-svg";

// elkjs takes a thread without a document for a worker of its own, and then it does not work for others. Its caller sets
// `self` again after it was made, which a thread does not allow by itself.
Object.defineProperty(globalThis, "document", { value: null });
Object.defineProperty(globalThis, "self", { value: globalThis, writable: true, configurable: true });

/** Draws in a thread of its own: the layout of a large diagram would stop the page. */
addEventListener("message", ({ data }: MessageEvent<{ id: number; source: string }>) => {
  try {
    postMessage({ id: data.id, drawn: drawDiagram(data.source) });
  } catch (error) {
    postMessage({ id: data.id, problem: error instanceof Error ? error.message : String(error) });
  }
});
