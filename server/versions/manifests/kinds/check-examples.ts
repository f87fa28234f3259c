import type { Violation } from "../../../json/types.ts";
import { ERRORS, isErrorName } from "../../../errors.ts";
import type { JsonSchema } from "../../../host-api.ts";
import { isObject } from "../../../json/is-object.ts";
import type { Problem } from "../../problem.ts";
import type { Example } from "../../version.ts";
import type { Manifest } from "../manifest.ts";
import { checkSchema } from "../schema/check-schema.ts";
import { readPointer } from "../../../json/pointer.ts";
import type { CompiledSchema, SchemaCompiler } from "../schema/schema-compiler.ts";
import { suggest } from "../../../text/suggest.ts";
import type { Path } from "../yaml/locate.ts";
import type { ToolContent } from "./tool-content.ts";

/** Members that the server adds to an output whose schema has them; an example cannot know them. */
const FILLED_BY_SERVER = {
  conversation_id: "00000000-0000-7000-8000-000000000000",
  logs_uri: "logs://00000000-0000-7000-8000-000000000000",
} as const;

/** Examples are shown to clients and run as tests, so each must fit the schemas it illustrates. */
export function checkExamples(
  { content, problem }: Manifest<ToolContent>,
  input: CompiledSchema,
  output: CompiledSchema,
  compile: SchemaCompiler,
): readonly Problem[] {
  return (content.examples ?? []).flatMap((example, index) => checkExample(example, ["examples", index]));

  function checkExample(example: Example, path: Path): readonly Problem[] {
    const { error, matches } = example;
    const problems = toProblems(input.check(input.withDefaults(example.input)), [...path, "input"], "input");
    if (example.output !== undefined) {
      const complete = complement(example.output, content.output);
      problems.push(...toProblems(output.check(complete), [...path, "output"], "output"));
    }
    if (matches !== undefined) problems.push(...checkMatches(matches, [...path, "matches"]));
    if (error !== undefined && !isErrorName(error)) {
      const meant = suggest(error, Object.keys(ERRORS));
      const fix = meant ? `Did you mean \`${meant}\`?` : `Errors are ${Object.keys(ERRORS).join(", ")}.`;
      problems.push(problem("example-invalid", [...path, "error"], `There is no error \`${error}\`.`, fix));
    }
    return problems;
  }

  function toProblems(violations: readonly Violation[], path: Path, part: "input" | "output"): Problem[] {
    return violations.map((violation) => {
      const message = `The ${part} of the example does not fit the tool's schema: ${violation.message}.`;
      const fix = `Change the example, or the schema under \`${part}\`.`;
      return problem("example-invalid", [...path, ...readPointer(violation.path)], message, fix);
    });
  }

  function checkMatches(schema: JsonSchema, path: Path): readonly Problem[] {
    const findings = checkSchema(schema);
    if (findings.length > 0) {
      return findings.map((finding) =>
        problem(finding.rule, [...path, ...finding.path], finding.message, finding.fix, finding.part),
      );
    }
    const compiled = compile(schema);
    if (typeof compiled !== "string") return [];
    const message = `The schema under \`matches\` does not compile: ${compiled}.`;
    return [problem("schema-invalid", path, message, "Compare it with JSON Schema 2020-12.", "key")];
  }
}

function complement(output: unknown, { properties }: JsonSchema): unknown {
  if (!isObject(output) || !isObject(properties)) return output;
  const filled = Object.entries(FILLED_BY_SERVER).filter(([name]) => Object.hasOwn(properties, name));
  return { ...Object.fromEntries(filled), ...output };
}
