import { isObject } from "../../../../json/is-object.ts";
import { canonicalJson } from "../../../../json/canonical-json.ts";
import type { Json } from "../../../../store/store.ts";
import type { Example, Tool } from "../../../../versions/version.ts";
import { findIn, type Path } from "../../../edit/edit-json.ts";
import type { Filled } from "./fill-fields.ts";
import type { Pieces } from "./find-pieces.ts";

type Values = Readonly<Record<string, Json>>;

/** The server's own, which examples leave out. */
const OWN: ReadonlySet<unknown> = new Set(["conversation_id", "logs_uri"]);

/** An example of what a message says; what it leaves out is as in the examples that there are. Undefined where no call is known. */
export function makeSample(tool: Tool, filled: readonly Filled[], { error, isEmpty }: Pieces): Json | undefined {
  const said = build(filled.filter(({ field }) => field.side === "input"));
  if (Object.keys(said).length === 0) return undefined;
  const input = complete(tool, said, error);
  if (input === undefined) return undefined;
  if (error !== undefined) return { input, error };
  const given = build(filled.filter(({ field }) => field.side === "output"));
  const result = isEmpty ? { ...emptyOf(tool.output), ...given } : like(tool, given, input);
  const needed = listRequired(tool.output);
  const isWhole =
    Object.keys(result).length > 0 &&
    needed.every((name) => Object.hasOwn(result, name)) &&
    Object.entries(result).every(([name, value]) => isComplete(findIn(tool.output, ["properties", name]), value));
  return isWhole ? { input, output: result } : { input, matches: toPattern(result, needed) };
}

/** Puts values at their paths. */
function build(filled: readonly Filled[]): Values {
  const root: Record<string, Json> = {};
  for (const { field, value } of filled) put(root, field.path, value, field.isList);
  return root;
}

function put(target: Record<string, Json>, [step, next, ...rest]: Path, value: Json, isList: boolean): void {
  const name = String(step);
  if (next === undefined) {
    const old = target[name];
    target[name] = isList ? [...(Array.isArray(old) ? old : []), value] : value;
    return;
  }
  if (next === 0) {
    const list = target[name];
    const [first] = Array.isArray(list) ? list : [];
    const item: Record<string, Json> = isObject(first) ? (first as Record<string, Json>) : {};
    put(item, rest, value, isList);
    target[name] = [item];
    return;
  }
  const inner = target[name];
  const own: Record<string, Json> = isObject(inner) ? (inner as Record<string, Json>) : {};
  put(own, [next, ...rest], value, isList);
  target[name] = own;
}

/** An input with what it cannot do without, from the example that it shares most with. */
function complete(tool: Tool, said: Values, error: string | undefined): Values | undefined {
  const missing = listRequired(tool.input).filter((name) => !Object.hasOwn(said, name));
  const parts = Object.entries(said).filter(
    ([name, value]) => !isComplete(findIn(tool.input, ["properties", name]), value),
  );
  if (missing.length === 0 && parts.length === 0) return said;
  const score = ({ input, error: own }: Example) =>
    (own === error ? 1 : 0) +
    Object.entries(isObject(input) ? input : {}).filter(([name]) => Object.hasOwn(said, name)).length;
  const [nearest] = [...tool.examples].sort((one, other) => score(other) - score(one));
  const input = nearest?.input;
  if (!isObject(input)) return undefined;
  const borrowed = missing.map((name) => [name, input[name]] as const);
  const merged = parts.map(([name, value]) => [name, { ...toObject(input[name]), ...toObject(value) }] as const);
  const whole = { ...said, ...Object.fromEntries([...borrowed, ...merged]) } as Values;
  const isWhole = Object.entries(whole).every(
    ([name, value]) => value !== undefined && isComplete(findIn(tool.input, ["properties", name]), value),
  );
  return isWhole ? whole : undefined;
}

function toObject(value: unknown): object {
  return isObject(value) ? value : {};
}

/** An output whose lists have what an example or the input tells of their elements. */
function like(tool: Tool, given: Values, input: Values): Values {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const [item] = Array.isArray(value) ? value : [];
      if (!isObject(item)) return [name, value];
      const known = tool.examples.flatMap(({ output }) => {
        const list = findIn(output, [name]);
        return Array.isArray(list) ? list.filter(isObject) : [];
      });
      const twin = known.find((one) => Object.entries(item).every(([key, own]) => same(one[key], own)));
      const items = findIn(tool.output, ["properties", name, "items"]);
      const shared = listRequired(items).flatMap((key) =>
        !Object.hasOwn(item, key) && Object.hasOwn(input, key) ? [[key, input[key]] as const] : [],
      );
      const order = Object.keys(toObject(findIn(items, ["properties"])));
      const whole = { ...twin, ...Object.fromEntries(shared), ...item };
      const sorted = Object.entries(whole).sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
      return [name, [Object.fromEntries(sorted) as Json]];
    }),
  );
}

function same(one: unknown, other: unknown): boolean {
  return one !== undefined && canonicalJson(one as Json) === canonicalJson(other as Json);
}

/** What a tool gives that finds nothing: empty lists, and zero where it counts. */
function emptyOf(output: Tool["output"]): Values {
  return Object.fromEntries(
    listRequired(output).flatMap((name): readonly (readonly [string, Json])[] => {
      const type = findIn(output, ["properties", name, "type"]);
      return type === "array" ? [[name, []]] : type === "integer" && /^(?:total|count)/.test(name) ? [[name, 0]] : [];
    }),
  );
}

function listRequired(schema: unknown): readonly string[] {
  const required = findIn(schema, ["required"]);
  return (Array.isArray(required) ? required : []).filter(
    (name): name is string => typeof name === "string" && !OWN.has(name),
  );
}

/** Checks that a value has all that its schema requires. */
function isComplete(schema: unknown, value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => isComplete(findIn(schema, ["items"]), one));
  if (!isObject(value)) return true;
  return (
    listRequired(schema).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, own]) => isComplete(findIn(schema, ["properties", name]), own))
  );
}

/** A schema of what is known of an output. */
function toPattern(known: Values, needed: readonly string[]): Json {
  const properties = Object.entries(known).map(([name, value]) => [name, toSchema(value)] as const);
  return properties.length === 0
    ? { type: "object", ...(needed.length === 0 ? {} : { required: [...needed] }) }
    : { required: properties.map(([name]) => name), properties: Object.fromEntries(properties) };
}

function toSchema(value: Json): Json {
  if (Array.isArray(value)) return value.length === 0 ? { maxItems: 0 } : { contains: toSchema(value[0] ?? null) };
  if (!isObject(value)) return { const: value };
  const entries = Object.entries(value as Values);
  return {
    required: entries.map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, own]) => [name, toSchema(own)])),
  };
}
