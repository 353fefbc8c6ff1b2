import DOMPurify from "dompurify";
import { Lexer, Marked, Parser, Tokenizer, type Token, type TokensList } from "marked";
import { mathExtensions } from "./math-syntax";

const escape = (text: string) =>
  text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** Quotes and lists in each other, deeper than this, stay text: a thousand of them would end the browser's stack. */
const MAX_DEPTH = 12;

class BoundedTokenizer extends Tokenizer {
  private depth = 0;

  override blockquote(src: string) {
    return this.nested(() => super.blockquote(src));
  }

  override list(src: string) {
    return this.nested(() => super.list(src));
  }

  private nested<T>(parse: () => T): T | undefined {
    if (this.depth >= MAX_DEPTH) return undefined;
    this.depth++;
    try {
      return parse();
    } finally {
      this.depth--;
    }
  }
}

/** A path of a file of the chat, which is no address: `assets/chart.png`, not `https://…` or `/x`. */
function filePath(href: string): string | null {
  if (/^([a-z][a-z0-9+.-]*:|\/|#|\?)/i.test(href) || href === "") return null;
  try {
    return decodeURIComponent(href.replace(/^(\.\/)+/, "").replace(/[?#].*$/, ""));
  } catch {
    return href;
  }
}

/** HTML in the text of a model is shown as text; foreign images become links, so nothing is loaded. */
const marked = new Marked({
  gfm: true,
  breaks: false,
  extensions: mathExtensions(escape),
  renderer: {
    html({ text }) {
      return escape(text);
    },
    image({ href, text }) {
      if (/^data:image\/(png|jpeg|gif|webp);/.test(href)) return `<img src="${escape(href)}" alt="${escape(text)}">`;
      const path = filePath(href);
      return path === null
        ? `<a href="${escape(href)}">${escape(text || href)}</a>`
        : `<img data-file="${escape(path)}" alt="${escape(text || path)}">`;
    },
    code({ text, lang }) {
      const language = (lang ?? "").trim().split(/\s/)[0] ?? "";
      return (
        `<div class="code" dir="ltr"><div class="code-head"><span>${escape(language || "text")}</span>` +
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

/** The direction of each of these follows its own text. */
const DIRECTED = /^(P|H[1-6]|UL|OL|LI|BLOCKQUOTE|TABLE|TH|TD)$/;

const purifier = DOMPurify();
purifier.addHook("afterSanitizeAttributes", (node) => {
  if (DIRECTED.test(node.tagName)) node.setAttribute("dir", "auto");
  if (node.tagName === "INPUT") node.setAttribute("aria-label", node.hasAttribute("checked") ? "Done" : "To do");
  if (node.tagName !== "A") return;
  const href = node.getAttribute("href") ?? "";
  const path = filePath(href);
  if (path !== null) node.setAttribute("data-file", path);
  if (!/^(https?:|mailto:)/i.test(href)) node.removeAttribute("href");
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
});

const sanitize = (html: string) =>
  purifier.sanitize(html, {
    FORBID_TAGS: ["style", "form", "svg", "math", "video", "audio", "iframe"],
    FORBID_ATTR: ["style", "id", "name", "srcset"],
    ADD_ATTR: ["target"],
  });

/** The blocks of a text: paragraphs, lists, tables and so on, each as clean HTML. */
export interface Blocks {
  readonly text: string;
  readonly html: readonly string[];
  /** Where the last block begins: what is before it does not change when the text grows. */
  readonly lastAt: number;
  readonly links: TokensList["links"];
}

export const NO_BLOCKS: Blocks = { text: "", html: [], lastAt: 0, links: {} };

/** The blocks of a text that grows: only the last block before and what follows are parsed. */
export function grown(before: Blocks, given: string): Blocks {
  const text = withLineFeeds(given);
  if (before.lastAt === 0 || !text.startsWith(before.text)) return renderBlocks(text);
  const rest = renderBlocks(text.slice(before.lastAt), before.links);
  return {
    text,
    html: [...before.html.slice(0, -1), ...rest.html],
    lastAt: before.lastAt + rest.lastAt,
    links: rest.links,
  };
}

export function renderBlocks(given: string, links: TokensList["links"] = {}): Blocks {
  const text = withLineFeeds(given);
  try {
    const lexer = new Lexer({ ...marked.defaults, tokenizer: new BoundedTokenizer() });
    lexer.tokens.links = { ...links };
    const tokens = lexer.lex(text);
    const shown = tokens.filter((token) => token.type !== "space" && token.type !== "def");
    const html = shown.map((token) => renderBlock(token, tokens.links));
    return { text, html, lastAt: startOfLast(text, tokens), links: tokens.links };
  } catch {
    return { text, html: [asItIs(text)], lastAt: 0, links: {} };
  }
}

/** A block that cannot be rendered is shown as it was written. */
function renderBlock(token: Token, links: TokensList["links"]): string {
  try {
    return sanitize(Parser.parse(Object.assign([token], { links }), marked.defaults));
  } catch {
    return asItIs(token.raw);
  }
}

const asItIs = (text: string) => `<p class="raw" dir="auto">${escape(text)}</p>`;

/** As the lexer does it, so that offsets in the text are those of its tokens. */
const withLineFeeds = (text: string) => (text.includes("\r") ? text.replace(/\r\n|\r/g, "\n") : text);

/** Offsets are known only if the parts are the text. */
function startOfLast(text: string, tokens: Token[]): number {
  const last = tokens.findLastIndex((token) => token.type !== "space");
  const before = tokens.slice(0, Math.max(0, last)).map((token) => token.raw).join("");
  return text.startsWith(before) ? before.length : 0;
}

export function renderMarkdown(text: string): string {
  return renderBlocks(text).html.join("");
}
