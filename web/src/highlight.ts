import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const languages = { bash, css, diff, java, javascript, json, python, sql, typescript, xml, yaml };
Object.entries(languages).forEach(([name, language]) => hljs.registerLanguage(name, language));

const BY_EXTENSION: Record<string, string> = {
  sh: "bash", zsh: "bash", patch: "diff", mjs: "javascript", jsx: "javascript", ndjson: "json",
  js: "javascript", py: "python", ts: "typescript", tsx: "typescript", html: "xml", htm: "xml",
  svg: "xml", yml: "yaml",
};

export function highlightElement(code: HTMLElement, language: string): void {
  const known = BY_EXTENSION[language] ?? language;
  if (!hljs.getLanguage(known)) return;
  code.innerHTML = hljs.highlight(code.textContent ?? "", { language: known }).value;
}
