import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Uploads } from "../src/uploads";
import { describe as describeFile, forgetUnfinished, noteUnfinished, unfinished } from "../src/unfinished";

const chosen = (name: string, size = 3, folder = "") => ({
  file: new File(["x".repeat(size)], name, { lastModified: 7 }),
  folder,
});

describe("uploads that a reload stopped", () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => localStorage.clear());

  test("are remembered for their chat until they are forgotten", () => {
    const half = { url: "/api/uploads/1", name: "a", size: 9, looks: "a" };
    noteUnfinished("chat", half);
    noteUnfinished("chat", half);
    expect(unfinished("chat")).toEqual([half]);
    expect(unfinished("other")).toEqual([]);

    forgetUnfinished("chat", half.url);
    expect(unfinished("chat")).toEqual([]);
  });

  test("are the same file when folder, name, size and time are", () => {
    const looks = describeFile(chosen("a.txt"));
    expect(describeFile(chosen("a.txt"))).toBe(looks);
    expect(describeFile(chosen("a.txt", 4))).not.toBe(looks);
    expect(describeFile(chosen("a.txt", 3, "src/"))).not.toBe(looks);
  });
});

test("a file over the limit is refused with the limit in words, and never sent", () => {
  const uploads = new Uploads(() => Promise.reject(new Error("no chat is made for it")));
  uploads.add([chosen("big.bin", 1_500)], 1_000);

  expect(uploads.snapshot()).toMatchObject([
    { name: "big.bin", status: "failed", error: "1.5 KB is over the limit of 1 KB." },
  ]);
});
