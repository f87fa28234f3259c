import { explainExample } from "../../semver/explain-example.ts";
import type { Finding } from "../../semver/finding.ts";
import type { Drift, DriftFinding } from "./drift.ts";

/** Rule of what follows from every other difference of a tool, and says nothing of its own. */
export const NUMBER_RULE = "tool-version-changed";
/** Rules about nothing but texts that clients see. */
const TEXT_RULES: ReadonlySet<string> = new Set([
  "text-changed",
  "text-instructs",
  "schema-reworded",
  "manifest-rewritten",
]);

/** Sorts what differs for people: tools by what becomes of them, and findings with their examples. `before` and `after`: names of tools. */
export function measureFindings(
  all: readonly Finding[],
  before: readonly string[],
  after: readonly string[],
): Pick<Drift, "tools" | "findings"> {
  const findings = all.filter(({ rule }) => rule !== NUMBER_RULE);
  const byTool = Map.groupBy(
    findings.filter(({ tool }) => tool !== undefined),
    ({ tool = "" }) => tool,
  );
  const others = [...byTool].filter(([name]) => before.includes(name) && after.includes(name));
  const isText = ([, own]: (typeof others)[number]) => own.every(({ rule }) => TEXT_RULES.has(rule));
  const tools = {
    added: after.filter((name) => !before.includes(name)),
    removed: before.filter((name) => !after.includes(name)),
    reworded: others.filter(isText).map(([name]) => name),
    changed: others.filter((one) => !isText(one)).map(([name]) => name),
  };
  return { tools, findings: findings.map(toDriftFinding) };
}

function toDriftFinding(finding: Finding): DriftFinding {
  const { level, rule, message } = finding;
  const witness = explainExample(finding);
  return { level, rule, message, ...(witness === undefined ? {} : { witness }) };
}
