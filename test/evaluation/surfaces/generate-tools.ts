/** Random numbers of a seed: mulberry32, by Tommy Ettinger (public domain). */
export interface Random {
  /** From 0 to 1, without 1. */
  next(): number;
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { next, below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}

export type Schema = Record<string, unknown>;
/** Object schema as tools have it, to be edited in place. */
export interface ObjectSchema extends Schema {
  properties: Record<string, Schema>;
  required: string[];
}
export interface GeneratedTool {
  name: string;
  description: string;
  annotations: Record<string, boolean>;
  inputSchema: ObjectSchema;
  outputSchema?: ObjectSchema;
}

const VERBS = ["list", "get", "create", "update", "delete", "search", "merge", "close", "export", "assign"];
const NOUNS = [
  "issue",
  "pull",
  "branch",
  "file",
  "user",
  "label",
  "comment",
  "release",
  "run",
  "secret",
  "team",
  "alert",
];
const MEMBERS = [
  ..."owner repo title body state labels assignee page limit query since sort order path branch".split(" "),
  ..."message sha draft reviewers milestone cursor depth tags priority due visibility".split(" "),
];

/** Makes a member's schema, of the kinds that servers have most. */
export function generateMember(random: Random, depth = 0): Schema {
  const description = `Text ${random.below(1_000)}.`;
  const kinds: readonly (() => Schema)[] = [
    () => ({ type: "string", description }),
    () => ({ type: "string", minLength: 1, maxLength: 20 + random.below(200) }),
    () => ({ type: "string", enum: ["open", "closed", "all", "draft"].slice(0, 2 + random.below(3)), description }),
    () => ({ type: "integer", minimum: 1, maximum: 10 + random.below(90), default: 5 }),
    () => ({ type: "number", minimum: 0, description }),
    () => ({ type: "boolean", default: random.below(2) === 0 }),
    () => ({ type: "string", pattern: random.pick(["^[a-z0-9-]+$", "^[0-9a-f]{40}$", "^v?[0-9]+$"]) }),
    () => ({ type: "string", format: random.pick(["uri", "date-time", "email", "uuid"]) }),
    () => ({ anyOf: [{ type: "string" }, { type: "null" }], default: null, description }),
    () => ({ type: "array", items: depth > 1 ? { type: "string" } : generateMember(random, depth + 1), maxItems: 50 }),
    () => (depth > 1 ? { type: "string" } : generateObject(random, depth + 1)),
  ];
  return random.pick(kinds)();
}

function generateObject(random: Random, depth = 0): ObjectSchema {
  const names = new Set(Array.from({ length: 1 + random.below(depth === 0 ? 7 : 3) }, () => random.pick(MEMBERS)));
  const properties = Object.fromEntries([...names].map((name) => [name, generateMember(random, depth)]));
  const required = [...names].filter((name) => !("default" in (properties[name] ?? {})) && random.below(2) === 0);
  return { type: "object", properties, required, ...(random.below(2) === 0 ? { additionalProperties: false } : {}) };
}

export function generateTool(random: Random, index: number): GeneratedTool {
  return {
    name: `${random.pick(VERBS)}_${random.pick(NOUNS)}_${index}`,
    description: `Does something, number ${index}.`,
    annotations: { readOnlyHint: random.below(2) === 0, openWorldHint: true },
    inputSchema: generateObject(random),
    ...(random.below(2) === 0 ? { outputSchema: generateObject(random) } : {}),
  };
}
