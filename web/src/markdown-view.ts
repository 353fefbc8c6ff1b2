import { NO_BLOCKS, grown, renderBlocks, type Blocks } from "./markdown";

/**
 * Shows Markdown in an element, one child for each block. While the text grows, blocks that are
 * finished stay the same nodes, and the last one is patched: what a person has selected stays selected.
 */
export class MarkdownView {
  private blocks: Blocks = NO_BLOCKS;

  constructor(private readonly element: HTMLElement) {}

  /** Returns the blocks that have changed. */
  show(text: string, live: boolean): HTMLElement[] {
    const before = this.blocks;
    this.blocks = live ? grown(before, text) : renderBlocks(text);
    const { html } = this.blocks;
    const changed = html.flatMap((block, index) => (block === before.html[index] ? [] : [this.put(index, block)]));
    while (this.element.children.length > html.length) this.element.lastElementChild?.remove();
    return changed;
  }

  private put(index: number, html: string): HTMLElement {
    const known = this.element.children[index];
    if (known instanceof HTMLElement) {
      const template = document.createElement("template");
      template.innerHTML = html; // clean, as blocks are
      patch(known, template.content);
      return known;
    }
    const block = document.createElement("div");
    block.innerHTML = html;
    this.element.append(block);
    return block;
  }
}

/** Makes the children of a node equal to others, with as few new nodes as possible. */
function patch(target: Node, source: Node): void {
  const wanted = [...source.childNodes];
  wanted.forEach((node, index) => {
    const known = target.childNodes[index];
    if (!known) target.appendChild(node);
    else if (known.nodeName !== node.nodeName || namesOf(known) !== namesOf(node)) target.replaceChild(node, known);
    else if (known instanceof Text && node instanceof Text) patchText(known, node.data);
    else if (known instanceof Element && node instanceof Element) {
      patchAttributes(known, node);
      patch(known, node);
    }
  });
  while (target.childNodes.length > wanted.length) target.lastChild?.remove();
}

/** A selection survives a text that is appended to, but not one that is replaced. */
function patchText(known: Text, data: string): void {
  if (known.data === data) return;
  if (data.startsWith(known.data)) known.appendData(data.slice(known.data.length));
  else known.data = data;
}

/** With the same attributes in the same order a reload gives the same markup. */
const namesOf = (node: Node) => (node instanceof Element ? node.getAttributeNames().join() : "");

function patchAttributes(known: Element, wanted: Element): void {
  for (const { name, value } of wanted.attributes) if (known.getAttribute(name) !== value) known.setAttribute(name, value);
}
