import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Toasts, showError, showQuestion, showToast } from "../src/toasts";

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

const shown = () => [...document.querySelectorAll(".toast strong")].map((title) => title.textContent);

beforeEach(async () => {
  vi.useFakeTimers();
  HTMLDialogElement.prototype.matches = () => false;
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  await act(async () => root.render(createElement(Toasts)));
});
afterEach(() => vi.useRealTimers());

test("errors and questions stay, whatever comes after them", async () => {
  await act(async () => {
    showError("first", new Error("a"));
    showQuestion("attach all?", { label: "Attach all", run: () => {} });
    for (let i = 0; i < 9; i++) showToast(`note ${i}`);
    for (let i = 0; i < 6; i++) showError(`error ${i}`, new Error("b"));
  });
  expect(shown()).toHaveLength(2 + 4 + 6);
  await act(async () => {
    showError("first", new Error("a"));
    await vi.advanceTimersByTimeAsync(60_000);
  });
  expect(shown()).toEqual(["attach all?", ...Array.from({ length: 6 }, (_, i) => `error ${i}`), "first"]);
  expect(document.querySelector(".toasts")?.textContent).toContain("2 times");
});
