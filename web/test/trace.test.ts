import { describe, expect, test } from "vitest";
import { Trace, matches } from "../src/trace";
import type { Line } from "../src/types";

const traceOf = (...lines: Line[]) => {
  const trace = new Trace();
  lines.forEach((line) => trace.add(line));
  return trace;
};

describe("a trace", () => {
  test("merges the pieces of a text, and has one row for a step", () => {
    const trace = traceOf(
      { type: "delta", text: "Let me " },
      { type: "delta", text: "look." },
      { type: "thinking", text: "hm" },
      { type: "step", id: "a", name: "sh", status: "running", args: { command: "ls" }, ts: 10 },
      { type: "output", id: "a", stream: "stdout", text: "1\n", ts: 11 },
      { type: "output", id: "a", stream: "stdout", text: "2\n", ts: 12 },
      { type: "output", id: "a", stream: "stderr", text: "3\n", ts: 13 },
      { type: "step", id: "a", name: "sh", status: "running", args: { command: "ls" }, ts: 14 },
      { type: "step", id: "a", name: "sh", status: "succeeded", result: "ok", ts: 20 },
    );
    expect(trace.rows.map((row) => row.kind)).toEqual(["text", "text", "step", "text", "text"]);
    expect(trace.rows[0]).toMatchObject({ text: "Let me look." });
    expect(trace.spans).toEqual([{ kind: "step", name: "sh ls", from: 10, to: 20, failed: false }]);
  });

  test("knows how long calls of models took, and their tokens", () => {
    const usage = { type: "usage", model: "m", inputTokens: 10, outputTokens: 5, cacheReadTokens: 1, cacheWriteTokens: 2 };
    const trace = traceOf(
      { type: "chat", ts: 0 },
      { ...usage, ts: 30 },
      { type: "step", id: "a", name: "sh", status: "running", ts: 30 },
      { type: "step", id: "a", name: "sh", status: "failed", error: "no", ts: 50 },
      { ...usage, ts: 90 },
    );
    expect(trace.spans.map(({ from, to }) => [from, to])).toEqual([[0, 30], [30, 50], [50, 90]]);
    expect([trace.inputTokens, trace.outputTokens]).toEqual([26, 10]);
    expect(trace.spans[1]?.failed).toBe(true);
  });

  test("does not count the end of a stream that waits, which is not in the log", () => {
    const trace = traceOf({ type: "log", message: "x" }, { type: "end", status: "waiting" });
    expect([trace.received, trace.status, trace.rows.length]).toEqual([1, "waiting", 1]);
    trace.add({ type: "resumed", attempt: 2 });
    expect([trace.received, trace.status]).toEqual([2, undefined]);
  });

  test("of a hundred thousand pieces is a row", () => {
    const trace = new Trace();
    for (let i = 0; i < 100_000; i++) trace.add({ type: "delta", text: "ab" });
    expect(trace.rows).toHaveLength(1);
    expect(trace.rows[0]).toMatchObject({ text: "ab".repeat(100_000) });
  });

  test("is filtered by the level of its logs and by its words", () => {
    const [log, step] = traceOf(
      { type: "log", level: "warn", message: "mind the gap" },
      { type: "step", id: "a", name: "sh", status: "failed", error: "No such file" },
    ).rows;
    if (!log || !step) throw new Error("two rows");
    expect([matches(log, "warn", ""), matches(log, "error", ""), matches(log, "all", "GAP")]).toEqual([true, false, true]);
    expect([matches(step, "debug", ""), matches(step, "all", "such file")]).toEqual([false, true]);
  });
});
