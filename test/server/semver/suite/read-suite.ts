import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isObject } from "../../../../server/json/is-object.ts";
import type { Json } from "../../../../server/store/store.ts";
import { checkSchema } from "../../../../server/versions/manifests/schema/check-schema.ts";
import { compiles } from "../schemas.ts";

/** One schema of JSON-Schema-Test-Suite, and what it says of values. */
interface SuiteCase {
  readonly title: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

export interface Suite {
  /** Schemas that a tool may have. */
  readonly cases: readonly SuiteCase[];
  /** Schemas that Cairn refuses in a manifest, such as those that lead to other documents. */
  readonly refused: number;
  /** All values in it, each once. */
  readonly values: readonly Json[];
}

const CACHE = fileURLToPath(new URL("../../../../node_modules/.cache/json-schema-test-suite", import.meta.url));

/** Folders of the drafts that tools may use, and what their schemas say under `$schema`. */
export const SUITES = {
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
  "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
  draft7: "http://json-schema.org/draft-07/schema#",
} as const;

/** As `scripts/json-schema-test-suite.mjs` put it there; undefined where it did not. */
export function readSuite(folder: keyof typeof SUITES): Suite | undefined {
  const files = globSync(`drafts-*/${folder}/{*,optional/*,optional/format/*}.json`, { cwd: CACHE }).toSorted();
  if (files.length === 0) return undefined;
  const groups = files.flatMap((file) =>
    (JSON.parse(readFileSync(join(CACHE, file), "utf8")) as unknown[]).map((group) =>
      toCase(file, group, SUITES[folder]),
    ),
  );
  const cases = groups.filter(({ schema }) => isForTools(schema));
  const texts = new Set(groups.flatMap(({ tests }) => tests.map(({ data }) => JSON.stringify(data))));
  return { cases, refused: groups.length - cases.length, values: [...texts].map((text) => JSON.parse(text) as Json) };
}

function toCase(file: string, group: unknown, dialect: string): SuiteCase {
  const { description, schema, tests } = group as SuiteCase & { readonly description: string };
  const own = isObject(schema) ? schema : { allOf: [schema] };
  const title = `${file.split("/").slice(2).join("/")}: ${description}`;
  return { title, schema: { $schema: dialect, ...own }, tests: tests.filter(({ data }) => isTaken(data)) };
}

function isForTools(schema: Readonly<Record<string, unknown>>): boolean {
  return isTaken(schema) && checkSchema(schema).length === 0 && compiles(schema);
}

/** Neither manifests nor bodies may have that name. */
function isTaken(value: unknown): boolean {
  return !JSON.stringify(value).includes('"__proto__"');
}
