import { isObject } from "../../json/is-object.ts";
import type { Explanation } from "./schema/explain-errors.ts";
import type { SchemaNode } from "../../json/schema-keywords.ts";
import { showTypes, showValue } from "./schema/show.ts";

const MAX_EXAMPLE_LENGTH = 60;

/** Explains what an author should write instead, from the schema at that place. */
export function explainFix({ kind, key = "", hint = "", error }: Explanation): string {
  const parent: SchemaNode = error.parentSchema ?? {};
  const properties = isObject(parent["properties"]) ? parent["properties"] : {};
  if (kind === "missing-key") return addKey(key, properties[key]);
  const guess = hint.endsWith("?") ? [toSentence(hint)] : [];
  if (kind === "unknown-key") {
    const allowed = Object.keys(properties);
    const list = allowed.length === 0 ? [] : [`Allowed here: ${allowed.join(", ")}.`];
    return [...(guess.length > 0 ? guess : ["Remove it."]), ...list].join(" ");
  }
  if (hint !== "") return toSentence(hint);
  if (error.keyword === "type") return changeType(error.data, parent);
  if (error.keyword === "enum") return "Choose one of these.";
  if (error.keyword === "const") return `Write \`${showValue(error.params["allowedValue"])}\`.`;
  return changeValue(parent);
}

function addKey(key: string, property: unknown): string {
  const schema = isObject(property) ? property : {};
  const { description } = schema;
  return toSentence(`add \`${key}\`${example(schema)}${typeof description === "string" ? `: ${description}` : ""}`);
}

function changeType(data: unknown, schema: SchemaNode): string {
  const isUnquoted = schema["type"] === "string" && (typeof data === "number" || typeof data === "boolean");
  const what = isUnquoted ? "put it in quotes" : `write ${showTypes([schema["type"]].flat().map(String))}`;
  return toSentence(`${what}${example(schema)}`);
}

function changeValue(schema: SchemaNode): string {
  const { type, minimum, maximum, description } = schema;
  if (typeof minimum === "number" && typeof maximum === "number") {
    return `Write ${type === "integer" ? "a whole number" : "a number"} from ${minimum} to ${maximum}.`;
  }
  if (typeof description !== "string") return "Change it accordingly.";
  return toSentence(`${description.replace(/\.$/, "")}${example(schema)}`);
}

function example({ examples }: SchemaNode): string {
  const [first]: readonly unknown[] = Array.isArray(examples) ? examples : [];
  const text = JSON.stringify(first);
  return text === undefined || text.length > MAX_EXAMPLE_LENGTH ? "" : `, for example \`${text}\``;
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/[^.?]$/, "$&.");
}
