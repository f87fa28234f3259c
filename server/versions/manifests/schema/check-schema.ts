import { isObject } from "../../../json/is-object.ts";
import { readPointer } from "../../../json/pointer.ts";
import { listTargets, toTarget } from "../../../json/resolve-reference.ts";
import { createSafePattern } from "../../../json/safe-pattern.ts";
import { draftOf, isRead } from "../../../json/schema-draft.ts";
import {
  type Draft,
  FORMATS,
  IN_PLACE,
  isOfOtherDraft,
  KEYWORDS,
  type SchemaNode,
  subschemas,
} from "../../../json/schema-keywords.ts";
import { suggest } from "../../../text/suggest.ts";
import { MAX_PROBLEMS } from "../limit-problems.ts";
import type { Rule } from "../rules.ts";
import type { Part, Path } from "../yaml/locate.ts";
import { countParts } from "./count-parts.ts";
import { showValues } from "./show.ts";

/** Values of any kind in one schema: what it costs to compile, and to check a value against it, grows with them. */
const MAX_PARTS = 4000;
const MAX_PATTERNS = 50;
const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"];

export interface SchemaFinding {
  /** From the root of the schema. */
  readonly path: Path;
  readonly part: Part;
  readonly rule: Rule;
  readonly message: string;
  readonly fix: string;
}

/** The findings in one schema so far. */
interface Survey {
  readonly draft: Draft;
  readonly dialect: unknown;
  /** Places that references can lead to. */
  readonly targets: ReturnType<typeof listTargets>;
  readonly findings: SchemaFinding[];
  patterns: number;
}

/**
 * Finds what is wrong with a tool's schema beyond its form, which the meta-schema has checked: keywords without meaning,
 * references that lead away, formats and patterns that cannot be checked, and schemas too large to compile.
 */
export function checkSchema(schema: SchemaNode): readonly SchemaFinding[] {
  if (countParts(schema) > MAX_PARTS) {
    const message = `The schema has more than ${MAX_PARTS} parts.`;
    const fix = "Check long lists of values in the handler, or split the tool.";
    return [{ path: [], part: "key", rule: "schema-invalid", message, fix }];
  }
  const draft = draftOf(schema) ?? "2020-12";
  const survey: Survey = { draft, dialect: schema["$schema"], targets: listTargets(schema), findings: [], patterns: 0 };
  visit(survey, schema, []);
  const loop = survey.findings.length === 0 ? findLoop(survey.targets, draft) : undefined;
  if (loop) {
    const message = "The schema refers back to itself for the same value, so checking it never ends.";
    add(
      survey,
      loop,
      "schema-reference",
      message,
      "Refer to it for a part of the value, under `properties` or `items`.",
    );
  }
  return survey.findings;
}

function visit(survey: Survey, all: unknown, path: Path): void {
  if (!isObject(all) || survey.findings.length > MAX_PROBLEMS) return;
  for (const keyword of Object.keys(all)) checkKeyword(survey, keyword, path);
  const node = Object.fromEntries(Object.entries(all).filter(([keyword]) => isRead(keyword, all, survey.draft)));
  checkIdentity(survey, node, path);
  for (const keyword of REFERENCES) checkReference(survey, node, keyword, path);
  checkFormat(survey, node["format"], [...path, "format"]);
  checkPattern(survey, node["pattern"], [...path, "pattern"], "value");
  if (isObject(node["patternProperties"])) {
    for (const pattern of Object.keys(node["patternProperties"])) {
      checkPattern(survey, pattern, [...path, "patternProperties", pattern], "key");
    }
  }
  for (const { schema: inner, path: step } of subschemas(node)) visit(survey, inner, [...path, ...step]);
}

function checkKeyword(survey: Survey, keyword: string, path: Path): void {
  const { draft } = survey;
  const known = KEYWORDS[draft];
  if (known.has(keyword) || keyword.startsWith("x-")) return;
  const meant = suggest(keyword, [...known]);
  const replaced = draft === "2020-12" ? OLD_KEYWORDS[keyword] : undefined;
  const other = isOfOtherDraft(keyword, draft) ? `Remove it, or write \`$schema: ${DIALECT}\`.` : undefined;
  const fix = replaced ?? other ?? (meant ? `Did you mean \`${meant}\`?` : "Remove it, or start it with `x-`.");
  add(survey, [...path, keyword], "unknown-key", `\`${keyword}\` is no keyword of JSON Schema ${draft}.`, fix, "key");
}

function checkIdentity(survey: Survey, node: SchemaNode, path: Path): void {
  const dialect = node["$schema"];
  if (dialect !== undefined && (draftOf(node) === undefined || dialect !== survey.dialect)) {
    const message = `\`$schema\` names \`${String(dialect)}\`.`;
    const fix = `Remove it, or write \`${DIALECT}\`, or the address of draft 2019-09 or draft-07, at the root.`;
    add(survey, [...path, "$schema"], "schema-invalid", message, fix);
  }
  const isAnchor = survey.draft === "draft-07" && String(node["$id"]).startsWith("#");
  if (path.length > 0 && node["$id"] !== undefined && !isAnchor) {
    const message = "A schema inside another has a `$id`, which changes what references in it mean.";
    add(survey, [...path, "$id"], "schema-reference", message, "Remove it; refer to `#/$defs/...` instead.", "key");
  }
}

function checkReference(survey: Survey, node: SchemaNode, keyword: string, path: Path): void {
  const reference = node[keyword];
  if (typeof reference !== "string") return;
  if (!reference.startsWith("#")) {
    const message = `\`${reference}\` leads outside this schema, and a version must hold all it needs.`;
    const fix = "Put the other schema under `$defs` and refer to `#/$defs/...`.";
    add(survey, [...path, keyword], "schema-reference", message, fix);
  } else if (!survey.targets.has(toTarget(reference))) {
    const defined = [...survey.targets.keys()]
      .filter((key) => /^\/(?:\$defs|definitions)\//.test(key))
      .map((key) => `#${key}`);
    const meant = suggest(reference, defined);
    const known = defined.length === 0 ? "There is nothing under `$defs`." : `There are ${showValues(defined)}.`;
    const fix = meant ? `Did you mean \`${meant}\`?` : known;
    add(survey, [...path, keyword], "schema-reference", `\`${reference}\` leads to no schema.`, fix);
  }
}

function checkFormat(survey: Survey, format: unknown, path: Path): void {
  if (typeof format !== "string" || FORMATS.some((known) => known === format)) return;
  const meant = suggest(format, FORMATS);
  const fix = `${meant ? `Did you mean \`${meant}\`? ` : ""}Formats are ${showValues(FORMATS)}.`;
  add(survey, path, "schema-format", `The format \`${format}\` is unknown.`, fix);
}

function checkPattern(survey: Survey, pattern: unknown, path: Path, part: Part): void {
  if (typeof pattern !== "string") return;
  if (++survey.patterns > MAX_PATTERNS) {
    const message = `The schema has more than ${MAX_PATTERNS} patterns.`;
    return add(survey, path, "schema-pattern", message, "Use `enum` or `format`, or check in the handler.", part);
  }
  const compiled = createSafePattern(pattern);
  if (!("refused" in compiled)) return;
  const { refused, fix = LINEAR } = compiled;
  add(survey, path, "schema-pattern", `The pattern \`${pattern.slice(0, 100)}\` ${refused}.`, fix, part);
}

function add(survey: Survey, path: Path, rule: Rule, message: string, fix: string, part: Part = "value"): void {
  survey.findings.push({ path, part, rule, message, fix });
}

const LINEAR =
  "Patterns must be matched in time linear in the text (as RE2 does). Write it simpler, or check it in the handler.";

/** Keywords of other dialects that look right, and what replaces them. */
const OLD_KEYWORDS: Readonly<Record<string, string>> = {
  additionalItems: "Write the first items under `prefixItems`, and the others under `items`.",
  dependencies: "Write `dependentRequired` or `dependentSchemas`.",
  discriminator: "Write the constant of each alternative under `properties`, with `const`.",
  example: "Write a list under `examples`.",
  id: "Write `$id`, or better nothing.",
  nullable: "Write `type: [string, 'null']`.",
};

/**
 * A reference that leads back to the schema it stands in without going into the value, so that no check of it ends.
 * `targets` are all schemas inside one, by pointer.
 */
function findLoop(targets: ReadonlyMap<string, unknown>, draft: Draft): Path | undefined {
  const states = new Map<unknown, "open" | "done">();
  for (const [pointer, schema] of targets) {
    const loop = pointer.startsWith("#") ? undefined : search(schema, readPointer(pointer));
    if (loop) return loop;
  }
  return undefined;

  function search(schema: unknown, path: Path): Path | undefined {
    if (!isObject(schema) || states.get(schema) === "done") return undefined;
    if (states.get(schema) === "open") return path;
    states.set(schema, "open");
    let loop: Path | undefined;
    for (const keyword of ["$ref", "$recursiveRef"]) {
      const reference = schema[keyword];
      if (typeof reference === "string") loop ??= search(targets.get(toTarget(reference)), [...path, keyword]);
    }
    for (const { keyword, schema: inner, path: step } of subschemas(schema)) {
      if (IN_PLACE.has(keyword) && isRead(keyword, schema, draft)) loop ??= search(inner, [...path, ...step]);
    }
    states.set(schema, "done");
    return loop;
  }
}
