import { isObject, listProperties, type Schema } from "../../../parts/schema.ts";

/** Kinds of fields that a form asks for a value with. `json` is for everything that has no field of its own. */
export type Kind = "object" | "list" | "choice" | "text" | "number" | "boolean" | "json";

/** A value of a closed list, with what people call it. */
export interface Choice {
  readonly value: unknown;
  readonly name: string;
}

/** Objects within objects that a form shows as fields, so that a schema that contains itself ends. */
const MAX_DEPTH = 6;
const PLAIN: Readonly<Record<string, Kind>> = {
  string: "text",
  number: "number",
  integer: "number",
  boolean: "boolean",
};

/** Chooses how to ask for a value of a schema. The service checks every rule that a field does not. */
export function chooseKind(schema: Schema, root: Schema, depth: number): Kind {
  const { type, items } = schema;
  if (listChoices(schema).length > 0) return "choice";
  if (type === "object" && depth < MAX_DEPTH && listProperties(schema, root).length > 0) return "object";
  if (schema["oneOf"] !== undefined || schema["anyOf"] !== undefined || schema["allOf"] !== undefined) return "json";
  if (type === "array" && depth < MAX_DEPTH && isObject(items)) return "list";
  return typeof type === "string" && Object.hasOwn(PLAIN, type) ? (PLAIN[type] ?? "json") : "json";
}

/** Lists the values of a closed list: of `enum`, of `const`, or of alternatives that each are one value. */
export function listChoices(schema: Schema): readonly Choice[] {
  if (schema["const"] !== undefined) return [toChoice(schema["const"])];
  if (Array.isArray(schema["enum"])) return tellApart(schema["enum"].map(toChoice));
  const others: unknown = schema["oneOf"] ?? schema["anyOf"];
  if (!Array.isArray(others)) return [];
  const constants = others.filter((one) => isObject(one)).filter((one) => one["const"] !== undefined);
  if (constants.length < others.length) return [];
  return tellApart(
    constants.map(({ const: value, title }) => (typeof title === "string" ? { value, name: title } : toChoice(value))),
  );
}

/** Names by their JSON the choices that would go by one name: the text `1` beside the number. */
function tellApart(choices: readonly Choice[]): readonly Choice[] {
  const counts = Map.groupBy(choices, ({ name }) => name);
  return choices.map((choice) => {
    const json = JSON.stringify(choice.value);
    if (choice.name !== "" && counts.get(choice.name)?.length === 1) return choice;
    const isPlain = choice.name === choice.value || choice.name === json;
    return { ...choice, name: isPlain ? json : `${choice.name} (${json})` };
  });
}

/** The value that a form begins with: the schema's own default, or those of its members. */
export function toInitial(schema: Schema, root: Schema): unknown {
  if (schema["default"] !== undefined) return schema["default"];
  if (schema["type"] !== "object") return undefined;
  const members = listProperties(schema, root).filter(([, { default: value }]) => value !== undefined);
  return Object.fromEntries(members.map(([name, { default: value }]) => [name, value]));
}

function toChoice(value: unknown): Choice {
  return { value, name: typeof value === "string" ? value : JSON.stringify(value) };
}
