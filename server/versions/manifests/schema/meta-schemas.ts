import type { Ajv2020 } from "ajv/dist/2020.js";
import applicator from "ajv/dist/refs/json-schema-2019-09/meta/applicator.json" with { type: "json" };
import content from "ajv/dist/refs/json-schema-2019-09/meta/content.json" with { type: "json" };
import core from "ajv/dist/refs/json-schema-2019-09/meta/core.json" with { type: "json" };
import format from "ajv/dist/refs/json-schema-2019-09/meta/format.json" with { type: "json" };
import metadata from "ajv/dist/refs/json-schema-2019-09/meta/meta-data.json" with { type: "json" };
import validation from "ajv/dist/refs/json-schema-2019-09/meta/validation.json" with { type: "json" };
import draft2019 from "ajv/dist/refs/json-schema-2019-09/schema.json" with { type: "json" };
import draft07 from "ajv/dist/refs/json-schema-draft-07.json" with { type: "json" };
import { draftOf } from "../../../json/schema-draft.ts";
import type { Draft, SchemaNode } from "../../../json/schema-keywords.ts";

/** Identifiers of the meta-schemas that the form of a schema is checked by. */
const META_SCHEMAS: Readonly<Record<Draft, string>> = {
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "draft-07": "http://json-schema.org/draft-07/schema",
};

/** Schema of the schemas of the drafts before 2020-12. */
export const OLDER_SCHEMA: SchemaNode = Object.freeze({
  if: { type: "object", required: ["$schema"], properties: { $schema: { type: "string", pattern: "/draft-07/" } } },
  // oxlint-disable-next-line no-thenable -- a keyword of JSON Schema
  then: { $ref: META_SCHEMAS["draft-07"] },
  else: { $ref: META_SCHEMAS["2019-09"] },
});

/** Adds the meta-schemas of the drafts before 2020-12. They take as long to compile as all else of a manifest's form. */
export function addOlderDrafts(ajv: Ajv2020): void {
  for (const schema of [draft2019, applicator, content, core, format, metadata, validation, draft07]) {
    ajv.addMetaSchema(schema, undefined, false);
  }
}

/** Checks that one of the schemas is of a draft before 2020-12. */
export function areOlder(schemas: readonly unknown[]): boolean {
  return schemas.some((schema) => !["2020-12", undefined].includes(draftOf(schema)));
}

/** Names the meta-schema of a schema's draft; of an unknown draft, that of 2020-12. */
export function metaSchemaOf(schema: unknown): string {
  return META_SCHEMAS[draftOf(schema) ?? "2020-12"];
}
