import { render } from "katex";
import "katex/dist/katex.min.css";

const MAX_EXPANSIONS = 1_000;
const MAX_EM = 50;

/** Draws the formulas of a block. One that KaTeX does not understand stays as it was written, with the reason as its title. */
export function drawFormulas(block: HTMLElement): void {
  for (const element of block.querySelectorAll<HTMLElement>("[data-math]:not([data-drawn])")) {
    const source = element.textContent ?? "";
    element.dataset.drawn = "";
    try {
      render(source, element, {
        displayMode: element.dataset.math === "display",
        throwOnError: true,
        strict: "ignore",
        trust: false,
        maxExpand: MAX_EXPANSIONS,
        maxSize: MAX_EM,
      });
    } catch (error) {
      element.textContent = source;
      element.title = error instanceof Error ? error.message : String(error);
    }
  }
}
