import { useContext, useLayoutEffect, useRef, type MouseEvent } from "react";
import { ChatFilesContext, addressOf, openFile, type ChatFiles } from "./chat-files";
import { copyText } from "./clipboard";
import { MarkdownView } from "./markdown-view";

/** Markdown as text of the page; `live` while it still grows. */
export function Markdown({ text, live }: { text: string; live: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<{ shown: MarkdownView; plain: Set<HTMLElement> } | null>(null);
  const files = useContext(ChatFilesContext);
  useLayoutEffect(() => {
    if (!element.current) return;
    view.current ??= { shown: new MarkdownView(element.current), plain: new Set() };
    const { shown, plain } = view.current;
    shown.show(text, live).forEach((block) => plain.add(block));
    const last = live ? element.current.lastElementChild : null; // it still changes
    const waits = (block: HTMLElement) => live && block.querySelector("img[data-file]"); // files come with the end
    const finished = [...plain].filter((block) => block !== last && !waits(block));
    finished.forEach((block) => plain.delete(block));
    enhance(finished, files);
  }, [text, live, files]);
  return <div ref={element} className={live ? "markdown growing" : "markdown"} onClick={(event) => clicked(event, files)} />;
}

/** What needs more than HTML: colours of code, diagrams, formulas, pictures and links to files of the chat. */
function enhance(blocks: HTMLElement[], files: ChatFiles | null): void {
  for (const block of blocks) {
    const codes = [...block.querySelectorAll<HTMLElement>("code[class]")];
    const diagrams = codes.filter((code) => code.classList.contains("language-mermaid"));
    if (diagrams.length > 0) void import("./diagram").then(({ showDiagram }) => diagrams.forEach((code) => drawn(code, showDiagram)));
    if (codes.length > diagrams.length)
      void import("./highlight").then(({ highlightElement }) =>
        codes.forEach((code) => highlightElement(code, code.className.replace("language-", ""))),
      );
    if (block.querySelector("[data-math]")) void import("./math").then(({ drawFormulas }) => drawFormulas(block));
    block.querySelectorAll<HTMLImageElement>("img[data-file]").forEach((picture) => showPicture(picture, files));
    block.querySelectorAll<HTMLAnchorElement>("a[data-file]").forEach((link) => {
      if (files) link.href = addressOf(files, link.dataset.file ?? "");
    });
  }
}

function drawn(code: HTMLElement, show: (block: Element, source: string) => void): void {
  const block = code.closest(".code");
  if (block) show(block, code.textContent ?? "");
}

/** A picture of the chat can be enlarged; one that is not there is its text. */
function showPicture(picture: HTMLImageElement, files: ChatFiles | null): void {
  const path = picture.dataset.file ?? "";
  const asText = () => (picture.closest("button") ?? picture).replaceWith(picture.alt);
  if (!files) return asText();
  const button = document.createElement("button");
  button.type = "button";
  button.className = "picture";
  button.dataset.file = path;
  button.title = "Enlarge";
  picture.replaceWith(button);
  button.append(picture);
  picture.loading = "lazy";
  picture.addEventListener("error", asText, { once: true });
  picture.src = addressOf(files, path);
}

/** Buttons of a block of code, and the class that each sets. */
const TOGGLES: Record<string, string> = { wrap: "wrapped", source: "with-source", size: "full-size" };

/** One handler serves all, since the rendered text has no handlers of its own. */
function clicked(event: MouseEvent, files: ChatFiles | null): void {
  const target = event.target as Element;
  const file = target.closest<HTMLElement>("[data-file]");
  if (file && files && !event.metaKey && !event.ctrlKey) {
    event.preventDefault();
    void openFile(files, file.dataset.file ?? "");
    return;
  }
  const button = target.closest<HTMLElement>("button[data-code]");
  const block = button?.closest(".code");
  if (!button || !block) return;
  const toggled = TOGGLES[button.dataset.code ?? ""];
  if (toggled) {
    button.setAttribute("aria-pressed", String(block.classList.toggle(toggled)));
    return;
  }
  void copyText(block.querySelector("code")?.textContent ?? "").then((done) => {
    if (!done) return;
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1_500);
  });
}
