import DOMPurify from "dompurify";
import { Marked } from "marked";

const escape = (text: string) =>
  text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** HTML in the text of a model is shown as text; foreign images become links, so nothing is loaded. */
const marked = new Marked({
  gfm: true,
  breaks: false,
  renderer: {
    html({ text }) {
      return escape(text);
    },
    image({ href, text }) {
      return /^data:image\/(png|jpeg|gif|webp);/.test(href)
        ? `<img src="${escape(href)}" alt="${escape(text)}">`
        : `<a href="${escape(href)}">${escape(text || href)}</a>`;
    },
    code({ text, lang }) {
      const language = (lang ?? "").trim().split(/\s/)[0] ?? "";
      return (
        `<div class="code"><div class="code-head"><span>${escape(language || "text")}</span>` +
        `<button type="button" data-code="wrap" aria-pressed="false">Wrap</button>` +
        `<button type="button" data-code="copy">Copy</button></div>` +
        `<pre tabindex="0"><code${language ? ` class="language-${escape(language)}"` : ""}>` +
        `${escape(text)}\n</code></pre></div>\n`
      );
    },
    table(token) {
      const cell = (tag: string, content: string, align: string | null) =>
        `<${tag}${tag === "th" ? ' scope="col"' : ""}${align ? ` class="align-${align}"` : ""}>${content}</${tag}>`;
      const cells = (tag: string, row: typeof token.header) =>
        row.map((one) => cell(tag, this.parser.parseInline(one.tokens), one.align)).join("");
      const body = token.rows.map((row) => `<tr>${cells("td", row)}</tr>`).join("");
      return (
        `<div class="table" role="region" aria-label="Table" tabindex="0"><table>` +
        `<thead><tr>${cells("th", token.header)}</tr></thead><tbody>${body}</tbody></table></div>`
      );
    },
  },
});

const purifier = DOMPurify();
purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "A") {
    if (!/^(https?:|mailto:)/i.test(node.getAttribute("href") ?? "")) node.removeAttribute("href");
    node.setAttribute("target", "_blank");
    node.setAttribute("rel", "noopener noreferrer");
  }
});

export function renderMarkdown(text: string): string {
  return purifier.sanitize(marked.parse(text, { async: false }), {
    FORBID_TAGS: ["style", "form", "svg", "math", "video", "audio", "iframe"],
    FORBID_ATTR: ["style", "id", "name", "srcset"],
    ADD_ATTR: ["target"],
  });
}
