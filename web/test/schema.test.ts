import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
// @ts-expect-error a script of the build, without types
import { generate } from "../schema.mjs";

test("the page's types say what the OpenAPI document says", () => {
  expect(readFileSync("src/schema.ts", "utf8")).toBe((generate as () => string)());
});
