import type { JsonSchema } from "../../server/host-api.ts";
import { type Field, readFields } from "../../tools/_lib/fill/read-fields.ts";
import type { Draft } from "../../tools/_lib/fill/draft.ts";

/** Fields for tests, required unless the schema says `optional: true`. */
export function createFields(properties: Readonly<Record<string, JsonSchema>>): Field[] {
  const required = Object.keys(properties).filter((name) => properties[name]?.["optional"] !== true);
  return readFields({ type: "object", properties, required });
}

export function createField(schema: JsonSchema, name = "value"): Field {
  const [field] = createFields({ [name]: schema });
  if (!field) throw new Error("no field");
  return field;
}

export function draftOf(message: string): Draft {
  return { values: {}, rest: message };
}
