import { canonicalJson } from "../../../json/canonical-json.ts";
import { isObject } from "../../../json/is-object.ts";
import type { Json } from "../../../json/types.ts";
import type { Problem } from "../../problem.ts";
import type { Manifest } from "../manifest.ts";
import { showValues } from "../schema/show.ts";
import type { Path } from "../yaml/locate.ts";
import type { ToolContent } from "./tool-content.ts";

/** Keys of schemas under which there is data. */
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/** Finds what a tool can be served with, and nobody can have meant: rules that came after versions were tagged. */
export function findOversights({ content, problem }: Manifest<ToolContent>): readonly Problem[] {
  const { uses = [], egress = [], secrets = [], input, output } = content;
  const found = [...findDefaults(input, ["input"]), ...findDefaults(output, ["output"])].map(({ path, message, fix }) =>
    problem("default-value", path, message, fix),
  );
  const at = uses.indexOf("fetch");
  if (at < 0 || egress.length > 0 || secrets.length > 0) return found;
  const message = "The tool may use `fetch`, but names no host that it may reach.";
  const fix = "Add the hosts under `egress`, such as `egress: [api.example.com]`, or remove `fetch`.";
  return [...found, problem("fetch-nowhere", ["uses", at], message, fix)];
}

interface Misfit {
  readonly path: Path;
  readonly message: string;
  readonly fix: string;
}

function findDefaults(node: unknown, path: Path): readonly Misfit[] {
  if (Array.isArray(node)) return node.flatMap((item, at) => findDefaults(item, [...path, at]));
  if (!isObject(node)) return [];
  const below = Object.entries(node).flatMap(([key, child]) =>
    DATA.has(key) && !isObject(child) ? [] : findDefaults(child, [...path, key]),
  );
  const misfit = judgeDefault(node);
  return misfit === undefined ? below : [{ path: [...path, "default"], ...misfit }, ...below];
}

/** Judges a default by the values, the type and the bounds that stand beside it; what a reference adds is not looked at. */
function judgeDefault(schema: Readonly<Record<string, unknown>>): Omit<Misfit, "path"> | undefined {
  const { default: value, enum: allowed, type } = schema;
  if (value === undefined) return undefined;
  if (Array.isArray(allowed) && !isOneOf(value, allowed)) {
    const message = "The default is none of the values that the schema allows.";
    return { message, fix: `Write one of ${showValues(allowed)}, or remove the default.` };
  }
  const types = [type].flat().filter((one) => typeof one === "string");
  if (types.length > 0 && !types.some((one) => isOfType(value, one))) {
    const message = `The default ${showValues([value])} is not of the type ${showValues(types)}.`;
    return { message, fix: "Write a default of that type, or remove it." };
  }
  const broken = BOUNDS.find(([key, isWithin]) => {
    const bound = schema[key];
    return typeof bound === "number" && isWithin(value, bound) === false;
  });
  if (broken === undefined) return undefined;
  const [key] = broken;
  const message = `The default ${showValues([value])} is outside of \`${key}\` ${String(schema[key])}.`;
  return { message, fix: `Write a default that fits, or another \`${key}\`.` };
}

/** Tells whether a value is within a bound; undefined where the bound says nothing of values of its kind. */
type IsWithin = (value: unknown, bound: number) => boolean | undefined;

const ofNumber =
  (isWithin: (value: number, bound: number) => boolean): IsWithin =>
  (value, bound) =>
    typeof value === "number" ? isWithin(value, bound) : undefined;
const ofLength =
  (isWithin: (length: number, bound: number) => boolean): IsWithin =>
  (value, bound) =>
    typeof value === "string" ? isWithin([...value].length, bound) : undefined;
const ofItems =
  (isWithin: (length: number, bound: number) => boolean): IsWithin =>
  (value, bound) =>
    Array.isArray(value) ? isWithin(value.length, bound) : undefined;

const BOUNDS: readonly (readonly [key: string, isWithin: IsWithin])[] = [
  ["minimum", ofNumber((value, bound) => value >= bound)],
  ["maximum", ofNumber((value, bound) => value <= bound)],
  ["exclusiveMinimum", ofNumber((value, bound) => value > bound)],
  ["exclusiveMaximum", ofNumber((value, bound) => value < bound)],
  ["minLength", ofLength((length, bound) => length >= bound)],
  ["maxLength", ofLength((length, bound) => length <= bound)],
  ["minItems", ofItems((length, bound) => length >= bound)],
  ["maxItems", ofItems((length, bound) => length <= bound)],
];

function isOfType(value: unknown, type: string): boolean {
  if (type === "integer") return typeof value === "number" && Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return typeof value === type;
}

function isOneOf(value: unknown, allowed: readonly unknown[]): boolean {
  const text = canonicalJson(value as Json);
  return allowed.some((one) => canonicalJson(one as Json) === text);
}
