import { compileSchema } from "../../versions/manifests/schema/compile-schema.ts";
import { isObject } from "../../json/is-object.ts";
import { SHAPES_ONLY } from "../../log/redact.ts";
import type { Json } from "../../json/types.ts";
import { nodeOf } from "./document.ts";
import type { ToolPlan } from "./plan-tools.ts";
import { type Extent, sampleOf } from "./sample.ts";

/** Call of a tool with the API's answer to it. */
export interface ToolExample {
  readonly input: Json;
  /** Body of the answer; undefined where it has none. */
  readonly body: string | undefined;
  readonly type: string | undefined;
  /** True if both are the document's own; else one was made of the schemas. */
  readonly isShown: boolean;
}

/** Characters of an answer that an example keeps; of a longer list, the first item is kept. */
const MAX_BODY = 20_000;

/**
 * Chooses an example for a tool: of what the document shows, else of what its schemas allow, the first that fits the tool's
 * own schemas. Credentials in examples are masked. Returns undefined if nothing fits, as with patterns of a rare form.
 */
export function chooseExample(plan: ToolPlan): ToolExample | undefined {
  const input = chooseInput(plan);
  const answer = chooseAnswer(plan);
  if (input === undefined || answer === undefined) return undefined;
  return { input: input.value, ...answer.value, isShown: input.isShown && answer.isShown };
}

interface Chosen<Value> {
  readonly value: Value;
  readonly isShown: boolean;
}

function chooseInput({ input: { schema, shown } }: ToolPlan): Chosen<Json> | undefined {
  const check = compileSchema(schema);
  const made = (extent: Extent) => nodeOf(sampleOf(schema, extent));
  const least = made("required");
  const fits = (value: unknown) => check(value, "first").length === 0;
  const single = (name: string, value: unknown) => fits({ ...least, [name]: value }) || !fits(least);
  const fitting = Object.fromEntries(Object.entries(shown).filter(([name, value]) => single(name, value)));
  const needed = Object.keys(least);
  const candidates: readonly (readonly [unknown, boolean])[] = [
    [{ ...least, ...fitting }, Object.keys(fitting).length > 0 && needed.every((name) => name in fitting)],
    [{ ...least, ...shown }, false],
    [least, false],
    [made("all"), false],
  ];
  const found = candidates.find(([value]) => fits(mask(value)));
  return found === undefined
    ? undefined
    : { value: mask(found[0]), isShown: found[1] || needed.length + Object.keys(shown).length === 0 };
}

function chooseAnswer({ output }: ToolPlan): Chosen<Pick<ToolExample, "body" | "type">> | undefined {
  const { kind, schema, shown, accept } = output;
  if (kind === "nothing") return { value: { body: undefined, type: undefined }, isShown: true };
  if (kind === "text")
    return {
      value: { body: typeof shown === "string" ? SHAPES_ONLY.text(shown) : "text", type: accept },
      isShown: typeof shown === "string",
    };
  const check = compileSchema(schema);
  const inner = kind === "object" ? schema : nodeOf(schema["properties"])[kind === "list" ? "items" : "value"];
  const wrap = (value: unknown) => (kind === "object" ? value : { [kind === "list" ? "items" : "value"]: value });
  const parsed = typeof shown === "string" && kind === "object" ? parse(shown) : shown;
  const candidates = [shorten(parsed), withoutNext(sampleOf(inner, "all")), withoutNext(sampleOf(inner, "required"))];
  const found = candidates.findIndex(
    (value) => value !== undefined && check(withoutNext(wrap(mask(value))), "first").length === 0,
  );
  if (found < 0) return undefined;
  return { value: { body: JSON.stringify(mask(candidates[found])), type: accept }, isShown: found === 0 };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The next page of an answer is found by the handler, in a form of its own. */
function withoutNext(value: unknown): unknown {
  if (!isObject(value) || !("next" in value)) return value;
  const { next: _next, ...rest } = value;
  return rest;
}

function shorten(value: unknown): unknown {
  if (value === undefined || JSON.stringify(value).length <= MAX_BODY) return value;
  if (Array.isArray(value)) return value.length > 1 ? shorten(value.slice(0, 1)) : undefined;
  if (!isObject(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, Array.isArray(one) ? one.slice(0, 1) : one]),
  );
}

/** Documents show tokens, too; those look like real ones to whoever searches a repository for them. */
function mask<Value>(value: Value): Json {
  return SHAPES_ONLY.json(JSON.parse(JSON.stringify(value ?? null)) as Json) as Json;
}
