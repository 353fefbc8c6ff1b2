import { expect, test } from "vitest";
import { findFile } from "../src/chat-files";
import type { FileAttachment } from "../src/types";

const file = (name: string, path?: string): FileAttachment => ({
  id: path ?? name,
  name,
  mimeType: "text/csv",
  size: 1,
  sha256: "",
  ...(path === undefined ? {} : { path }),
});

test("a path with a folder is no file of that name elsewhere", () => {
  const files = [file("report.csv"), file("report.csv", "charts/report.csv"), file("plot.svg", "plot.svg")];
  expect(findFile({ files }, "out/report.csv")).toBeUndefined();
  expect(findFile({ files }, "/root/workspace/out/plot.svg")).toBeUndefined();
  expect(findFile({ files }, "assets/report.csv")).toBeUndefined();
});

test("a file of a run has its path in assets/, and a bare name is enough", () => {
  const files = [file("a.csv", "deep/a.csv"), file("b.csv"), file("b.csv", "b.csv")];
  expect(findFile({ files }, "/root/workspace/assets/deep/a.csv")?.id).toBe("deep/a.csv");
  expect(findFile({ files }, "a.csv")?.id).toBe("deep/a.csv");
  expect(findFile({ files }, "./assets/b.csv")?.path).toBe("b.csv");
});
