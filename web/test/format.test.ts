import { describe, expect, test } from "vitest";
import { parseCsv } from "../src/csv";
import { fileKind, folded, formatAge, formatDuration, formatSize, partOfTime, plural } from "../src/format";
import { parse } from "../src/notebook-preview";
import { hexLines, isText } from "../src/preview";
import { parseRoute } from "../src/router";
import { buildTree, rowFor, visibleRows } from "../src/tree";

describe("comparing without case and accents", () => {
  test.each([
    ["Wie ist das Wetter in Zürich?", "zurich"],
    ["zurich", "ZÜRICH"],
    ["Große Straße", "grosse strasse"],
    ["Łódź and Ærø", "lodz and aero"],
    ["Οδυσσεύς", "οδυσσευσ"],
    ["Ёлка", "елка"],
    ["日本語の文", "日本語"],
  ])("%s has %s", (title, query) => expect(folded(title)).toContain(folded(query)));

  test("other letters stay different", () => expect(folded("Zürich")).not.toContain(folded("zorich")));
});

describe("formatting", () => {
  test.each([
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1 KB"],
    [1540, "1.5 KB"],
    [999_600, "1 MB"],
    [104_857_600, "105 MB"],
  ])("%d bytes are %s", (bytes, text) => expect(formatSize(bytes)).toBe(text));

  test.each([
    [4, "4 ms"],
    [4200, "4.2 s"],
    [61_000, "1 min 1 s"],
    [3_660_000, "1 h 1 min"],
    [86_400_000, "24 h"],
  ])("%d milliseconds are %s", (millis, text) => expect(formatDuration(millis)).toBe(text));

  test.each([
    [5_000, "just now"],
    [120_000, "2 min ago"],
    [7_200_000, "2 h ago"],
    [90_000_000, "yesterday"],
  ])("%d milliseconds ago is %s", (millis, text) => expect(formatAge(0, millis)).toBe(text));

  test("singular and plural", () => {
    expect([plural(1, "step"), plural(6, "step")]).toEqual(["1 step", "6 steps"]);
  });

  test("bytes are shown as hexadecimal and as text", () => {
    expect(hexLines(new Uint8Array([0, 65, 255]))).toMatch(/^000000 {2}00 41 ff +\.A\.$/);
  });
});

describe("the kind of preview", () => {
  test.each([
    ["a.png", "image/png", "image"],
    ["a.pdf", "application/pdf", "pdf"],
    ["a.csv", "text/plain", "csv"],
    ["a.py", "application/octet-stream", "text"],
    ["Makefile", "application/octet-stream", "text"],
    ["a.bin", "application/octet-stream", "binary"],
    ["plot.svg", "image/svg+xml", "live"],
    ["page.html", "text/html", "live"],
    ["n.ipynb", "application/json", "notebook"],
    ["book.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "document"],
    ["talk.mp3", "audio/mpeg", "audio"],
    ["film.webm", "video/webm", "video"],
  ])("%s of type %s as %s", (name, type, kind) => expect(fileKind(name, type)).toBe(kind));
});

describe("comma-separated text", () => {
  test("has quotes, doubled quotes and line feeds in cells", () => {
    expect(parseCsv('a,b\r\n"x, ""y""","1\n2"\n', 10)).toEqual([
      ["a", "b"],
      ['x, "y"', "1\n2"],
    ]);
  });

  test("may be separated by semicolons or tabs, and is truncated at the limit", () => {
    expect(parseCsv("a;b\n1;2\n3;4", 2)).toEqual([["a", "b"], ["1", "2"]]);
    expect(parseCsv("a\tb\n", 5)).toEqual([["a", "b"]]);
  });
});

describe("addresses", () => {
  test.each([
    ["/", { page: "chat", chatId: null }],
    ["/chats/x", { page: "chat", chatId: "x" }],
    ["/runs/r", { page: "run", runId: "r" }],
    ["/settings", { page: "settings" }],
    ["/storage", { page: "storage" }],
    ["/storage/x", { page: "unknown" }],
    ["/nowhere", { page: "unknown" }],
  ])("%s", (path, route) => expect(parseRoute(path)).toEqual(route));
});

describe("the file tree", () => {
  const file = (path: string) => ({ path, size: 1, modifiedAt: "" });
  const tree = buildTree([file("b.txt"), file("a/x/1.txt"), file("a/2.txt")]);

  test("has folders first and shows only expanded ones", () => {
    expect(visibleRows(tree, new Set()).map((row) => row.node.path)).toEqual(["a", "b.txt"]);
    expect(visibleRows(tree, new Set(["a"])).map((row) => row.node.path)).toEqual([
      "a",
      "a/x",
      "a/2.txt",
      "b.txt",
    ]);
  });

  test("is controlled by arrows, Home, End and first letters", () => {
    const rows = visibleRows(tree, new Set(["a"]));
    expect(["ArrowDown", "ArrowUp", "Home", "End", "b"].map((key) => rowFor(key, rows, 1))).toEqual([
      2, 0, 0, 3, 3,
    ]);
    expect(rowFor("Enter", rows, 1)).toBeNull();
  });
});

describe("unknown bytes", () => {
  test("are text without control characters, also when the last character is cut", () => {
    expect(isText(new TextEncoder().encode("naïve\tline\n"))).toBe(true);
    expect(isText(new TextEncoder().encode("ends with ü").subarray(0, -1))).toBe(true);
    expect(isText(new Uint8Array([65, 0, 66]))).toBe(false);
    expect(isText(new Uint8Array([0xff, 0xfe, 0x41]))).toBe(false);
  });

  test("are no notebook unless they have cells", () => {
    expect(parse('{"cells": [{"cell_type": "code"}, null, 3]}')).toEqual([{ cell_type: "code" }]);
    expect(parse("{}")).toBeNull();
    expect(parse("nonsense")).toBeNull();
  });
});

describe("the parts of a list by time", () => {
  const now = new Date(2026, 10, 18, 15, 0).getTime();
  test.each([
    [new Date(2026, 10, 18, 0, 0), "Today"],
    [new Date(2026, 10, 17, 23, 59), "Yesterday"],
    [new Date(2026, 10, 17, 0, 0), "Yesterday"],
    [new Date(2026, 10, 16, 23, 0), "The last 7 days"],
    [new Date(2026, 10, 11, 0, 0), "The last 7 days"],
    [new Date(2026, 10, 10, 23, 0), "The last 30 days"],
    [new Date(2026, 9, 1), "Older"],
  ])("%s is in %s", (time, part) => expect(partOfTime(time.getTime(), now)).toBe(part));
});
