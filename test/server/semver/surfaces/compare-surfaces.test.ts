import { describe, expect, test } from "vitest";
import { compareSurfaces, type SurfaceReading } from "../../../../server/semver/surfaces/compare-surfaces.ts";
import { SURFACE_RULES } from "../../../../server/semver/surfaces/rules.ts";
import type { McpSurface } from "../../../../server/semver/surfaces/surface.ts";
import { readTables } from "../../../helpers/markdown.ts";
import { toSurface, toTool } from "./surfaces.ts";

const text = { type: "string" };
const DRAFT_7 = { $schema: "http://json-schema.org/draft-07/schema#" };

function find(before: McpSurface, after: McpSurface, reading: SurfaceReading = "declared"): readonly string[] {
  const found = compareSurfaces(before, after, reading).findings.map(({ level, rule }) => `${level}: ${rule}`);
  return [...new Set(found)];
}

function findInTool(before: object, after: object, reading?: SurfaceReading): readonly string[] {
  return find(toSurface([before]), toSurface([after]), reading);
}

const withInput = (inputSchema: unknown) => ({ name: "list", ...(inputSchema === undefined ? {} : { inputSchema }) });
const withOutput = (outputSchema: unknown) => toTool({}, { outputSchema });
const withHints = (annotations: object) => toTool({}, { annotations });
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

describe("inputs of other servers", () => {
  test.each<[string, object, object, readonly string[], readonly string[]]>([
    [
      "a member that may be left out is new",
      {},
      { limit: { type: "integer" } },
      ["minor: input-widened"],
      ["major: input-narrowed"],
    ],
    ["a member is gone", { limit: { type: "integer" } }, {}, ["major: input-narrowed"], ["minor: input-widened"]],
    [
      "a value is gone",
      { state: { enum: ["a", "b"] } },
      { state: { enum: ["a"] } },
      ["major: input-narrowed"],
      ["major: input-narrowed"],
    ],
    [
      "another default",
      { n: { type: "integer", default: 1 } },
      { n: { type: "integer", default: 2 } },
      ["major: input-meaning-changed"],
      ["major: input-meaning-changed"],
    ],
    [
      "a default is said",
      { n: { type: "integer" } },
      { n: { type: "integer", default: 2 } },
      ["patch: schema-reworded"],
      ["patch: schema-reworded"],
    ],
    [
      "a member is not nullable any more",
      { n: { type: "integer", nullable: true } },
      { n: { type: "integer" } },
      ["major: input-narrowed"],
      ["major: input-narrowed"],
    ],
    [
      "a nullable member is written in the words of JSON Schema",
      { n: { type: "integer", nullable: true } },
      { n: { type: ["integer", "null"] } },
      ["patch: schema-reworded"],
      ["patch: schema-reworded"],
    ],
    [
      "a format that nobody checks",
      { n: { type: "integer", format: "int32" } },
      { n: { type: "integer", format: "int64" } },
      ["patch: schema-reworded"],
      ["patch: schema-reworded"],
    ],
  ])("%s", (_, before, after, declared, strict) => {
    expect(findInTool(toTool(before), toTool(after))).toEqual(declared);
    expect(findInTool(toTool(before), toTool(after), "strict")).toEqual(strict);
  });

  const bare = { type: "object", description: "Takes nothing." };
  test.each<[string, object, object, readonly string[], readonly string[]]>([
    ["gets a member", bare, object({ host: text }), ["minor: input-widened"], ["major: input-narrowed"]],
    [
      "gets a member that must be given",
      bare,
      object({ host: text }, { required: ["host"] }),
      ["major: input-narrowed"],
      ["major: input-narrowed"],
    ],
    ["loses its last member", object({ host: text }), bare, ["major: input-narrowed"], ["minor: input-widened"]],
    ["says that it has no members", bare, object({}), ["patch: schema-reworded"], ["patch: schema-reworded"]],
    ["says so no more", object({}), bare, ["patch: schema-reworded"], ["patch: schema-reworded"]],
    [
      "takes any member, and gets one",
      { type: "object", additionalProperties: true },
      object({ host: text }),
      ["major: input-narrowed"],
      ["major: input-narrowed"],
    ],
    [
      "must have a member, and gets one",
      { type: "object", minProperties: 1 },
      object({ host: text }, { minProperties: 1 }),
      ["major: input-narrowed"],
      ["major: input-narrowed"],
    ],
    [
      "has a member that is any object, which gets a member",
      object({ filter: bare }),
      object({ filter: object({ host: text }) }),
      ["major: input-narrowed"],
      ["major: input-narrowed"],
    ],
  ])("an object %s", (_, before, after, declared, strict) => {
    expect(findInTool(withInput(before), withInput(after))).toEqual(declared);
    expect(findInTool(withInput(before), withInput(after), "strict")).toEqual(strict);
  });

  test("a default fills in nothing: a member that must be given breaks callers without it", () => {
    const after = object({ n: { type: "integer", default: 1 } }, { required: ["n"] });
    expect(findInTool(toTool({ n: { type: "integer", default: 1 } }), withInput(after))).toEqual([
      "major: input-narrowed",
    ]);
  });

  test("schemas of drafts before are read by their own rules", () => {
    const before = withInput({
      ...DRAFT_7,
      ...object({ at: { type: "array", items: [text], additionalItems: false } }),
    });
    const after = withInput(object({ at: { type: "array", prefixItems: [text], items: false } }));
    expect(findInTool(before, after)).toEqual(["patch: schema-reworded"]);
    const dependent = (keyword: string) => object({ a: text, b: text }, { [keyword]: { a: ["b"] } });
    expect(
      findInTool(withInput({ ...DRAFT_7, ...dependent("dependencies") }), withInput(dependent("dependentRequired"))),
    ).toEqual(["patch: schema-reworded"]);
    const draft4 = {
      $schema: "http://json-schema.org/draft-04/schema#",
      ...object({ n: { type: "number", minimum: 0, exclusiveMinimum: true } }),
    };
    expect(findInTool(withInput(draft4), withInput(object({ n: { type: "number", exclusiveMinimum: 0 } })))).toEqual([
      "patch: schema-reworded",
    ]);
    const besides = object({ a: { $ref: "#/definitions/a", maxLength: 1 } }, { definitions: { a: text } });
    expect(findInTool(withInput({ ...DRAFT_7, ...besides }), withInput(object({ a: text })))).toEqual([
      "patch: schema-reworded",
    ]);
  });

  test("a pattern that is not matched in linear time is proven where it stays, and unproven where it changes", () => {
    const email = { type: "string", pattern: "^(?!\\.)[a-z.]+$" };
    const after = { mail: email, name: text };
    expect(findInTool(toTool({ mail: email }), toTool(after))).toEqual(["minor: input-widened"]);
    expect(findInTool(toTool({ mail: text }), toTool({ mail: email }))).toEqual(["major: input-unproven"]);
  });

  test("a pattern that is not matched in linear time takes no other finding of the tool its example", () => {
    const code = (least: number) => ({ type: "string", pattern: `^(?=.*[0-9])[a-z0-9]{${least},}$` });
    const days = (most: number) => ({ type: "integer", maximum: most });
    const compare = (before: object, after: object) =>
      compareSurfaces(toSurface([before]), toSurface([after]), "declared").findings.map(
        ({ rule, message, value, refusal }) => [rule, message, value, refusal],
      );
    const narrowed = [
      "input-narrowed",
      "Input of `list`: `days` must now be at most 14.",
      { days: 30 },
      "`days` must be at most 14",
    ];
    expect(compare(toTool({ code: code(1), days: days(30) }), toTool({ code: code(1), days: days(14) }))).toEqual([
      narrowed,
    ]);
    expect(compare(toTool({ code: code(1), days: days(30) }), toTool({ code: code(2), days: days(14) }))).toEqual([
      ["input-unproven", expect.stringContaining("`code`"), undefined, undefined],
      narrowed,
    ]);
    // The only inputs have such a text: which of them fit is not known.
    const required = { code: code(1), days: days(30) };
    const withCode = (most: number) => ({
      name: "list",
      inputSchema: object({ ...required, days: days(most) }, { required: ["code"] }),
    });
    expect(compare(withCode(30), withCode(14))).toEqual([
      ["input-unproven", expect.stringContaining("`days`"), undefined, undefined],
    ]);
    // An output's pattern is no concern of the input.
    const outputs = { outputSchema: object({ code: code(1) }) };
    expect(compare(toTool({ days: days(30) }, outputs), toTool({ days: days(14) }, outputs))).toEqual([narrowed]);
  });

  test.each<[string, unknown, string]>([
    ["is missing", undefined, "there is none"],
    ["is no object", "any", "it is no JSON object"],
    [
      "is no JSON Schema",
      { type: "strin" },
      "it is no JSON Schema: `/type` must be equal to one of the allowed values",
    ],
    ["is of an unknown dialect", { $schema: "https://example.com/mine" }, "`$schema` names `https://example.com/mine`"],
    [
      "leads elsewhere",
      object({ a: { $ref: "https://example.com/a" } }),
      "`https://example.com/a` leads outside this schema",
    ],
    ["has no end", { $ref: "#" }, "so checking it never ends"],
    [
      "nests without measure",
      JSON.parse(`${'{"items":'.repeat(150)}{}${"}".repeat(150)}`),
      "it nests deeper than 100 levels",
    ],
  ])("a schema that %s is unproven, with the reason", (_, schema, reason) => {
    const { findings } = compareSurfaces(toSurface([toTool({})]), toSurface([withInput(schema)]), "declared");
    expect(findings.map(({ level, rule }) => `${level} ${rule}`)).toEqual(["major input-unproven"]);
    expect(findings[0]?.message).toContain(reason);
    expect(findInTool(withInput(schema), withInput(schema))).toEqual([]);
  });
});

describe("outputs of other servers", () => {
  test.each<[string, object, object, readonly string[], readonly string[]]>([
    [
      "a member is nullable",
      object({ a: text }),
      object({ a: { ...text, nullable: true } }),
      ["major: output-widened"],
      ["major: output-widened"],
    ],
    [
      "a member is new",
      object({ a: text }),
      object({ a: text, b: text }),
      ["minor: output-extended"],
      ["minor: output-narrowed"],
    ],
    [
      "a member is new where none could come",
      object({}, { additionalProperties: false }),
      object({ b: text }, { additionalProperties: false }),
      ["major: output-widened"],
      ["major: output-widened"],
    ],
    ["a member is gone", object({ a: text }), object({}), ["major: output-member-removed"], ["major: output-widened"]],
    [
      "an object is not closed any more",
      object({ a: text }, { additionalProperties: false }),
      object({ a: text }),
      ["patch: schema-reworded"],
      ["major: output-widened"],
    ],
    [
      "members named as Cairn's own need not be there",
      object({ conversation_id: text }, { required: ["conversation_id"] }),
      object({ conversation_id: text }),
      ["major: output-widened"],
      ["major: output-widened"],
    ],
  ])("%s", (_, before, after, declared, strict) => {
    expect(findInTool(withOutput(before), withOutput(after))).toEqual(declared);
    expect(findInTool(withOutput(before), withOutput(after), "strict")).toEqual(strict);
  });

  test("that begin or cease to be declared are a promise more or less", () => {
    expect(findInTool(toTool({}), withOutput(object({})))).toEqual(["minor: output-declared"]);
    expect(findInTool(withOutput(object({})), toTool({}))).toEqual(["major: output-undeclared"]);
  });
});

describe("the rest of other servers", () => {
  test.each<[string, object, object, readonly string[]]>([
    [
      "reads no more",
      withHints({ readOnlyHint: true }),
      withHints({}),
      ["major: side-effect-gained", "patch: text-changed"],
    ],
    [
      "only reads",
      withHints({}),
      withHints({ readOnlyHint: true }),
      ["minor: side-effect-lost", "patch: text-changed"],
    ],
    [
      "may destroy",
      withHints({ destructiveHint: false }),
      withHints({ destructiveHint: true }),
      ["major: destructive-gained", "patch: text-changed"],
    ],
    [
      "only says the usual",
      withHints({}),
      withHints({ destructiveHint: true, openWorldHint: true }),
      ["patch: text-changed"],
    ],
    [
      "reaches out",
      withHints({ openWorldHint: false }),
      withHints({}),
      ["major: open-world-gained", "patch: text-changed"],
    ],
    [
      "may be repeated",
      withHints({}),
      withHints({ idempotentHint: true }),
      ["minor: idempotence-gained", "patch: text-changed"],
    ],
    ["has another title", toTool({}, { title: "A" }), toTool({}, { title: "B" }), ["patch: text-changed"]],
    ["must be a task", toTool({}), toTool({}, { execution: { taskSupport: "required" } }), ["major: task-required"]],
    ["may be a task", toTool({}), toTool({}, { execution: { taskSupport: "optional" } }), ["minor: task-allowed"]],
    ["is a task no more", toTool({}, { execution: { taskSupport: "optional" } }), toTool({}), ["major: task-refused"]],
    ["has another name", toTool({}), { ...toTool({}), name: "all" }, ["major: tool-removed", "minor: tool-added"]],
  ])("a tool %s", (_, before, after, expected) => {
    expect(findInTool(before, after)).toEqual(expected);
  });

  test.each<[string, Partial<McpSurface>, Partial<McpSurface>, readonly string[]]>([
    ["name", {}, { server: { name: "other", version: "1.0.0" } }, ["patch: server-renamed"]],
    ["instructions", {}, { instructions: "Ask." }, ["patch: text-changed"]],
    ["revision", {}, { protocol: "2025-06-18" }, ["patch: revision-changed"]],
    ["way to connect", {}, { protocol: "2026-07-28" }, ["major: protocol-changed"]],
    [
      "feature",
      { capabilities: { resources: { subscribe: true } } },
      { capabilities: { resources: {}, completions: {} } },
      ["major: feature-removed", "minor: feature-added"],
    ],
    ["prompt", { prompts: { a: {} } }, { prompts: { b: {} } }, ["major: prompt-removed", "minor: prompt-added"]],
    [
      "argument",
      { prompts: { a: {} } },
      { prompts: { a: { arguments: [{ name: "x", required: true }] } } },
      ["major: prompt-argument-required"],
    ],
    [
      "resource",
      { resources: { "a://b": { name: "b" } } },
      { resources: { "a://c": { name: "b" } } },
      ["major: resource-removed", "minor: resource-added"],
    ],
    [
      "media type",
      { resourceTemplates: { "a://{b}": { name: "b" } } },
      { resourceTemplates: { "a://{b}": { name: "b", mimeType: "text/plain" } } },
      ["minor: resource-type-added"],
    ],
    [
      "media type, where there was one,",
      { resourceTemplates: { "a://{b}": { name: "b", mimeType: "text/html" } } },
      { resourceTemplates: { "a://{b}": { name: "b", mimeType: "text/plain" } } },
      ["major: resource-changed"],
    ],
    [
      "name of a template",
      { resourceTemplates: { "a://{b}": { name: "b" } } },
      { resourceTemplates: { "a://{b}": { name: "c" } } },
      ["patch: text-changed"],
    ],
  ])("another %s of the server", (_, before, after, expected) => {
    expect(find(toSurface([], before), toSurface([], after))).toEqual(expected);
  });

  test("docs/surfaces.md has the rules of the code", () => {
    const rows = readTables("docs/surfaces.md").filter(([rule = ""]) => rule in SURFACE_RULES);
    expect(rows).toEqual(Object.entries(SURFACE_RULES).map(([rule, { level, why }]) => [rule, level, why]));
  });
});
