import { isObject } from "../../../../json/is-object.ts";
import type { Json } from "../../../../store/store.ts";
import { type Path, findIn } from "../../../edit/edit-json.ts";
import type { Tool } from "../../../../versions/version.ts";
import { stemSet, withoutCommon } from "../places/places.ts";
import { toStems } from "../words/words.ts";

/** A value that a tool takes or gives, at some depth; of lists of objects, the fields of one of them. */
export interface SampleField {
  readonly side: "input" | "output";
  /** Names from the root; 0 stands for the one element of a list. */
  readonly path: Path;
  readonly name: string;
  /** Stems of its name and its title, each by itself. */
  readonly names: readonly (readonly string[])[];
  /** Stems of its description. */
  readonly soft: ReadonlySet<string>;
  readonly isRequired: boolean;
  readonly type: "text" | "number" | "boolean";
  /** True: a list of such values. */
  readonly isList: boolean;
  readonly values: readonly Json[];
  readonly schema: Readonly<Record<string, unknown>>;
  /** What examples have there. */
  readonly known: readonly Json[];
}

const DEPTH = 4;
/** The server's own, which examples leave out. */
const OWN: ReadonlySet<string> = new Set(["conversation_id", "logs_uri"]);

/** Lists the single values that a tool takes and gives. */
export function listSampleFields(tool: Tool): readonly SampleField[] {
  const inputs = listOf(tool, "input", tool.input, [], 0);
  const outputs = listOf(tool, "output", tool.output, [], 0);
  return [...inputs, ...outputs.map((field) => withValues(field, inputs))];
}

/** What a tool gives mostly has the values of what it takes by this name. */
function withValues(field: SampleField, inputs: readonly SampleField[]): SampleField {
  const twin = inputs.find(({ name }) => name === field.name);
  return field.values.length > 0 || twin === undefined || field.type !== "text"
    ? field
    : { ...field, values: twin.values };
}

function listOf(
  tool: Tool,
  side: SampleField["side"],
  schema: unknown,
  path: Path,
  depth: number,
): readonly SampleField[] {
  const properties = findIn(schema, ["properties"]);
  const required = findIn(schema, ["required"]);
  if (!isObject(properties) || depth > DEPTH) return [];
  return Object.entries(properties).flatMap(([name, own]): readonly SampleField[] => {
    if (OWN.has(name) || !isObject(own)) return [];
    const at = [...path, name];
    if (own["type"] === "object") return listOf(tool, side, own, at, depth + 1);
    const items = own["type"] === "array" ? own["items"] : undefined;
    if (isObject(items) && items["type"] === "object") return listOf(tool, side, items, [...at, 0], depth + 1);
    const one = isObject(items) ? items : own;
    const values: readonly Json[] = Array.isArray(one["enum"]) ? one["enum"] : [];
    const type = typeOf(one["type"] ?? typeOfAll(values));
    if (type === undefined) return [];
    const { title, description } = own;
    return [
      {
        side,
        path: at,
        name,
        names: [toStems(name), ...(typeof title === "string" ? [toStems(title)] : [])],
        soft: withoutCommon(stemSet(typeof description === "string" ? description : undefined)),
        isRequired: Array.isArray(required) && required.includes(name),
        type,
        isList: isObject(items),
        values,
        schema: one,
        known: tool.examples.flatMap((example) => valuesAt(example[side], at)),
      },
    ];
  });
}

/** The type that all of some values have; undefined where they have several. */
function typeOfAll(values: readonly Json[]): string | undefined {
  const [type, ...others] = new Set(values.map((value) => typeof value));
  return others.length === 0 ? type : undefined;
}

function typeOf(type: unknown): SampleField["type"] | undefined {
  if (type === "integer" || type === "number") return "number";
  return type === "string" ? "text" : type === "boolean" ? "boolean" : undefined;
}

/** The values at a path; of lists, those of all elements. */
function valuesAt(value: unknown, path: Path): readonly Json[] {
  const [step, ...rest] = path;
  if (value === undefined || value === null) return [];
  if (step === undefined) return Array.isArray(value) ? value : [value as Json];
  if (step === 0) return Array.isArray(value) ? value.flatMap((one) => valuesAt(one, rest)) : [];
  return isObject(value) ? valuesAt(value[step], rest) : [];
}
