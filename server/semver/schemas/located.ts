import { isObject } from "../../json/is-object.ts";
import { listTargets, toTarget } from "../../json/resolve-reference.ts";
import { toLatestDraft } from "../../json/schema-draft.ts";
import { createSafePattern, type SafePattern } from "../../json/safe-pattern.ts";

/** Answers if a text has a pattern, matched as the validators match it; undefined where it cannot be matched safely. */
export type Matcher = (pattern: string, text: string) => boolean | undefined;

export type SchemaObject = Readonly<Record<string, unknown>>;

/** A schema document, for one comparison: what local references in it mean. */
export interface Root {
  readonly document: unknown;
  readonly targets: ReadonlyMap<string, unknown>;
  readonly matches: Matcher;
  /** One place for each schema, so that what is known of a place is kept by its identity. */
  readonly places: Map<object, Located>;
  readonly negations: Map<object, Located>;
  /** Facts about places, for each `Memory`. */
  readonly memories: Map<object, Map<Located, unknown>>;
}

/** A schema at its place: `true` and `false` are schemas, too. */
export interface Located {
  readonly schema: SchemaObject | boolean;
  readonly root: Root;
}

/** Schemas that all apply to the same value; none is "anything". */
export type Conjunction = readonly Located[];

export const ANYTHING: Conjunction = Object.freeze([]);

/** `extra` are further schemas that references may lead to. */
export function toRoot(document: unknown, extra: ReadonlyMap<string, unknown> = new Map()): Root {
  return {
    document: extra.size === 0 ? document : [document, Object.fromEntries(extra)],
    targets: new Map([...listTargets(document), ...extra]),
    matches: createMatcher(),
    places: new Map(),
    negations: new Map(),
    memories: new Map(),
  };
}

/** Places a schema of any known draft, which is all of its document. */
export function toPlace(schema: unknown): Located {
  const latest = toLatestDraft(schema);
  return locate(latest, toRoot(latest));
}

const NOWHERE: Root = toRoot(true);
const ALWAYS: Located = Object.freeze({ schema: true, root: NOWHERE });
export const NEVER: Located = Object.freeze({ schema: false, root: NOWHERE });

export const TEXT: Located = Object.freeze({ schema: { type: "string" }, root: NOWHERE });

export function locate(schema: unknown, root: Root): Located {
  if (schema === false) return NEVER;
  if (!isObject(schema)) return ALWAYS;
  const known = root.places.get(schema) ?? { schema, root };
  root.places.set(schema, known);
  return known;
}

/** Facts about places, kept as long as the document of each. */
export interface Memory<Value> {
  readonly get: (located: Located) => Value | undefined;
  readonly set: (located: Located, value: Value) => void;
}

/**
 * Creates a memory. A `WeakMap` would keep what it knows until the next collection of old objects, and make the heap of
 * new ones grow meanwhile.
 */
export function createMemory<Value>(): Memory<Value> {
  const own = {};
  return {
    // Nothing else writes under the key.
    get: (located) => located.root.memories.get(own)?.get(located) as Value | undefined,
    set: (located, value) => {
      const { memories } = located.root;
      const known = memories.get(own);
      if (known === undefined) memories.set(own, new Map([[located, value]]));
      else known.set(located, value);
    },
  };
}

/** Follows `$ref: reference` from that place; undefined where it leads nowhere. */
export function follow(reference: string, root: Root): Located | undefined {
  const target = root.targets.get(toTarget(reference));
  return target === undefined ? undefined : locate(target, root);
}

/** The schema of all other values. */
export function negate({ schema, root }: Located): Located {
  if (typeof schema === "boolean") return schema ? NEVER : ALWAYS;
  const known = root.negations.get(schema) ?? locate({ not: schema }, root);
  root.negations.set(schema, known);
  return known;
}

/** Checks that one of them is `false`. */
export function isNever(conjunction: Conjunction): boolean {
  return conjunction.some(({ schema }) => schema === false);
}

function createMatcher(): Matcher {
  const compiled = new Map<string, SafePattern | undefined>();
  return (pattern, text) => {
    if (!compiled.has(pattern)) {
      const safe = createSafePattern(pattern);
      compiled.set(pattern, "refused" in safe ? undefined : safe);
    }
    return compiled.get(pattern)?.test(text);
  };
}
