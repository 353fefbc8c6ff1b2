import { expect, test } from "vitest";
import { diffLines } from "../src/step-detail";
import { reasonOf } from "../src/steps";
import type { StepBlock } from "../src/types";

const failed = (error: unknown, output?: string) =>
  ({
    type: "step",
    id: "a",
    name: "sh",
    status: "failed",
    error,
    ...(output ? { output: [{ stream: "stdout", text: output }] } : {}),
  }) as StepBlock;

test("the reason of a failed step is the line in which a program says it", () => {
  expect(reasonOf(failed("no such file"))).toBe("no such file");
  expect(reasonOf(failed("line 1\nline 2\noops\n(exit code 3)"))).toBe("oops (exit code 3)");
  expect(reasonOf(failed("(exit code 3)"))).toBe("(exit code 3)");
  expect(reasonOf(failed("Traceback (most recent call last):\n  File x\nValueError: bad"))).toBe("ValueError: bad");
  expect(reasonOf(failed(undefined, "half\nlast words\n"))).toBe("last words");
  expect(reasonOf(failed(undefined, "10 %\r50 %\r\u001b[31mno space\u001b[0m\r\n"))).toBe("no space");
  expect(reasonOf(failed(undefined))).toBe("");
});

test("an edit shows the lines that changed between those that did not", () => {
  expect(diffLines("a\nb\nc", "a\nx\ny\nc")).toEqual([
    [" ", "a"],
    ["-", "b"],
    ["+", "x"],
    ["+", "y"],
    [" ", "c"],
  ]);
  expect(diffLines("a\na", "a\na\na")).toEqual([
    [" ", "a"],
    [" ", "a"],
    ["+", "a"],
  ]);
});
