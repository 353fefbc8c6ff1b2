import { expect, test } from "vitest";
import { grouped } from "../src/upload-chips";
import type { Upload } from "../src/uploads";

const upload = (key: string, status: Upload["status"], folder?: string): Upload => ({
  key,
  name: key,
  size: 1,
  sent: 0,
  status,
  ...(folder ? { folder } : {}),
});

test("a folder is one group, at the place of its first file; files alone and those that need a person are not in it", () => {
  const list = [
    upload("a", "done"),
    upload("p/1", "uploading", "p"),
    upload("b", "waiting"),
    upload("p/2", "done", "p"),
    upload("p/3", "failed", "p"),
    upload("q/1", "done", "q"),
  ];
  const shown = grouped(list).map((group) => ("list" in group ? `${group.folder} ${group.list.length}` : group.key));
  expect(shown).toEqual(["a", "p 2", "b", "p/3", "q/1"]);
});
