import { describe, expect, test } from "vitest";
import { NO_BLOCKS, grown, renderBlocks, renderMarkdown } from "../src/markdown";
import { MarkdownView } from "../src/markdown-view";

const LONG = [
  "# Heading",
  "A paragraph with **bold** text, `code` and a [link](https://example.org).",
  "- one\n- two\n  - nested\n\n- after a blank line",
  "```python\nprint(1)\n\nprint(2)\n```",
  "| a | b |\n|---|--:|\n| 1 | 2 |\n| 3 | 4 |",
  "> a quote\n> of two lines",
  "Energy is $E = mc^2$, and\n\n$$\n\\int_0^1 x\\,dx\n$$",
  "1. first\n2. second",
  "- [x] done\n- [ ] to do",
  "Setext\n------",
  "the end",
].join("\n\n");

describe("a text that grows", () => {
  test("is the same at its end as the whole text, whatever the pieces were", () => {
    for (const size of [1, 7]) {
      let blocks = NO_BLOCKS;
      for (let end = size; end < LONG.length + size; end += size) blocks = grown(blocks, LONG.slice(0, end));
      expect(blocks.html).toEqual(renderBlocks(LONG).html);
    }
  });

  test("keeps the nodes of finished blocks, and the text node of the one that grows", () => {
    const element = document.createElement("div");
    const view = new MarkdownView(element);
    view.show("# First\n\nSecond paragraph, unfin", true);
    const [first, second] = [...element.children];
    const heading = first?.firstChild;
    const words = second?.querySelector("p")?.firstChild;
    view.show("# First\n\nSecond paragraph, unfinished no more.\n\nThird", true);
    view.show("# First\n\nSecond paragraph, unfinished no more.\n\nThird.", false);
    expect(element.children).toHaveLength(3);
    expect(element.children[0]?.firstChild).toBe(heading);
    expect(element.children[1]?.querySelector("p")?.firstChild).toBe(words);
    expect(words?.textContent).toBe("Second paragraph, unfinished no more.");
  });

  test("parses only its last block again", () => {
    const before = renderBlocks("paragraph\n\n".repeat(500) + "last");
    const after = grown(before, before.text + " words");
    expect(after.html).toHaveLength(501);
    expect(after.lastAt).toBe(before.lastAt);
    expect(before.lastAt).toBe("paragraph\n\n".length * 500);
  });

  test("with the line ends of Windows is not parsed again either, wherever they are cut", () => {
    const text = "paragraph\r\n\r\n".repeat(50) + "- one\r\n- two\r\n\r\nlast";
    let blocks = NO_BLOCKS;
    for (let end = 1; end <= text.length; end++) blocks = grown(blocks, text.slice(0, end));
    expect(blocks.lastAt).toBe(text.replaceAll("\r", "").length - "last".length);
    expect(blocks.html).toEqual(renderBlocks(text).html);
  });

  test("that turns out to be another block is shown as that", () => {
    const element = document.createElement("div");
    const view = new MarkdownView(element);
    view.show("Title", true);
    view.show("Title\n===", true);
    expect(element.querySelector("h1")?.textContent).toBe("Title");
    view.show("quite another text", true);
    expect(element.textContent?.trim()).toBe("quite another text");
  });
});

describe("nesting", () => {
  test.each([
    ["quotes", ">".repeat(6_000) + " deep"],
    ["lists", "- ".repeat(6_000) + "deep"],
    ["numbered lists", "1. ".repeat(3_000) + "deep"],
    ["indented lists", Array.from({ length: 300 }, (_, level) => `${"  ".repeat(level)}- ${level}`).join("\n")],
    ["emphasis", "*a **b ".repeat(3_000)],
    ["brackets", "[".repeat(6_000) + "deep" + "](x)".repeat(6_000)],
  ])("of %s is bounded, and the text is there", (_, text) => {
    const element = document.createElement("div");
    element.innerHTML = renderMarkdown(text);
    let depth = 0;
    for (let node = [...element.querySelectorAll("*")].at(-1) ?? null; node; node = node.parentElement) depth++;
    expect(depth).toBeLessThan(80);
    expect(element.textContent?.length).toBeGreaterThan(10);
  });
});

describe("formulas", () => {
  const formulas = (text: string) => {
    const element = document.createElement("div");
    element.innerHTML = renderMarkdown(text);
    return [...element.querySelectorAll<HTMLElement>("[data-math]")].map((one) => `${one.dataset.math} ${one.textContent}`);
  };

  test("keep their backslashes", () => {
    expect(formulas("so \\(a^2 + \\frac{1}{2}\\) holds")).toEqual(["inline a^2 + \\frac{1}{2}"]);
    expect(formulas("\\[\nx = \\{1, 2\\}\n\\]")).toEqual(["display x = \\{1, 2\\}"]);
    expect(formulas("$$a_1 * b_1 * c$$")).toEqual(["display a_1 * b_1 * c"]);
    expect(formulas("with $x_1$ and $y_1$")).toEqual(["inline x_1", "inline y_1"]);
  });

  test("are not prices, code or escaped dollars", () => {
    expect(formulas("from $5 to $10, or $ 3 and 4 $")).toEqual([]);
    expect(formulas("`$x$` and \\$x\\$ and ```$y$```")).toEqual([]);
  });
});

describe("paths", () => {
  test("of files become links and pictures of the chat, and nothing is loaded before", () => {
    const element = document.createElement("div");
    element.innerHTML = renderMarkdown("![plot](assets/my%20chart.png) and [table](./out/a.csv#x) and [up](/etc/passwd)");
    expect(element.querySelector("img")?.dataset.file).toBe("assets/my chart.png");
    expect(element.querySelector("img")?.hasAttribute("src")).toBe(false);
    expect(element.querySelectorAll("a")[0]?.dataset.file).toBe("out/a.csv");
    expect(element.querySelectorAll("a")[1]?.dataset.file).toBeUndefined();
  });
});

test("each block has the direction of its own text, and boxes of tasks have a name", () => {
  const element = document.createElement("div");
  element.innerHTML = renderMarkdown("مرحبا\n\nhello\n\n- [x] a\n- [ ] b");
  expect(element.querySelectorAll("p[dir=auto]").length).toBeGreaterThanOrEqual(2);
  expect([...element.querySelectorAll("input")].map((box) => box.getAttribute("aria-label"))).toEqual(["Done", "To do"]);
});

/** The same documents each time. */
function randomDocuments(count: number): string[] {
  let seed = 20261118;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const parts = [
    "# ", "> ", "- ", "1. ", "  ", "\n", "\n\n", "```", "~~~js\n", "| a | b |\n|--|--|\n", "|", "**", "*", "_", "~~", "`", "``", "[", "](", ")",
    "![", "<script>alert(1)</script>", "<div", "<!--", "-->", "</", "&amp;", "&#x0;", "$", "$$", "\\(", "\\)", "\\[", "\\]", "\\", "---\n", "===\n",
    "- [ ] ", "- [x] ", "https://example.org/x", "javascript:alert(1)", "[a]: /b\n", "\t", "\u0000", "مرحبا", "你好", "🙂", "e\u0301", "word ", "x".repeat(300),
  ];
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + next(25) }, () => (parts[next(parts.length)] ?? "").repeat(next(20) === 0 ? 1 + next(40) : 1)).join(""),
  );
}

test("500 random documents neither fail nor become anything that runs, and grow to the same", { timeout: 120_000 }, () => {
  randomDocuments(500).forEach((text, number) => {
    const whole = document.createElement("div");
    new MarkdownView(whole).show(text, false);
    expect(whole.querySelector("script, iframe, style, svg, form, object, [onerror], [href^=javascript]")).toBeNull();
    if (number % 5 > 0) return;
    const element = document.createElement("div");
    const view = new MarkdownView(element);
    view.show(text.slice(0, text.length >> 1), true);
    view.show(text, true);
    view.show(text, false);
    expect(element.innerHTML).toBe(whole.innerHTML);
  });
});
