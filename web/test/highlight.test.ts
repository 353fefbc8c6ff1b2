import { expect, test } from "vitest";
import { MAX_CHARS, highlightElement } from "../src/highlight";

const code = (text: string) => Object.assign(document.createElement("code"), { textContent: text });

test("code has colours up to a size", () => {
  const short = code("return 1");
  expect(highlightElement(short, "java")).toBe(true);
  expect(short.querySelector(".hljs-keyword")?.textContent).toBe("return");
  const long = code("return 1\n".repeat(MAX_CHARS / 9 + 1));
  expect(highlightElement(long, "java")).toBe(false);
  expect(long.querySelector("span")).toBeNull();
});
