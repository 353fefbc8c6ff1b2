import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { Boundary } from "../src/boundary";

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

function Broken(): never {
  throw new Error("it cannot be drawn");
}

test("a part that fails is replaced and takes nothing else with it", async () => {
  const quiet = vi.spyOn(console, "error").mockImplementation(() => {});
  const element = document.createElement("div");
  const root = createRoot(element, { onCaughtError: () => {} });
  const broken = createElement(Boundary, { fallback: "its text", children: createElement(Broken) });
  const whole = createElement(Boundary, { fallback: "its text", children: "a whole part" });
  await act(async () => root.render(createElement("main", null, broken, " and ", whole)));
  expect(element.textContent).toBe("its text and a whole part");
  await act(async () => root.unmount());
  quiet.mockRestore();
});
