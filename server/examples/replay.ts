import { canonicalJson } from "../json/canonical-json.ts";
import { type BodyRecord, toMasked } from "../kernel/stages/body.ts";
import { isObject } from "../json/is-object.ts";
import { MASK, SHAPES_ONLY } from "../log/redact.ts";
import type { Json } from "../store/store.ts";
import { createSchemaCompiler } from "../versions/manifests/schema/schema-compiler.ts";
import type { Tool, Version } from "../versions/version.ts";
import { type Difference, diffValues, hideActual, showDifference } from "./diff-values.ts";
import { judgeExample, toComparable } from "./judge-example.ts";
import type { Trial } from "./open-trial.ts";

/** A recorded call, by its id. */
export interface Recorded extends BodyRecord {
  readonly id: string;
}

/** Result of a recorded call with another version. */
export interface Replayed {
  readonly id: string;
  readonly tool: string;
  /** `skipped`: nothing can be said, as the reasons tell. */
  readonly outcome: "same" | "different" | "skipped";
  readonly reasons: readonly string[];
  readonly differences: readonly Difference[];
  /** True if a time limit ended it, which a busy machine reaches sooner. */
  readonly isLate: boolean;
}

export type Replay = (recorded: Recorded) => Promise<Replayed>;

/**
 * Runs recorded calls of `from` with `candidate`, over an empty store. A deterministic tool must answer equal; of any
 * other the output must still be what the older version's schema promises, and fit the examples of the same input.
 *
 * Where something of a call was masked, nothing of what the candidate answers is shown: it may have the masked value at
 * another place, and which value that is nobody knows any more.
 */
export function createReplay(from: Version, candidate: Version, trial: Trial): Replay {
  const compile = createSchemaCompiler(MAX_SCHEMA_TEXT);
  const declared = new Set([...candidate.tools.values()].flatMap(({ egress }) => egress.map((host) => `\`${host}\``)));
  return async (recorded) => {
    const { id, tool: name, input } = recorded;
    let isLate = false;
    const is = (
      outcome: Replayed["outcome"],
      reasons: readonly string[] = [],
      differences: readonly Difference[] = [],
    ): Replayed => ({ id, tool: name, outcome, reasons, differences, isLate });
    const [old, young] = [from.tools.get(name), candidate.tools.get(name)];
    if (young === undefined) return is("different", ["the candidate has no such tool"]);
    const obstacle = findObstacle(young, input);
    if (old === undefined || obstacle !== undefined)
      return is("skipped", [obstacle ?? "its own version has no such tool"]);
    const { result, missing, ...tried } = await trial.call(candidate, young, input);
    ({ isLate } = tried);
    const isHidden = hasMask(recorded.output) || (result.ok && hasMask(mask(young, input, result.output)));
    if (missing.length > 0) {
      // A handler may write a value into a name that `*.` covers.
      const asked = missing.map((what) => (isHidden && what.startsWith("`") && !declared.has(what) ? "a host" : what));
      return is("skipped", [`it asks ${asked.join(", ")}, and there is no such thing here`]);
    }
    if (!result.ok) {
      const { name: error, message } = result.error;
      return is("different", [`it ends with ${error}${isHidden ? ` (message not shown)` : `: ${message}`}`]);
    }
    if (old.deterministic) {
      const found = diffValues(
        toComparable(old, recorded.output),
        toComparable(young, mask(old, input, result.output)),
      );
      const differences = isHidden ? hideActual(found) : found;
      return is(differences.length === 0 ? "same" : "different", differences.map(showDifference), differences);
    }
    const violations = old.checkOutput(result.output).map(({ path, message }) => `${path || "the output"} ${message}`);
    const broken = young.examples
      .filter((example) => canonicalJson(young.withDefaults(example.input) as Json) === canonicalJson(input))
      .flatMap((example) => judgeExample(young, example, result, compile)?.reasons ?? []);
    const reasons = [...violations, ...broken];
    if (reasons.length === 0) return is("same");
    return is("different", isHidden ? ["its output is not what is promised (how is not shown)"] : reasons);
  };
}

const MAX_SCHEMA_TEXT = 1024 * 1024;

function mask(tool: Tool, input: Json, output: Json): Json {
  return toMasked(tool, { input, output, redactor: SHAPES_ONLY }).output;
}

function hasMask(value: Json): boolean {
  return canonicalJson(value).includes(MASK);
}

/** Finds the reason why a call cannot be repeated. */
function findObstacle(tool: Tool, input: Json): string | undefined {
  if (hasMask(input)) return "its input was redacted";
  if (tool.uses.has("state.read")) return "it reads state, of which there is none here";
  const isContinued = tool.session === "stateful" && isObject(input) && input["conversation_id"] !== undefined;
  return isContinued ? "it goes on with a conversation, of which there is none here" : undefined;
}

/** One kind of difference, and how often it was met. */
export interface Frequency {
  readonly tool: string;
  readonly what: string;
  readonly count: number;
}

/** Counts the kinds of differences, most frequent first; values that differ alike are one kind. */
export function countDifferences(replayed: readonly Replayed[]): readonly Frequency[] {
  const kinds = new Map<string, Frequency>();
  for (const { tool, outcome, reasons } of replayed) {
    for (const what of outcome === "different" ? reasons : []) {
      const key = JSON.stringify([tool, what]);
      kinds.set(key, { tool, what, count: (kinds.get(key)?.count ?? 0) + 1 });
    }
  }
  return [...kinds.values()].sort((one, other) => other.count - one.count);
}
