import { describe, expect, test } from "vitest";
// @ts-expect-error a script of the build, without types
import { typeOf } from "../schema.mjs";

describe("the types generated from the OpenAPI document", () => {
  test.each([
    [{ type: "integer", format: "int64" }, "number"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ type: "string", enum: ["own", "none"] }, '"own" | "none"'],
    [{ type: "array", items: { $ref: "#/components/schemas/Chat" } }, "Array<Chat>"],
    [{ type: "object", additionalProperties: { type: "string" } }, "Record<string, string>"],
    [{ oneOf: [{ const: "text" }, { type: "boolean" }] }, '"text" | boolean'],
    [{ allOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }] }, "A & B"],
    [{ description: "Any JSON" }, "unknown"],
  ])("%j is %s", (schema, type) => expect(typeOf(schema)).toBe(type));

  test("members of an object are optional unless they are required, and keep their descriptions", () => {
    const schema = {
      type: "object",
      required: ["id"],
      properties: { id: { type: "string" }, note: { type: "string", description: "For people" } },
    };

    expect(typeOf(schema)).toBe("{\n  id: string;\n  /** For people */\n  note?: string;\n}");
  });
});
