import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Uploads } from "../src/uploads";
import { fingerprintOf, forgetUnfinished, storeUnfinished, unfinished } from "../src/unfinished";

const chosen = (name: string, size = 3, folder = "") => ({
  file: new File(["x".repeat(size)], name, { lastModified: 7 }),
  folder,
});

describe("uploads that a reload stopped", () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => localStorage.clear());

  test("are stored for their chat until they are removed", () => {
    const upload = { url: "/api/uploads/1", name: "a", size: 9, fingerprint: "a" };
    storeUnfinished("chat", upload);
    storeUnfinished("chat", upload);
    expect(unfinished("chat")).toEqual([upload]);
    expect(unfinished("other")).toEqual([]);

    forgetUnfinished("chat", upload.url);
    expect(unfinished("chat")).toEqual([]);
  });

  test("have the same fingerprint when folder, name, size and time are equal", () => {
    const fingerprint = fingerprintOf(chosen("a.txt"));
    expect(fingerprintOf(chosen("a.txt"))).toBe(fingerprint);
    expect(fingerprintOf(chosen("a.txt", 4))).not.toBe(fingerprint);
    expect(fingerprintOf(chosen("a.txt", 3, "src/"))).not.toBe(fingerprint);
  });
});

test("a file over the limit is refused with a message, and never sent", () => {
  const uploads = new Uploads(() => Promise.reject(new Error("no chat is created for it")));
  uploads.add([chosen("big.bin", 1_500)], 1_000);

  expect(uploads.snapshot()).toMatchObject([
    { name: "big.bin", status: "failed", error: "1.5 KB is over the limit of 1 KB." },
  ]);
});
