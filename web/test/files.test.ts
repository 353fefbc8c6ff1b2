import { describe, expect, test } from "vitest";
import { baselineOf, compare } from "../src/files";

const file = (path: string, size = 1, modifiedAt = "2026-01-01T00:00:00.000Z") => ({ path, size, modifiedAt });
const snapshot = (id: string, runId: string) => ({ id, runId, createdAt: "", files: 0, bytes: 0 });

describe("the changes of the last turn", () => {
  test("a file is new, changed by size or time, or removed", () => {
    const marks = compare(
      [file("same"), file("grown"), file("touched"), file("gone")],
      [file("same"), file("grown", 2), file("touched", 1, "2026-01-02T00:00:00.000Z"), file("made")],
    );

    expect([...marks.of]).toEqual([
      ["grown", "changed"],
      ["touched", "changed"],
      ["made", "new"],
    ]);
    expect(marks.removed).toEqual(["gone"]);
  });

  test("are relative to the snapshot of the previous run", () => {
    const newestFirst = [snapshot("c", "run-3"), snapshot("b", "run-2"), snapshot("a", "run-1")];

    expect(baselineOf(newestFirst, "run-4")).toBe("c"); // still running
    expect(baselineOf(newestFirst, "run-3")).toBe("b"); // over
    expect(baselineOf([], "run-1")).toBeNull();
  });
});
