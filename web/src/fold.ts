import type { Block, EndBlock, Line, StepBlock } from "./types";

/**
 * Folds the lines of a run into the content of its message, by the same rules as the server.
 * Golden files test both, so a reload shows the same as the stream.
 */
export interface Fold {
  readonly blocks: readonly Block[];
  readonly textOpen: boolean;
}

export const EMPTY: Fold = { blocks: [], textOpen: false };

export function fold(state: Fold, line: Line): Fold {
  switch (line.type) {
    case "step":
      return line.status === "running" ? startStep(state, line) : endStep(state, line);
    case "delta":
      return append(state, line.text ?? "");
    case "result":
      return close(state, line.message ?? "");
    default:
      return state; // logs are in the trace only; the end block reports a failure
  }
}

/** The content after the end of the run; steps that were still running were interrupted. */
export function finalContent(state: Fold, end?: EndBlock): Block[] {
  const blocks = state.blocks.map((block) =>
    block.type === "step" && block.status === "running" ? interrupted(block) : block,
  );
  return end ? [...blocks, end] : blocks;
}

function startStep(state: Fold, line: Line): Fold {
  const before = findStep(state, line.id);
  if (before && before.status !== "running") {
    return state; // a late repetition of a step that has ended
  }
  return put(state, {
    type: "step",
    id: line.id ?? "",
    name: line.name ?? "",
    status: "running",
    args: line.args,
    startedAt: before ? before.startedAt : line.ts,
    truncated: line.truncated,
    originalSize: line.originalSize,
  });
}

function endStep(state: Fold, line: Line): Fold {
  const before = findStep(state, line.id);
  return put(state, {
    type: "step",
    id: line.id ?? "",
    name: line.name ?? "",
    status: line.status === "succeeded" ? "succeeded" : "failed",
    args: before?.args,
    result: line.result,
    error: line.error,
    durationMs: line.durationMs,
    startedAt: before?.startedAt,
    endedAt: line.ts,
    truncated: line.truncated ?? before?.truncated,
    originalSize: sum(before?.originalSize, line.originalSize),
  });
}

/** Arguments and result may both be cut. */
function sum(args: number | undefined, result: number | undefined): number | undefined {
  return args === undefined ? result : args + (result ?? 0);
}

/** Streamed text is appended to the last block until the next step. */
function append(state: Fold, text: string): Fold {
  const last = state.blocks.at(-1);
  if (state.textOpen && last?.type === "text") {
    return {
      blocks: [...state.blocks.slice(0, -1), { type: "text", text: last.text + text }],
      textOpen: true,
    };
  }
  return { blocks: [...state.blocks, { type: "text", text }], textOpen: true };
}

/** The result is the whole answer: it replaces the text that was streamed since the last step. */
function close(state: Fold, message: string): Fold {
  const blocks = state.textOpen ? state.blocks.slice(0, -1) : state.blocks;
  return {
    blocks: message === "" ? blocks : [...blocks, { type: "text", text: message }],
    textOpen: false,
  };
}

function findStep(state: Fold, id: string | undefined): StepBlock | undefined {
  return state.blocks.find((block): block is StepBlock => block.type === "step" && block.id === id);
}

function put(state: Fold, step: StepBlock): Fold {
  const position = state.blocks.findIndex((block) => block.type === "step" && block.id === step.id);
  if (position < 0) {
    return { blocks: [...state.blocks, step], textOpen: false };
  }
  return { blocks: state.blocks.with(position, step), textOpen: state.textOpen };
}

function interrupted(step: StepBlock): StepBlock {
  const { type, id, name, args, startedAt, truncated, originalSize } = step;
  return { type, id, name, status: "interrupted", args, startedAt, truncated, originalSize };
}
