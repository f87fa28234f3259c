import { CairnError } from "../../errors.ts";
import type { Json } from "../../store/store.ts";

/** One place to fill in, as MCP's elicitation restricts JSON Schema. */
interface Field {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly oneOf?: readonly { readonly const: string }[];
  readonly items?: { readonly enum?: readonly string[]; readonly anyOf?: readonly { readonly const: string }[] };
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Form for a person to fill in. */
export interface FormSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
}

const FIELD_TYPES: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean", "array"]);

/** Refuses a form that clients could not show: they know flat objects of strings, numbers, booleans and choices only. */
export function assertForm({ properties, required = [] }: FormSchema): void {
  for (const [name, field] of Object.entries(properties)) {
    if (!FIELD_TYPES.has(field.type)) {
      throw refusal(
        `\`${name}\` is of type \`${String(field.type)}\`; it must be one of ${[...FIELD_TYPES].join(", ")}`,
      );
    }
    if (field.type === "array" && choices(field.items) === undefined) {
      throw refusal(`the list \`${name}\` must be of choices: \`items\` with \`enum\` or \`anyOf\``);
    }
  }
  const missing = required.find((name) => !Object.hasOwn(properties, name));
  if (missing !== undefined) throw refusal(`\`${missing}\` is required but not among the properties`);
}

/** Checks that `content` is the form filled in. */
export function fitsForm({ properties, required = [] }: FormSchema, content: Json | undefined): boolean {
  if (typeof content !== "object" || content === null || Array.isArray(content)) return false;
  const given = Object.entries(content as Record<string, Json>);
  return (
    required.every((name) => Object.hasOwn(content, name)) &&
    given.every(([name, value]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return field !== undefined && fits(field, value);
    })
  );
}

function fits(field: Field, value: Json): boolean {
  switch (field.type) {
    case "string": {
      const allowed = choices({ ...field, anyOf: field.oneOf ?? undefined });
      return (
        typeof value === "string" &&
        (allowed?.includes(value) ?? within([...value].length, field.minLength, field.maxLength))
      );
    }
    case "number":
    case "integer":
      return (
        typeof value === "number" &&
        (field.type === "number" || Number.isInteger(value)) &&
        within(value, field.minimum, field.maximum)
      );
    case "boolean":
      return typeof value === "boolean";
    default:
      return (
        Array.isArray(value) &&
        within(value.length, field.minItems, field.maxItems) &&
        value.every((item) => choices(field.items)?.includes(item as string))
      );
  }
}

function choices(
  options: {
    readonly enum?: readonly string[];
    readonly anyOf?: readonly { readonly const: string }[] | undefined;
  } = {},
): readonly string[] | undefined {
  return options.enum ?? options.anyOf?.map((option) => option.const);
}

function within(value: number, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): boolean {
  return value >= min && value <= max;
}

function refusal(what: string): CairnError {
  return new CairnError("BAD_REQUEST", `\`ctx.elicit\`: ${what}.`);
}
