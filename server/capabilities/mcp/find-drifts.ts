import { createForeignReader } from "../../semver/surfaces/foreign-schema.ts";
import { findToolDefinitionChanges } from "../../semver/surfaces/find-definition-changes.ts";
import type { Definitions } from "../../semver/surfaces/surface.ts";
import { digestDefinition } from "../../versions/manifests/kinds/read-upstream.ts";
import type { Upstream } from "../../versions/upstream.ts";

/** One way in which a tool of an upstream is not what was imported. */
export interface Drift {
  readonly tool: string;
  /** `reworded`: texts alone differ, and all that is allowed is allowed as before. */
  readonly kind: "missing" | "changed" | "reworded";
  /** Differences in sentences. */
  readonly message: string;
}

/** Findings that a message names. */
const NAMED_LIMIT = 3;
const REWORDINGS: ReadonlySet<string> = new Set(["text-changed", "text-instructs", "schema-reworded"]);

/**
 * Compares the tools that an upstream lists with those that were imported. Tools that were not imported are nobody's concern.
 * What was imported is masked as the list was: otherwise a caller whose secret is a word of a description would find a drift.
 */
export function findDrifts(
  { tools }: Pick<Upstream, "tools">,
  live: Definitions,
  maskValue: <Value>(value: Value) => Value = (value) => value,
): ReadonlyMap<string, Drift> {
  const drifts = new Map<string, Drift>();
  for (const [tool, { digest, definition }] of tools) {
    const is = Object.hasOwn(live, tool) ? live[tool] : undefined;
    const found = is === undefined ? undefined : digestDefinition(is);
    if (found === digest || found === digestDefinition(maskValue(definition))) continue;
    const after = is === undefined ? {} : { [tool]: is };
    const findings = [...findToolDefinitionChanges({ [tool]: definition }, after, "declared", createForeignReader())];
    const isReworded = findings.length > 0 && findings.every(({ rule }) => REWORDINGS.has(rule));
    const kind = is === undefined ? "missing" : isReworded ? "reworded" : "changed";
    const named = findings.slice(0, NAMED_LIMIT).map(({ message }) => message);
    const more = findings.length > NAMED_LIMIT ? [`And ${findings.length - NAMED_LIMIT} more.`] : [];
    const message = [...named, ...more].join(" ") || `The definition of \`${tool}\` is another.`;
    drifts.set(tool, Object.freeze({ tool, kind, message }));
  }
  return drifts;
}
