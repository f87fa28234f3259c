import { isObject } from "../json/is-object.ts";
import type { Result } from "../kernel/call.ts";
import type { Json } from "../store/store.ts";
import type { SchemaCompiler } from "../versions/manifests/schema/schema-compiler.ts";
import type { Example, Tool } from "../versions/version.ts";
import { type Difference, diffValues, showDifference } from "./diff-values.ts";
import { readPointer } from "../json/pointer.ts";

/** Faults of an example's call: lines for people, and the differing values. */
export interface Broken {
  readonly reasons: readonly string[];
  readonly differences: readonly Difference[];
}

/** Members that the server adds to every output whose schema has them; no example can predict them. */
const OF_THE_SERVER = new Set(["conversation_id", "logs_uri"]);

/** Judges the end of a call by its example's `output`, `matches` or `error`. */
export function judgeExample(
  tool: Tool,
  example: Example,
  result: Result,
  compile: SchemaCompiler,
): Broken | undefined {
  const { error, output, matches } = example;
  if (error !== undefined) {
    if (!result.ok && result.error.name === error) return undefined;
    const end = result.ok
      ? `it answered ${JSON.stringify(toComparable(tool, result.output)).slice(0, 200)}`
      : `it ended with ${result.error.name}: ${result.error.message}`;
    return broken([`expected the error ${error}, but ${end}`]);
  }
  if (!result.ok) return broken([`it ended with ${result.error.name}: ${result.error.message}`]);
  if (output !== undefined) {
    const differences = diffValues(toComparable(tool, output as Json), toComparable(tool, result.output));
    return differences.length === 0 ? undefined : broken(differences.map(showDifference), differences);
  }
  const compiled = compile(matches ?? {});
  if (typeof compiled === "string") return broken([`\`matches\` does not compile: ${compiled}`]);
  const violations = compiled.check(result.output);
  return violations.length === 0
    ? undefined
    : broken(
        violations.map(({ path, message }) => `${path === "" ? "the output" : path} ${withActual(path, message)}`),
      );

  function withActual(path: string, message: string): string {
    const found = readPointer(path).reduce<unknown>(
      (value, step) => toMember(value, step),
      result.ok ? result.output : null,
    );
    return `${message}; got ${(JSON.stringify(found) ?? "nothing").slice(0, 200)}`;
  }
}

/** The output without what differs from call to call by the server's own doing. */
export function toComparable(tool: Tool, output: Json): Json {
  const { properties } = tool.output;
  if (!isObject(output) || !isObject(properties)) return output;
  const kept = Object.entries(output as Readonly<Record<string, Json>>).filter(
    ([name]) => !(OF_THE_SERVER.has(name) && Object.hasOwn(properties, name)),
  );
  return Object.fromEntries(kept);
}

function broken(reasons: readonly string[], differences: readonly Difference[] = []): Broken {
  return { reasons, differences };
}

function toMember(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[Number(name)];
  return isObject(value) ? value[name] : undefined;
}
