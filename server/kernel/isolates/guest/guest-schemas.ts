import type { Schemas } from "../../../capabilities/schema/api.ts";
import type { AskNamed } from "./guest-work.ts";

/** `ctx.schema`. */
export function createSchemas(ask: AskNamed): Schemas {
  return {
    problems: (schema) => ask("schema.problems", { schema }),
    check: (schema, value) => ask("schema.check", { schema, value }),
  };
}
