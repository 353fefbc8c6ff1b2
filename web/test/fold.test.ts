import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { EMPTY, fold, finalContent } from "../src/fold";
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
});
