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
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import dart from "highlight.js/lib/languages/dart";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import elixir from "highlight.js/lib/languages/elixir";
import go from "highlight.js/lib/languages/go";
import graphql from "highlight.js/lib/languages/graphql";
import haskell from "highlight.js/lib/languages/haskell";
import ini from "highlight.js/lib/languages/ini";
import julia from "highlight.js/lib/languages/julia";
import kotlin from "highlight.js/lib/languages/kotlin";
import lua from "highlight.js/lib/languages/lua";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import perl from "highlight.js/lib/languages/perl";
import php from "highlight.js/lib/languages/php";
import powershell from "highlight.js/lib/languages/powershell";
import r from "highlight.js/lib/languages/r";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import scala from "highlight.js/lib/languages/scala";
import scss from "highlight.js/lib/languages/scss";
import swift from "highlight.js/lib/languages/swift";

const languages = {
  bash, c, cpp, csharp, css, dart, diff, dockerfile, elixir, go, graphql, haskell, ini, java, javascript, json,
  julia, kotlin, lua, makefile, markdown, perl, php, powershell, python, r, ruby, rust, scala, scss, sql, swift,
  typescript, xml, yaml,
};
Object.entries(languages).forEach(([name, language]) => hljs.registerLanguage(name, language));

const BY_EXTENSION: Record<string, string> = {
  sh: "bash", zsh: "bash", patch: "diff", mjs: "javascript", jsx: "javascript", ndjson: "json",
  js: "javascript", py: "python", ts: "typescript", tsx: "typescript", html: "xml", htm: "xml",
  svg: "xml", yml: "yaml", h: "c", cc: "cpp", hpp: "cpp", "c++": "cpp", cs: "csharp", ex: "elixir", exs: "elixir",
  golang: "go", hs: "haskell", toml: "ini", properties: "ini", jl: "julia", kt: "kotlin", kts: "kotlin", mk: "makefile", md: "markdown",
  pl: "perl", ps1: "powershell", rb: "ruby", rs: "rust", shell: "bash", console: "bash",
};

/** Longer code stays as it is: colours for it would stop the page for a noticeable time. */
export const MAX_CHARS = 60_000;

/** Returns false if the code is too long for colours. */
export function highlightElement(code: HTMLElement, language: string): boolean {
  const known = BY_EXTENSION[language] ?? language;
  if (!hljs.getLanguage(known)) return true;
  const text = code.textContent ?? "";
  if (text.length > MAX_CHARS) return false;
  code.innerHTML = hljs.highlight(text, { language: known }).value;
  return true;
}
