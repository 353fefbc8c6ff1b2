import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { copyText } from "../src/clipboard";
import { randomId } from "../src/random";

/** A page over plain HTTP from another machine has neither crypto.randomUUID nor navigator.clipboard. */
describe("on an insecure origin", () => {
  beforeEach(() => {
    vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
    expect(navigator.clipboard).toBeUndefined();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    document.body.replaceChildren();
  });

  test("ids are random, of version 4", () => {
    const ids = new Set(Array.from({ length: 100 }, randomId));
    expect(ids.size).toBe(100);
    ids.forEach((id) => expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/));
  });

  test("a text is copied from a field, which is removed again, and the focus stays", async () => {
    const button = document.body.appendChild(document.createElement("button"));
    button.focus();
    let selected = "";
    document.execCommand = () => {
      selected = (document.activeElement as HTMLTextAreaElement).value;
      return true;
    };
    expect(await copyText("so **bold**")).toBe(true);
    expect(selected).toBe("so **bold**");
    expect(document.querySelector("textarea")).toBeNull();
    expect(document.activeElement).toBe(button);
  });

  test("a refusal of the browser is reported", async () => {
    document.execCommand = () => false;
    expect(await copyText("x")).toBe(false);
  });
});
