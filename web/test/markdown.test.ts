import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../src/markdown";

function rendered(text: string): HTMLElement {
  const element = document.createElement("div");
  element.innerHTML = renderMarkdown(text);
  return element;
}

describe("text from the model", () => {
  test.each([
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    '<iframe src="https://example.org"></iframe>',
    "<style>*{display:none}</style>",
    '<svg onload="alert(1)"></svg>',
  ])("shows %s as text", (text) => {
    const element = rendered(text);
    expect(element.querySelector("script, img, iframe, style, svg")).toBeNull();
    expect(element.textContent).toContain(text.slice(0, 6));
  });

  test("never links to a script", () => {
    const links = rendered("[a](javascript:alert(1)) [b](data:text/html,x) [c](//evil)");
    links.querySelectorAll("a").forEach((link) => expect(link.getAttribute("href")).toBeNull());
  });

  test("turns a foreign image into a link, so that nothing is loaded", () => {
    const element = rendered("![chart](https://example.org/x.png?secret=1)");
    expect(element.querySelector("img")).toBeNull();
    expect(element.querySelector("a")?.getAttribute("rel")).toBe("noopener noreferrer");
  });

  test("shows code with its language and buttons", () => {
    const block = rendered("```python\nprint('<b>')\n```").querySelector(".code");
    expect(block?.querySelector("span")?.textContent).toBe("python");
    expect(block?.querySelector("code")?.textContent).toBe("print('<b>')\n");
    expect(block?.querySelectorAll("button[data-code]")).toHaveLength(2);
  });

  test("makes a wide table scrollable", () => {
    const table = rendered("| a | b |\n|---|--:|\n| 1 | 2 |").querySelector(".table[tabindex='0'] table");
    expect(table?.querySelectorAll("td")[1]?.className).toBe("align-right");
  });
});
