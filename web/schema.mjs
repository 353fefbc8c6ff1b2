// Writes src/schema.ts, the server's OpenAPI document as TypeScript, unless it says the same already.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const DOCUMENT = "../server/src/main/resources/docs/openapi.json";
const RESULT = "src/schema.ts";

function generate() {
  const { schemas } = JSON.parse(readFileSync(DOCUMENT, "utf8")).components;
  const types = Object.entries(schemas).map(
    ([name, schema]) => `${comment(schema)}export type ${name} = ${typeOf(schema)};\n`,
  );
  return `// Made by schema.mjs from the server's OpenAPI document.\n\n${types.join("\n")}`;
}

export function typeOf(schema, indent = "") {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.oneOf) return joined(schema.oneOf, " | ", indent);
  if (schema.allOf) return joined(schema.allOf, " & ", indent);
  if (Array.isArray(schema.type)) return joined(schema.type.map((type) => ({ ...schema, type })), " | ", indent);
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `Array<${typeOf(schema.items, indent)}>`;
    case "object":
      return objectOf(schema, indent);
    default:
      return "unknown";
  }
}

const joined = (schemas, by, indent) => schemas.map((schema) => typeOf(schema, indent)).join(by);

function objectOf({ properties, required = [], additionalProperties }, indent) {
  if (!properties) return `Record<string, ${typeOf(additionalProperties ?? {}, indent)}>`;
  const deeper = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? "" : "?";
    return `${comment(schema, deeper)}${deeper}${name}${mark}: ${typeOf(schema, deeper)};\n`;
  });
  return `{\n${members.join("")}${indent}}`;
}

const comment = ({ description }, indent = "") => (description ? `${indent}/** ${description} */\n` : "");

if (process.argv[1]?.endsWith("schema.mjs")) {
  const wanted = generate();
  const isFresh = existsSync(RESULT) && readFileSync(RESULT, "utf8") === wanted;
  if (!isFresh) writeFileSync(RESULT, wanted);
}
