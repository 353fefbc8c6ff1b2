import { renderMermaidSVG } from "beautiful-mermaid";

/** The same diagram for a light and for a dark page, each as the text of an SVG. */
export interface Diagram {
  readonly light: string;
  readonly dark: string;
}

/** The colours of style.css: a picture does not see the variables of its page. */
const LIGHT = { bg: "#fbf9f6", fg: "#26211c", line: "#7d7368", accent: "#a34d14", muted: "#655b50", surface: "#f2eee8", border: "#9a8f82" };
const DARK = { bg: "#191715", fg: "#ece6df", line: "#9a8f82", accent: "#eda468", muted: "#b3a99d", surface: "#2d2925", border: "#7d7368" };

/** Flowcharts, and sequence, state, class, entity and bar diagrams; throws for what it does not understand. */
export function drawDiagram(source: string): Diagram {
  return { light: draw(source, LIGHT), dark: draw(source, DARK) };
}

function draw(source: string, colours: typeof LIGHT): string {
  const svg = renderMermaidSVG(source, { ...colours, font: "system-ui", padding: 16 });
  return svg.replace(/\s*@import url\('[^']*'\);/g, ""); // fonts of another server, which a picture could not load
}
