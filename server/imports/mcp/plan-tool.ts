import { toOutputForm } from "../../capabilities/mcp/answer.ts";
import type { JsonSchema } from "../../host-api.ts";
import { defined } from "../../json/defined.ts";
import { isObject } from "../../json/is-object.ts";
import type { Json } from "../../json/types.ts";
import type { ReadForeignSchema } from "../../semver/surfaces/foreign-schema.ts";
import type { Definition } from "../../semver/surfaces/surface.ts";
import { checkSchema } from "../../versions/manifests/schema/check-schema.ts";
import { HEADER_KEYWORD } from "../../versions/parameter-headers.ts";

export interface PlanOptions {
  readonly upstream: string;
  readonly tool: string;
  /** Name that callers use. */
  readonly name: string;
  /** True if policies name roles, so that callers need a capability. */
  readonly isGuarded: boolean;
  /** Reads the schemas of the server. */
  readonly readForeign: ReadForeignSchema;
}

/** Manifest of an imported tool, and what of its definition could not be kept. */
export interface PlannedTool {
  readonly manifest: Readonly<Record<string, Json>>;
  readonly notes: readonly string[];
}

/** Milliseconds of a call: those that an upstream has by itself. */
const TIME = 30_000;
const LATEST_DIALECT = "https://json-schema.org/draft/2020-12/schema";
const CONTENT: JsonSchema = {
  type: "object",
  required: ["content"],
  properties: {
    content: {
      type: "array",
      description: "Content of the answer, as MCP has it: texts, images, audio, resources and links.",
      items: {
        type: "object",
        required: ["type"],
        properties: { type: { type: "string" } },
        additionalProperties: true,
      },
    },
  },
};

/** Makes the manifest of a tool of its definition: schemas in draft 2020-12, hints as promises. */
export function planTool(definition: Definition, options: PlanOptions): PlannedTool {
  const { upstream, tool, name, isGuarded, readForeign } = options;
  const reading: Reading = { readForeign, notes: [] };
  const { title, description, annotations, inputSchema } = definition;
  const hints = isObject(annotations) ? annotations : {};
  const sideEffect = hints["readOnlyHint"] !== true;
  const shown = [title, hints["title"]].find((text) => typeof text === "string" && text !== "");
  const said = typeof description === "string" ? description.trim() : "";
  const manifest = {
    name,
    ...defined({ title: shown }),
    version: "1.0.0",
    description: said === "" ? `Calls \`${tool}\` of the upstream \`${upstream}\`.` : said,
    input: readSchema(reading, inputSchema, "input") ?? { type: "object" },
    output: planOutput(reading, definition),
    sideEffect,
    ...(sideEffect && hints["idempotentHint"] === true ? { idempotent: true } : {}),
    ...(isGuarded ? { requiredCapabilities: [`tool:${name}`] } : {}),
    uses: ["mcp"],
    upstreams: [upstream],
    limits: { time: TIME },
  };
  return { manifest: manifest as Readonly<Record<string, Json>>, notes: reading.notes };
}

interface Reading {
  readonly readForeign: ReadForeignSchema;
  readonly notes: string[];
}

function planOutput(reading: Reading, definition: Definition): JsonSchema {
  const form = toOutputForm(definition);
  if (form === "content") return CONTENT;
  const schema = readSchema(reading, definition["outputSchema"], "output", form === "structured");
  if (form === "structured") return schema ?? { type: "object", additionalProperties: true };
  return { type: "object", required: ["result"], properties: { result: schema ?? true } };
}

/** Reads a schema of another server; undefined for one that cannot be read, and then every value is let through. */
function readSchema(
  { readForeign, notes }: Reading,
  declared: unknown,
  key: "input" | "output",
  isRoot = true,
): JsonSchema | undefined {
  const read = readForeign(declared);
  if ("refused" in read) {
    notes.push(`its ${key} schema cannot be read (${read.refused}), and lets everything through`);
    return undefined;
  }
  const schema = structuredClone(read.schema) as Record<string, unknown>;
  delete schema["$id"];
  for (const { path } of checkSchema(schema)) {
    drop(schema, path);
    notes.push(`\`${path.join(".")}\` of its ${key} schema is left out, because it cannot be checked in linear time`);
  }
  copyHeaders(declared, schema);
  const dialect = isObject(declared) && declared["$schema"] === LATEST_DIALECT ? { $schema: LATEST_DIALECT } : {};
  return isRoot ? { ...dialect, type: "object", ...schema } : schema;
}

/** Copies which arguments clients repeat as headers: a keyword of MCP, which readers of schemas leave out. */
function copyHeaders(from: unknown, to: unknown): void {
  const [declared, read] = [from, to].map((schema) => (isObject(schema) ? schema["properties"] : undefined));
  if (!isObject(declared) || !isObject(read)) return;
  for (const [name, property] of Object.entries(declared)) {
    const copy = Object.hasOwn(read, name) ? read[name] : undefined;
    if (!isObject(property) || !isObject(copy)) continue;
    const header = property[HEADER_KEYWORD];
    if (typeof header === "string") (copy as Record<string, unknown>)[HEADER_KEYWORD] = header;
    copyHeaders(property, copy);
  }
}

function drop(root: unknown, path: readonly (string | number)[]): void {
  const [last, ...back] = path.toReversed();
  const node = back.reduceRight<unknown>(
    (at, step) => (at as Record<string | number, unknown> | undefined)?.[step],
    root,
  );
  if (isObject(node) && last !== undefined) delete (node as Record<string | number, unknown>)[last];
}
