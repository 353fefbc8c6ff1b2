import { expect, test } from "vitest";
import { plainText, shownBy } from "../src/terminal-text";

const ESC = "\u001b";
const runs = (...texts: string[]) => shownBy(texts.map((text) => ({ stream: "stdout" as const, text })));

test("a line that is written again is one line", () => {
  expect(plainText("10 %\r50 %\r100 %\ndone\r\n")).toBe("100 %\ndone\n");
  expect(plainText("downloading\rok\r\n")).toBe("okwnloading\n");
  expect(plainText(`downloading\r${ESC}[Kok\n`)).toBe("ok\n");
  expect(plainText(`one\ntwo\n${ESC}[2Auno${ESC}[2B\rend`)).toBe("uno\ntwo\nend");
  expect(plainText("abc\b\bX")).toBe("aXc");
});

test("colours are classes, and other sequences are not shown", () => {
  expect(runs(`${ESC}[31mred${ESC}[0m ${ESC}[1;92mok${ESC}[22;39m!`)).toEqual([
    { text: "red", className: "stdout ansi-red" },
    { text: " ", className: "stdout" },
    { text: "ok", className: "stdout ansi-green bold" },
    { text: "!", className: "stdout" },
  ]);
  expect(plainText(`${ESC}]0;title\u0007a${ESC}[?25lb${ESC}[38;5;200mc${ESC}[38;2;1;2;3md${ESC}(Be\u0007`)).toBe("abcde");
});

test("a sequence may be cut anywhere", () => {
  const text = `a${ESC}[31mred${ESC}]0;t${ESC}\\${ESC}[0m b`;
  for (let at = 1; at < text.length; at++)
    expect(runs(text.slice(0, at), text.slice(at))).toEqual([
      { text: "a", className: "stdout" },
      { text: "red", className: "stdout ansi-red" },
      { text: " b", className: "stdout" },
    ]);
  expect(plainText(`x${ESC}[3`)).toBe("x");
});

test("text without controls stays as it is", () => {
  expect(runs("one\n", "\ttwo 😀")).toEqual([
    { text: "one\n", className: "stdout" },
    { text: "\ttwo 😀", className: "stdout" },
  ]);
});
