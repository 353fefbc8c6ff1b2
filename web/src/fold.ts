import type { Block, EndBlock, Line, OutputPiece, RunUsage, StepBlock } from "./types";

/**
 * Folds the lines of a run into the content of its message, by the same rules as the server.
 * Golden files test both, so a reload shows the same as the stream.
 */
export interface Fold {
  readonly blocks: readonly Block[];
  /** How many of the blocks came before the text and the thoughts since the last step. */
  readonly settled: number;
  /** The blocks without what a retry withdraws. */
  readonly kept: readonly Block[];
  /** The call of a model that is repeated, until something of it arrives. */
  readonly retry: Line | null;
  /** What a person must answer before its step goes on. */
  readonly asks: readonly Line[];
  /** The attempt of a run that was continued after an interruption; 1 when it was not. */
  readonly attempt: number;
  /** The place of the run in the queue for a free sandbox; 0 when it does not wait. */
  readonly position: number;
  readonly usage: RunUsage | null;
  readonly stopped: string | null;
}

export const EMPTY: Fold = {
  blocks: [],
  settled: 0,
  kept: [],
  retry: null,
  asks: [],
  attempt: 1,
  position: 0,
  usage: null,
  stopped: null,
};

/** What a message has of the output of one step, from its end. */
export const OUTPUT_CHARS = 16_384;

export function fold(state: Fold, line: Line): Fold {
  switch (line.type) {
    case "step":
      return line.status === "running" ? startStep(state, line) : endStep(state, line);
    case "delta":
      return append(state, "text", line.text ?? "");
    case "thinking":
      return append(state, "thinking", line.text ?? "");
    case "output":
      return print(state, line);
    case "usage":
      return { ...state, kept: state.blocks, usage: add(state.usage, line) };
    case "retry":
      return { ...state, blocks: state.kept, retry: line };
    case "ask":
      return ask(state, line);
    case "steer":
      return hear(state, line);
    case "queued":
      return { ...state, position: line.position ?? 0 };
    case "resumed":
      return resume(state, line);
    case "result":
      return close(state, line);
    default:
      return state; // logs are in the trace only; the end block reports a failure
  }
}

/** The content after the end of the run; steps that were still running were interrupted. */
export function finalContent(state: Fold, end?: EndBlock): Block[] {
  const blocks: Block[] = state.blocks.map((block) =>
    block.type === "step" && !hasEnded(block) ? interrupted(block) : block,
  );
  if (state.stopped !== null) blocks.push({ type: "stopped", reason: state.stopped });
  if (state.usage) blocks.push({ type: "usage", ...state.usage });
  if (end) blocks.push(end);
  return blocks;
}

function startStep(state: Fold, line: Line): Fold {
  const before = findStep(state, line.id);
  if (before && hasEnded(before)) {
    return state; // a late repetition of a step that has ended
  }
  return put(state, {
    type: "step",
    id: line.id ?? "",
    name: line.name ?? "",
    status: "running",
    args: line.args,
    startedAt: before?.startedAt ?? line.ts,
    output: before?.output,
    outputOmitted: before?.outputOmitted,
    truncated: line.truncated,
    originalSize: line.originalSize,
  });
}

/** The step of a call that waits for a person; the line may be repeated. */
function ask(state: Fold, line: Line): Fold {
  if (findStep(state, line.id)) return state;
  const waiting = put(state, {
    type: "step",
    id: line.id ?? "",
    name: line.tool ?? "",
    status: "waiting",
    args: line.args,
    truncated: line.truncated,
    originalSize: line.originalSize,
  });
  return { ...waiting, asks: [...state.asks, line] };
}

/** After the answers of a person a run is continued too, and nothing was interrupted. */
function resume(state: Fold, line: Line): Fold {
  const attempt = state.asks.length > 0 ? state.attempt : (line.attempt ?? 2);
  return { ...state, blocks: state.kept, retry: null, attempt };
}

/** It separates what was said before it from the answer; the line may be repeated. */
function hear(state: Fold, line: Line): Fold {
  const heard: Block = { type: "steer", messageId: line.messageId ?? "", text: line.text ?? "" };
  if (state.blocks.some((block) => block.type === "steer" && block.messageId === heard.messageId)) return state;
  const blocks = [...state.blocks, heard];
  return { ...state, blocks, settled: blocks.length, kept: blocks, retry: null };
}

function hasEnded(step: StepBlock): boolean {
  return step.status !== "running" && step.status !== "waiting";
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
    output: before?.output,
    outputOmitted: before?.outputOmitted,
    truncated: line.truncated ?? before?.truncated,
    originalSize: sum(before?.originalSize, line.originalSize),
  });
}

/** Arguments and result may both be cut. */
function sum(args: number | undefined, result: number | undefined): number | undefined {
  return args === undefined ? result : args + (result ?? 0);
}

/** Streamed text is appended to the last block of its kind; a block begins with no white space. */
function append(state: Fold, type: "text" | "thinking", text: string): Fold {
  const last = state.blocks.length > state.settled ? state.blocks.at(-1) : undefined;
  if (last?.type === type) {
    const longer: Block = { type, text: last.text + text };
    return { ...state, blocks: [...state.blocks.slice(0, -1), longer], retry: null };
  }
  const begin = text.replace(/^[ \t\r\n]+/, "");
  return begin === "" ? state : { ...state, blocks: [...state.blocks, { type, text: begin }], retry: null };
}

/** What a step prints is part of it, whether a retry comes or not. */
function print(state: Fold, line: Line): Fold {
  const printed = (blocks: readonly Block[]) =>
    blocks.map((block) => (block.type === "step" && block.id === line.id ? withOutput(block, line) : block));
  return { ...state, blocks: printed(state.blocks), kept: printed(state.kept) };
}

function withOutput(step: StepBlock, line: Line): StepBlock {
  const pieces: OutputPiece[] = [...(step.output ?? [])];
  const stream = line.stream === "stderr" ? "stderr" : "stdout";
  const last = pieces.at(-1);
  if (last?.stream === stream) pieces[pieces.length - 1] = { stream, text: last.text + (line.text ?? "") };
  else pieces.push({ stream, text: line.text ?? "" });
  const omitted = dropBeginning(pieces);
  return {
    ...step,
    output: pieces,
    ...(omitted > 0 ? { outputOmitted: (step.outputOmitted ?? 0) + omitted } : {}),
  };
}

/** Drops what is too much from the beginning and returns how many characters that were. */
function dropBeginning(pieces: OutputPiece[]): number {
  let rest = pieces.reduce((sum, piece) => sum + piece.text.length, 0) - OUTPUT_CHARS;
  let dropped = 0;
  while (rest > 0) {
    const first = pieces[0];
    if (!first) break;
    let cut = Math.min(rest, first.text.length);
    if (/[\udc00-\udfff]/.test(first.text.charAt(cut))) cut++; // a character of two parts
    if (cut === first.text.length) pieces.shift();
    else pieces[0] = { ...first, text: first.text.slice(cut) };
    dropped += cut;
    rest -= cut;
  }
  return dropped;
}

function add(before: RunUsage | null, line: Line): RunUsage {
  return {
    inputTokens: (before?.inputTokens ?? 0) + (line.inputTokens ?? 0),
    outputTokens: (before?.outputTokens ?? 0) + (line.outputTokens ?? 0),
    cacheReadTokens: (before?.cacheReadTokens ?? 0) + (line.cacheReadTokens ?? 0),
    cacheWriteTokens: (before?.cacheWriteTokens ?? 0) + (line.cacheWriteTokens ?? 0),
  };
}

/** The result is the whole answer: it replaces the text that was streamed since the last step. */
function close(state: Fold, line: Line): Fold {
  const blocks = state.blocks.filter((block, index) => index < state.settled || block.type !== "text");
  if (line.message) blocks.push({ type: "text", text: line.message });
  return {
    ...state,
    blocks,
    settled: blocks.length,
    kept: blocks,
    retry: null,
    usage: line.usage ?? state.usage,
    stopped: line.stopped ?? null,
  };
}

function findStep(state: Fold, id: string | undefined): StepBlock | undefined {
  return state.blocks.find((block): block is StepBlock => block.type === "step" && block.id === id);
}

function put(state: Fold, step: StepBlock): Fold {
  const position = state.blocks.findIndex((block) => block.type === "step" && block.id === step.id);
  const isNew = position < 0;
  const blocks = isNew ? [...state.blocks, step] : state.blocks.with(position, step);
  return {
    ...state,
    blocks,
    settled: isNew ? blocks.length : state.settled,
    kept: blocks,
    retry: null,
    asks: state.asks.filter((ask) => ask.id !== step.id),
  };
}

function interrupted(step: StepBlock): StepBlock {
  const { type, id, name, args, startedAt, output, outputOmitted, truncated, originalSize } = step;
  return { type, id, name, status: "interrupted", args, startedAt, output, outputOmitted, truncated, originalSize };
}
