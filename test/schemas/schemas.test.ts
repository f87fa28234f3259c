import { readdir, readFile } from "node:fs/promises";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isObject } from "../../server/json/is-object.ts";
import { MANIFEST_KINDS } from "../../server/versions/manifests/manifest-schemas.ts";
import { KEYWORDS, type SchemaNode, subschemas } from "../../server/json/schema-keywords.ts";
import { toPointer } from "../../server/json/pointer.ts";
import { SYSCALLS } from "../../server/capabilities/declarations.ts";

const FOLDER = new URL("../../schemas/", import.meta.url);

async function readSchema(kind: string): Promise<SchemaNode> {
  const schema: unknown = JSON.parse(await readFile(new URL(`${kind}.schema.json`, FOLDER), "utf8"));
  if (!isObject(schema)) throw new TypeError(kind);
  return schema;
}

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addVocabulary(["patternErrorMessage"]);
  return ajv;
}

/** A schema and all schemas inside it, with their JSON Pointers. */
function walk(schema: unknown, pointer = ""): readonly (readonly [pointer: string, node: SchemaNode])[] {
  if (!isObject(schema)) return [];
  const inside = subschemas(schema).flatMap(({ schema: inner, path }) => walk(inner, pointer + toPointer(path)));
  return [[pointer, schema], ...inside];
}

/** Checks values that the schema itself gives for one of its parts. */
function checkOwn(schema: SchemaNode, valuesOf: (node: SchemaNode) => readonly unknown[]) {
  const ajv = createAjv();
  ajv.addSchema(schema);
  return walk(schema).flatMap(([pointer, node]) => {
    const fragment = pointer.split("/").map(encodeURIComponent).join("/");
    const validate = ajv.getSchema(`${String(schema["$id"])}#${fragment}`);
    return valuesOf(node).map(
      (value) => [pointer, value, validate?.(value), ajv.errorsText(validate?.errors)] as const,
    );
  });
}

describe.each(MANIFEST_KINDS)("schemas/%s.schema.json", (kind) => {
  it("is a JSON Schema of 2020-12 with an identity that belongs to nobody else", async () => {
    const schema = await readSchema(kind);
    const ajv = createAjv();
    expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
    expect(schema).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: `urn:cairn:schema:${kind}:1`,
      title: expect.any(String),
      description: expect.stringContaining(".yaml: "),
    });
  });

  it("describes every key and every definition", async () => {
    const schema = await readSchema(kind);
    const all = new Map(walk(schema));
    const silent = [...all].filter(([pointer, { description, $ref: reference }]) => {
      const target = typeof reference === "string" ? all.get(reference.slice(1)) : undefined;
      return /\/(?:properties|\$defs)\/[^/]+$/.test(pointer) && (description ?? target?.["description"]) === undefined;
    });
    expect(silent.map(([pointer]) => pointer)).toEqual([]);
  });

  it("allows no key that it does not know", async () => {
    const objects = walk(await readSchema(kind)).filter(
      ([pointer, node]) => node["properties"] && !pointer.endsWith("/if"),
    );
    const open = objects.filter(([, node]) => node["additionalProperties"] !== false).map(([pointer]) => pointer);
    expect(open).toEqual(kind === "tool" ? ["/$defs/objectSchema", "/$defs/latestSchema"] : []);
  });

  it("takes its own examples, of the whole and of parts", async () => {
    const checked = checkOwn(await readSchema(kind), ({ examples }) => (Array.isArray(examples) ? examples : []));
    expect(checked.filter(([, , isValid]) => !isValid)).toEqual([]);
    expect(checked.length).toBeGreaterThan(3);
  });

  it("takes its own defaults", async () => {
    const checked = checkOwn(await readSchema(kind), (node) => ("default" in node ? [node["default"]] : []));
    expect(checked.filter(([, , isValid]) => !isValid)).toEqual([]);
  });

  it("has patterns with both ends, a limit to the length, and a message for people", async () => {
    for (const [pointer, node] of walk(await readSchema(kind))) {
      if (typeof node["pattern"] !== "string") continue;
      expect(node["pattern"]).toMatch(/^\^.*\$$/);
      expect(node["patternErrorMessage"]).toMatch(/^must /);
      // What a tool's own schemas may say is not limited here, but by their parts.
      if (pointer.startsWith("/$defs/latestSchema/")) continue;
      expect([pointer, node["maxLength"]]).toEqual([pointer, expect.any(Number)]);
    }
  });

  it("refers to nothing outside its file, so that editors need no network", async () => {
    const references = walk(await readSchema(kind)).flatMap(([, { $ref: reference }]) => reference ?? []);
    expect(references.filter((reference) => !String(reference).startsWith("#/$defs/"))).toEqual([]);
  });
});

describe("the schema of a tool's schemas", () => {
  it("accepts exactly what the meta-schema accepts, of the keywords that Cairn knows", async () => {
    // Formats are checked by rules of their own.
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(await readSchema("tool"));
    const accepts = ajv.getSchema("urn:cairn:schema:tool:1#/$defs/latestSchema") ?? fail("schema");
    const accordingToMeta = ajv.getSchema("https://json-schema.org/draft/2020-12/schema") ?? fail("meta-schema");
    const { schema } = fc.letrec<{ schema: unknown; value: unknown }>((tie) => ({
      value: fc.oneof(
        fc.constantFrom(-1, 0, 2.5, true, null, "", "a#b", "#", "object", "1x", [], ["object"], ["a", "a"], {}),
        tie("schema"),
        fc.array(tie("schema"), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom("a", "b"), tie("schema"), { maxKeys: 2 }),
      ),
      schema: fc.oneof(
        { depthSize: "small" },
        fc.boolean(),
        fc.dictionary(fc.constantFrom(...KEYWORDS["2020-12"], "x-own"), tie("value"), { maxKeys: 2 }),
      ),
    }));
    const counts = { true: 0, false: 0 };
    fc.assert(
      fc.property(schema, (value) => {
        const isAccepted = accepts(value) === true;
        counts[`${isAccepted}`] += 1;
        expect(isAccepted).toBe(accordingToMeta(value));
      }),
      { numRuns: 3000 },
    );
    expect(Math.min(counts.true, counts.false)).toBeGreaterThan(300);
  });
});

function fail(what: string): never {
  throw new Error(`There is no ${what}.`);
}

describe("the schemas together", () => {
  it("name the syscalls that the server has", async () => {
    expect(await readSchema("tool")).toHaveProperty("properties.uses.items.enum", [...SYSCALLS]);
  });

  it("say the same of limits and of hosts wherever they say it", async () => {
    const [agent, tool, policy] = [await readSchema("agent"), await readSchema("tool"), await readSchema("policy")];
    const [limits, agentLimits] = [tool, agent].map((schema) => new Map(walk(schema)).get("/$defs/limits"));
    const withoutDefaults: unknown = JSON.parse(
      JSON.stringify(agentLimits, (key, value: unknown) => (key === "default" ? undefined : value)),
    );
    expect(limits).toEqual(withoutDefaults);
    expect(new Map(walk(policy)).get("/$defs/host")).toEqual(new Map(walk(tool)).get("/$defs/host"));
  });

  // Whatever compiles them leaves that to this test.
  it("are all valid by the meta-schema of 2020-12", async () => {
    const kinds = (await readdir(FOLDER)).map((file) => file.replace(/\.schema\.json$/, ""));
    expect(kinds.length).toBeGreaterThan(MANIFEST_KINDS.length);
    const ajv = createAjv();
    for (const kind of kinds) {
      const schema = await readSchema(kind);
      expect([kind, schema["$schema"]]).toEqual([kind, "https://json-schema.org/draft/2020-12/schema"]);
      expect([kind, ajv.validateSchema(schema), ajv.errors ?? []]).toEqual([kind, true, []]);
    }
  });

  it("are one for each kind of manifest", async () => {
    const files = await readdir(FOLDER);
    expect(files).toEqual(expect.arrayContaining(MANIFEST_KINDS.map((kind) => `${kind}.schema.json`)));
  });
});
