import { isObject } from "../json/is-object.ts";
import { toPointer } from "../json/pointer.ts";
import type { Check, Json } from "../json/types.ts";
import type { ToolInput, ToolOutput } from "./compare-tools.ts";
import { toPlace } from "./schemas/located.ts";
import { isSame } from "./schemas/same.ts";
import { polish, POLISH_LIMIT } from "./schemas/witnesses/polish.ts";
import { sampleValues } from "./schemas/witnesses/sample.ts";

/** Outcome of an example: the output that comes, or the input as a tool reads it, before and after a change. */
export interface BeforeAndAfter {
  readonly before?: Json;
  readonly after?: Json;
}

/** Samples of one schema that are tried. */
const SAMPLE_LIMIT = 100;

/** Characters of a refusal. */
const REFUSAL_LENGTH = 200;
/** Advice of validators to whoever sends a value, which no one does here. */
const HINT = /; (?:did you mean|allowed are) .*$/s;

/** Explains why a value is refused, in the words of its validator: what is wrong at the path, or else the first fault. */
export function explainRefusal(check: Check, value: Json, path: readonly string[]): string | undefined {
  const violations = check(value);
  const violation = violations.find((each) => each.path === toPointer(path)) ?? violations[0];
  return violation?.message.replace(HINT, "").slice(0, REFUSAL_LENGTH);
}

/**
 * Creates a search for the output that could come before in the place of a new one: they differ in the part at a path, and in
 * nothing else. Lists of any length, and members of any name, are not looked into.
 */
export function createOutputSearch(was: ToolOutput, is: ToolOutput) {
  let samples: readonly Json[] | undefined;
  return (value: Json, path: readonly string[]): Json | undefined => {
    if (path.length === 0 || path.some((step) => step === "[]" || step === "*")) return undefined;
    samples ??= sample(was.output, is.output);
    const part = partAt(value, path);
    const parts = [undefined, ...toOtherTypes(part), ...samples.map((each) => partAt(each, path))];
    const changed = parts.map((each) => withPart(value, path, each)).filter((each) => !isSame(each, value));
    return changed.find((each) => was.checkOutput(each, "first").length === 0);
  };
}

/** Finds the smallest input that a tool reads otherwise, because another default is filled into the member at `path`. */
export function findOtherReading(
  was: ToolInput,
  is: ToolInput,
  path: readonly string[],
): (BeforeAndAfter & { readonly value: Json }) | undefined {
  const read = ({ checkInput, withDefaults }: ToolInput, value: Json) => {
    const filled = withDefaults(value) as Json;
    return checkInput(filled, "first").length === 0 ? filled : undefined;
  };
  const readBoth = (value: Json) => {
    const [before, after] = [read(was, value), read(is, value)];
    if (before === undefined || after === undefined || partAt(value, path) !== undefined) return undefined;
    return isSame(partAt(before, path) ?? null, partAt(after, path) ?? null) ? undefined : { value, before, after };
  };
  let left = POLISH_LIMIT;
  const found = [{}, ...sample(was.input, is.input)].find((value) => readBoth(value) !== undefined);
  return found === undefined
    ? undefined
    : readBoth(polish(found, (value) => left-- > 0 && readBoth(value) !== undefined));
}

/** Values that one schema may take, aimed at the edges of another, the shortest first. */
function sample(own: unknown, other: unknown): readonly Json[] {
  return sampleValues([toPlace(own)], [toPlace(other)], () => false)
    .toSorted((a, b) => a.text.length - b.text.length)
    .slice(0, SAMPLE_LIMIT)
    .map(({ value }) => value);
}

/** The values of other types that a person would take for this one. */
function toOtherTypes(part: Json | undefined): readonly Json[] {
  if (typeof part === "string" && part !== "" && Number.isFinite(Number(part))) return [Number(part)];
  if (typeof part === "number" || typeof part === "boolean") return [String(part)];
  return Array.isArray(part) ? (part as readonly Json[]).slice(0, 1) : [];
}

function partAt(value: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (at, name) => (isObject(at) && Object.hasOwn(at, name) ? (at[name] as Json) : undefined),
    value,
  );
}

/** Writes a part into a copy of a value, or takes it away. */
function withPart(value: Json, [name, ...rest]: readonly string[], part: Json | undefined): Json {
  if (name === undefined || !isObject(value)) return value;
  const { [name]: own, ...others } = value as Readonly<Record<string, Json>>;
  if (rest.length > 0) return own === undefined ? value : { ...value, [name]: withPart(own, rest, part) };
  return part === undefined ? others : { ...(value as object), [name]: part };
}
