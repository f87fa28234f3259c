import type { Declarations } from "../declaration.ts";
import type { JsonSchema } from "../model/api.ts";

/**
 * JSON Schema for schemas that come in at run time: of draft 2020-12, or of 2019-09 or draft-07, when `$schema` says so.
 * Whatever they and the values hold, it takes bounded time.
 */
export interface Schemas {
  /** Lists the faults of a schema; `[]` when it can be used. The rules are those of schemas in manifests. */
  problems(schema: unknown): Promise<readonly SchemaViolation[]>;
  /**
   * Lists the faults of a value. Rejects with BAD_REQUEST when the schema cannot be used, or both are too large together.
   */
  check(schema: JsonSchema, value: unknown): Promise<readonly SchemaViolation[]>;
}

export interface SchemaViolation {
  /** JSON Pointer into what was checked; "" is the whole. */
  readonly path: string;
  readonly message: string;
}

/** `ctx.schema`. */
export const SCHEMA = {
  problems: { name: "schema.problems", takes: ["schema"], inPreviews: true },
  check: { name: "schema.check", takes: ["schema", "value"], inPreviews: true },
} as const satisfies Declarations<Schemas>;
