import { words } from "#words/try.ts";
import { isObject, listProperties, listRequired, type Schema } from "../../../parts/schema.ts";
import { listChoices } from "./choose-kind.ts";

/** Lists in sentences what does not fit the form of a question, as MCP restricts those: flat, with the rules that the service checks. */
export function findMisfits(form: Schema, content: Schema): readonly string[] {
  const missing = listRequired(form).filter((name) => !Object.hasOwn(content, name));
  const fields = listProperties(form, form).filter(([name]) => Object.hasOwn(content, name));
  const known = new Set(fields.map(([name]) => name));
  const unknown = Object.keys(content).filter((name) => !known.has(name));
  return [
    ...missing.map((name) => words.misfits.missing(name)),
    ...unknown.map((name) => words.misfits.unknown(name)),
    ...fields.flatMap(([name, schema]) => {
      const misfit = findMisfit(schema, content[name]);
      return misfit === undefined ? [] : [words.misfits.wrong(name, misfit)];
    }),
  ];
}

function findMisfit(schema: Schema, value: unknown): string | undefined {
  const { kinds } = words.misfits;
  switch (schema["type"]) {
    case "string": {
      if (typeof value !== "string") return kinds.string;
      const choices = listChoices(schema);
      if (choices.length > 0) return choices.some((choice) => choice.value === value) ? undefined : kinds.choice;
      return findBound([...value].length, schema, "Length", words.misfits.characters);
    }
    case "number":
    case "integer":
      if (typeof value !== "number" || !Number.isFinite(value)) return kinds.number;
      if (schema["type"] === "integer" && !Number.isInteger(value)) return kinds.integer;
      return findBound(value, schema, "imum", words.misfits.number);
    case "boolean":
      return typeof value === "boolean" ? undefined : kinds.boolean;
    default: {
      if (!Array.isArray(value)) return kinds.list;
      const choices = listChoices(isObject(schema["items"]) ? schema["items"] : {});
      const isChosen = value.every((item) => choices.some((choice) => choice.value === item));
      return isChosen ? findBound(value.length, schema, "Items", words.misfits.items) : kinds.choices;
    }
  }
}

/** Names the bound that a figure breaks, of `min` and `max` with the ending that their keywords have. */
function findBound(figure: number, schema: Schema, ending: string, say: (bound: string) => string): string | undefined {
  const { [`min${ending}`]: min, [`max${ending}`]: max } = schema;
  if (typeof min === "number" && figure < min) return say(words.misfits.atLeast(min));
  if (typeof max === "number" && figure > max) return say(words.misfits.atMost(max));
  return undefined;
}
