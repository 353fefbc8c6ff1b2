import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { EMPTY, OUTPUT_CHARS, fold, finalContent } from "../src/fold";
import { waitingText } from "../src/progress";
import type { Block, EndBlock, Line } from "../src/types";

interface Vector {
  name: string;
  lines: Line[];
  end?: Omit<EndBlock, "type">;
  content: Block[];
}

/** The same file that the test of the server reads. */
const golden = "../server/src/test/resources/golden/transcripts.json";
const vectors = JSON.parse(readFileSync(golden, "utf8")) as Vector[];

describe("the fold of events into a message", () => {
  test.each(vectors)("$name", ({ lines, end, content }) => {
    const folded = lines.reduce(fold, EMPTY);
    const blocks = finalContent(folded, end && { type: "end", ...end });
    expect(JSON.parse(JSON.stringify(blocks))).toEqual(content);
  });

  test("leaves the state before a line as it was", () => {
    const one = fold(EMPTY, { type: "delta", text: "a" });
    fold(one, { type: "delta", text: "b" });
    expect(one.blocks).toEqual([{ type: "text", text: "a" }]);
  });

  test("keeps the end of much output and counts the rest", () => {
    const lines: Line[] = [
      { type: "step", id: "a", name: "sh", status: "running" },
      { type: "output", id: "a", stream: "stderr", text: "oh\n" },
      { type: "output", id: "a", stream: "stdout", text: "y\n".repeat(OUTPUT_CHARS) },
    ];
    const [step] = lines.reduce(fold, EMPTY).blocks;
    expect(step).toMatchObject({
      output: [{ stream: "stdout", text: "y\n".repeat(OUTPUT_CHARS / 2) }],
      outputOmitted: OUTPUT_CHARS + 3,
    });
  });

  test("says that a run was continued", () => {
    const resumed = fold(fold(EMPTY, { type: "delta", text: "Hal" }), { type: "resumed", attempt: 3 });
    expect(resumed.blocks).toEqual([]);
    expect(fold(resumed, { type: "delta", text: "A" }).attempt).toBe(3);
  });

  test("does not say so after the answer to an ask", () => {
    const lines: Line[] = [
      { type: "ask", id: "a", kind: "approval", tool: "sh", args: {} },
      { type: "resumed", attempt: 2 },
      { type: "step", id: "a", name: "sh", status: "running" },
    ];
    const answered = lines.reduce(fold, EMPTY);
    expect(answered.attempt).toBe(1);
    expect(fold(answered, { type: "resumed", attempt: 3 }).attempt).toBe(3);
  });

  test("says where a run waits until it starts", () => {
    const waiting = fold(EMPTY, { type: "queued", position: 3 });
    expect(waitingText(waiting.position)).toBe("Waiting for a free place: 3rd in the queue");
    expect(waitingText(11)).toBe("Waiting for a free place: 11th in the queue");
    expect(fold(waiting, { type: "queued", position: 0 }).position).toBe(0);
  });

  test("says that a call is repeated until something of it arrives", () => {
    const retry: Line = { type: "retry", attempt: 1, delayMs: 4_000, code: "529", message: "busy" };
    const waiting = fold(fold(EMPTY, { type: "delta", text: "Hal" }), retry);
    expect(waiting.retry).toEqual(retry);
    expect(waiting.blocks).toEqual([]);
    expect(fold(waiting, { type: "delta", text: "A" }).retry).toBeNull();
    expect(fold(waiting, { type: "thinking", text: "A" }).retry).toBeNull();
  });
});
