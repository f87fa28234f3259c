import { isObject } from "../../../json/is-object.ts";
import { subschemas } from "../../../json/schema-keywords.ts";
import { NONE, toOwn } from "./evaluated.ts";
import { createMemory, follow, locate, type Located, type Root, type SchemaObject } from "../located.ts";
import { ALL, branchOff, type Notes, NOTHING, type Step, toConstant, toWay, type Way } from "./notes.ts";
import { isWithoutMeaning } from "../schema-text.ts";
import { ALL_SHAPES, present, type Reader, withoutMember } from "../shape.ts";
import { unite } from "../unite.ts";

/** References followed, and lists nested, to find what is evaluated. */
const DEPTH_LIMIT = 8;
/** Alternatives of one `anyOf`, each of which may hold or not. */
const ALTERNATIVE_LIMIT = 4;
/** Keywords that ajv checks part by part in a loop, where variables keep what an earlier part has left in them. */
const LOOPS = new Set(
  "additionalProperties contains items patternProperties propertyNames unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
);

/** Objects for `unevaluatedProperties`, lists for `unevaluatedItems`: ajv takes notes of each apart. */
export type Noted = "object" | "array";

interface Place {
  readonly schema: SchemaObject;
  readonly root: Root;
  readonly reader: Reader;
  readonly inLoop: boolean;
  readonly follow: (inner: unknown) => Notes | undefined;
}

/** Follows ajv through the keywords of a schema, in its order; undefined where there are too many cases. */
export function takeNotes(located: Located, noted: Noted, reader: Reader, depth = 0): Notes | undefined {
  if (depth === 0) return readNotes(located, noted, reader, depth);
  const known = taken[noted].get(located);
  if (known !== undefined) return known.notes;
  taken[noted].set(located, { notes: undefined });
  const notes = readNotes(located, noted, reader, depth);
  taken[noted].set(located, { notes });
  return notes;
}

interface Known {
  readonly notes: Notes | undefined;
}

/** Notes of schemas inside others, which references may make many. */
const taken = { object: createMemory<Known>(), array: createMemory<Known>() };

function readNotes(located: Located, noted: Noted, reader: Reader, depth: number): Notes | undefined {
  const { schema, root } = located;
  if (typeof schema === "boolean" || isTrivial(schema)) return NOTHING;
  if (depth > DEPTH_LIMIT || "$dynamicRef" in schema) return undefined;
  const notesAll = evaluatesAll(schema, noted, depth);
  if (notesAll !== false) return notesAll === true ? toConstant(ALL) : undefined;
  const place: Place = {
    schema,
    root,
    reader,
    inLoop: loopedIn(root).has(schema),
    follow: (inner) => takeNotes(locate(inner, root), noted, reader, depth + 1),
  };
  const stages = [...listStages(place), ...listOwn(schema, noted).map((notes) => [toWay(notes)])];
  if (noted === "object") stages.push(...listDependent(place));
  const notes = stages.reduce<Notes | undefined>(
    (before, ways) => before && branchOff(before, ways, place.inLoop),
    NOTHING,
  );
  // A reference notes nothing of a value that does not meet its target, and `type` is looked at first.
  const isReference = Object.keys(schema).every(
    (keyword) => /^(?:\$ref|type)$/.test(keyword) || isWithoutMeaning(keyword),
  );
  const isClean = notes?.kind === "none" || notes?.kind === "constant" || isReference;
  return notes && { ...notes, left: isClean ? "none" : "unsure" };
}

/** Checks that a keyword evaluates all parts, whatever else does; undefined where that is not certain. */
function evaluatesAll(schema: SchemaObject, noted: Noted, depth: number): boolean | undefined {
  if (noted === "object") return "additionalProperties" in schema || (depth > 0 && "unevaluatedProperties" in schema);
  if ("items" in schema || (depth > 0 && "unevaluatedItems" in schema)) return true;
  const { contains, minContains = 1, maxContains } = schema;
  if (contains === undefined || (minContains === 0 && maxContains === undefined)) return false;
  // Ajv takes no note for a schema that any item meets, but `$comment` is a keyword to it.
  if (isObject(contains) && isTrivial(contains)) return "$comment" in contains ? undefined : false;
  return contains !== true;
}

/** Lists the ways through `anyOf`, `oneOf`, `allOf`, `if` and `$ref`, one keyword after the other. */
function listStages(place: Place): readonly (readonly Way[])[] {
  const { schema, root } = place;
  const reference = typeof schema["$ref"] === "string" ? follow(schema["$ref"], root) : undefined;
  const all: readonly unknown[] = Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
  return [
    listAlternatives("anyOf", place),
    listAlternatives("oneOf", place),
    ...all.map((inner) => [toWay(place.follow(inner))]),
    listConditional(place),
    "$ref" in schema ? [toWay(reference && noteReference(reference, place))] : [],
  ];
}

/** Ajv does not know the note of a schema that it is just compiling. */
function noteReference(target: Located, place: Place): Notes | undefined {
  const notes = place.follow(target.schema);
  return notes?.kind === "constant" && isRecursive(target) ? { ...notes, kind: "either" } : notes;
}

function listAlternatives(
  keyword: "anyOf" | "oneOf",
  { schema, root, reader, follow: notesOf }: Place,
): readonly Way[] {
  const branches: readonly unknown[] = Array.isArray(schema[keyword]) ? schema[keyword] : [];
  const each = branches.map((inner) => ({ place: locate(inner, root), notes: notesOf(inner) }));
  const active = each.filter(({ notes }) => notes?.kind !== "none");
  const others = each.filter(({ notes }) => notes?.kind === "none");
  const isOne = keyword === "oneOf";
  if (active.length === 0) return [];
  if (!isOne && active.length > ALTERNATIVE_LIMIT) return [toWay(undefined)];
  const sets = isOne
    ? active.map((_, index) => 1 << index)
    : Array.from({ length: (1 << active.length) - 1 }, (_, index) => index + 1);
  return [...sets, ...(others.length > 0 ? [0] : [])].map((set): Way => {
    const isMet = (index: number) => (set >> index) % 2 === 1;
    const steps = active.map(({ notes }, index): Step => ({ notes, end: isMet(index) ? "met" : "lost" }));
    // Where exactly one alternative holds, nothing needs to be said of the others.
    if (isOne) {
      const held = set === 0 ? others : active.filter((_, index) => isMet(index));
      return { shapes: [unite(held.flatMap(({ place }) => reader.shapesOf(place)))], steps };
    }
    const shapes = active.map(({ place }, index) =>
      isMet(index) ? reader.shapesOf(place) : reader.complementOf(place),
    );
    return { shapes, steps };
  });
}

function listConditional({ schema, root, reader, follow: notesOf }: Place): readonly Way[] {
  const [then = true, otherwise = true] = [schema["then"], schema["else"]];
  const [hasThen, hasElse] = [then, otherwise].map(
    (inner) => !(inner === true || (isObject(inner) && isTrivial(inner))),
  );
  if (!("if" in schema) || !(hasThen || hasElse)) return [];
  const [place, notes] = [locate(schema["if"], root), notesOf(schema["if"])];
  return [true, false].map((isMet): Way => ({
    shapes: [isMet ? reader.shapesOf(place) : reader.complementOf(place)],
    steps: [
      // The constant of a condition is noted although the condition is not met.
      notes?.kind === "constant" ? { notes, end: "always" } : { notes, end: isMet ? "always" : "failed" },
      ...(hasThen ? [{ notes: notesOf(then), end: isMet ? ("met" as const) : ("skipped" as const) }] : []),
      ...(hasElse ? [{ notes: notesOf(otherwise), end: isMet ? ("skipped" as const) : ("met" as const) }] : []),
    ],
  }));
}

/** Lists the notes of the members or items that the schema itself names. */
function listOwn(schema: SchemaObject, noted: Noted): readonly Notes[] {
  const { names, patterns, items } = toOwn(schema, 0);
  if (noted === "array") return items > 0 ? [toConstant({ ...NONE, items })] : [];
  const named = names.length > 0 ? [toConstant({ ...NONE, names })] : [];
  return "patternProperties" in schema ? [...named, { ...toConstant({ ...NONE, patterns }), kind: "variable" }] : named;
}

function listDependent({ schema, follow: notesOf }: Place): readonly (readonly Way[])[] {
  const { dependentSchemas } = schema;
  return Object.entries(isObject(dependentSchemas) ? dependentSchemas : {}).map(([name, inner]): readonly Way[] => {
    const notes = notesOf(inner);
    const absent = ALL_SHAPES.map((shape) => (shape.type === "object" ? withoutMember(name) : shape));
    return [
      { shapes: [[present(name)]], steps: [{ notes, end: "met" }] },
      { shapes: [absent], steps: [{ notes, end: "skipped" }] },
    ];
  });
}

function isTrivial(schema: SchemaObject): boolean {
  return Object.keys(schema).every(isWithoutMeaning);
}

const loops = new WeakMap<Root, ReadonlySet<unknown>>();

/** The schemas of a document that ajv checks in a loop. */
function loopedIn(root: Root): ReadonlySet<unknown> {
  const known = loops.get(root);
  if (known !== undefined) return known;
  const looped = new Set<unknown>();
  const visit = (node: unknown, inLoop: boolean) => {
    if (Array.isArray(node)) for (const each of node) visit(each, inLoop);
    if (!isObject(node)) return;
    if (inLoop) looped.add(node);
    for (const { schema, keyword } of subschemas(node)) visit(schema, inLoop || LOOPS.has(keyword));
  };
  visit(root.document, false);
  loops.set(root, looped);
  return looped;
}

const recursive = createMemory<boolean>();

/** Checks that something in a schema leads back to it. */
function isRecursive(target: Located): boolean {
  const known = recursive.get(target);
  if (known !== undefined) return known;
  const seen = new Set<unknown>();
  const leadsBack = (node: unknown): boolean => {
    if (!isObject(node) || seen.has(node)) return false;
    seen.add(node);
    const next = typeof node["$ref"] === "string" ? follow(node["$ref"], target.root)?.schema : undefined;
    return next === target.schema || leadsBack(next) || subschemas(node).some(({ schema }) => leadsBack(schema));
  };
  const answer = leadsBack(target.schema);
  recursive.set(target, answer);
  return answer;
}
