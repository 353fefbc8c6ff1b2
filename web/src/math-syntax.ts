import type { TokenizerAndRendererExtension } from "marked";

/** `$` is also a currency: a formula begins and ends without a space, and no digit follows it. */
const INLINE = /^(?:\\\(([\s\S]+?)\\\)|\\\[([\s\S]+?)\\\]|\$\$([^$]+?)\$\$|\$(?![\s$])((?:\\.|[^$\\\n])*?[^\s\\$]|[^\s\\$])\$(?![\d$]))/;
const BLOCK = /^ {0,3}(?:\\\[([\s\S]+?)\\\]|\$\$([\s\S]+?)\$\$)[ \t]*(?:\n+|$)/;

/** Formulas between dollars, `\(…\)` and `\[…\]`. Their text is shown until KaTeX has drawn them. */
export function mathExtensions(escape: (text: string) => string): TokenizerAndRendererExtension[] {
  const renderer = (display: boolean, text: string) =>
    display
      ? `<p class="math" data-math="display">${escape(text)}</p>`
      : `<span class="math" data-math="inline">${escape(text)}</span>`;
  return [
    {
      name: "displayMath",
      level: "block",
      start: (src) => src.match(/(^|\n) {0,3}(\$\$|\\\[)/)?.index,
      tokenizer(src) {
        const match = BLOCK.exec(src);
        const text = (match?.[1] ?? match?.[2] ?? "").trim();
        return match && text !== "" ? { type: "displayMath", raw: match[0], text } : undefined;
      },
      renderer: ({ text }) => renderer(true, String(text)),
    },
    {
      name: "inlineMath",
      level: "inline",
      start: (src) => src.match(/\$|\\\(|\\\[/)?.index,
      tokenizer(src) {
        const match = INLINE.exec(src);
        const text = (match?.[1] ?? match?.[2] ?? match?.[3] ?? match?.[4] ?? "").trim();
        return match && text !== "" ? { type: "inlineMath", raw: match[0], text } : undefined;
      },
      renderer: ({ text }) => renderer(false, String(text)),
    },
  ];
}
