import type { JsonSchema } from "../../../host-api.ts";
import type { Problem } from "../../problem.ts";
import type { Manifest } from "../manifest.ts";
import { checkSchema } from "../schema/check-schema.ts";
import type { CompiledSchema, SchemaCompiler } from "../schema/schema-compiler.ts";
import type { Path } from "../yaml/locate.ts";

/** Compiles a schema of a manifest, which stands at `path`, or says what is wrong with it. */
export function readSchema(
  problem: Manifest<unknown>["problem"],
  path: Path,
  schema: JsonSchema,
  compile: SchemaCompiler,
): { readonly compiled?: CompiledSchema; readonly problems: readonly Problem[] } {
  const findings = checkSchema(schema);
  if (findings.length > 0) {
    return {
      problems: findings.map(({ rule, path: inner, message, fix, part }) =>
        problem(rule, [...path, ...inner], message, fix, part),
      ),
    };
  }
  const compiled = compile(schema);
  if (typeof compiled !== "string") return { compiled, problems: [] };
  const message = `The schema under \`${path.at(-1)}\` does not compile: ${compiled}.`;
  return { problems: [problem("schema-invalid", path, message, "Compare it with JSON Schema 2020-12.", "key")] };
}
