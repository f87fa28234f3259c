import { indentLines } from "../text/markdown.ts";
import type { BumpRule } from "./bump-rules.ts";
import { explainExample } from "./explain-example.ts";
import type { Finding } from "./finding.ts";

/** Headings of a changelog, in their order. Sentences under `changes` begin with one of them and a colon, or with none. */
const HEADINGS = ["Breaking", "Added", "Fixed", "Reworded", "Tuning"] as const;
type Heading = (typeof HEADINGS)[number];

type Told = Pick<
  Finding,
  "rule" | "level" | "message" | "value" | "before" | "after" | "refusal" | "accepted" | "member"
>;

const REWORDED: ReadonlySet<BumpRule> = new Set(["text-changed", "schema-reworded", "tool-version-changed"]);
const TUNING: ReadonlySet<BumpRule> = new Set(["experiment-changed", "parameter-default-changed"]);

/**
 * Writes a finding as a sentence of the changelog: its heading, what changed, the smallest example before and after, and
 * what a client does about it.
 */
function toChange(finding: Told): string {
  const { message, accepted } = finding;
  const consent = accepted === undefined ? undefined : `Accepted by ${accepted.by}: ${accepted.reason}`;
  const said = finding.rule === "text-changed" ? quoteTexts(message) : message;
  const parts = [said, explainExample(finding), findHint(finding), consent];
  return `${toHeading(finding)}: ${parts.filter((part) => part !== undefined).join(" ")}`;
}

/**
 * Puts the texts that a finding quotes into code. Release notes are Markdown, and a text may come from an import, so from strangers: one with
 * a mention, a picture or a link would call people, or lead them away.
 */
function quoteTexts(message: string): string {
  return message.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => {
    const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
    const mark = "`".repeat(longest + 1);
    return `${mark}${text}${mark}`;
  });
}

function toHeading(finding: Pick<Told, "rule" | "level">): Heading {
  if (finding.level === "major") return "Breaking";
  if (REWORDED.has(finding.rule)) return "Reworded";
  if (TUNING.has(finding.rule) || finding.rule.startsWith("parameter-")) return "Tuning";
  return finding.level === "minor" ? "Added" : "Fixed";
}

/** Advice to the clients of what broke. */
const HINTS: Partial<Record<BumpRule, string>> = {
  "tool-removed": "Call another tool, or stay on the version before.",
  "server-removed": "Use another server, or stay on the version before.",
  "input-unproven": "Check your calls against the new schema.",
  "input-meaning-changed": "Give the member, and it means what it meant.",
  "output-widened": "Expect the new value before you move.",
  "output-unproven": "Check what you do with the answer against the new schema.",
  "output-member-removed": "Do without the member before you move.",
  "capability-added": "Have the capability granted before you move.",
  "resource-removed": "Read another address, or stay on the version before.",
  "prompt-removed": "Ask for another prompt, or stay on the version before.",
  "prompt-argument-required": "Give the argument.",
  "prompt-argument-removed": "Leave the argument out.",
  "parameter-removed": "Set it no more.",
  "parameter-narrowed": "Set a value that is left.",
  "limit-lowered": "Ask for less at a time.",
  "determinism-lost": "Keep answers no more.",
  "idempotence-lost": "Repeat calls no more.",
  "workflow-removed": "Name another workflow.",
};

function findHint(finding: Told): string | undefined {
  if (finding.level !== "major") return undefined;
  if (finding.rule !== "input-narrowed") return HINTS[finding.rule];
  if (finding.message.includes("would be ignored")) return "Send it no more.";
  if (finding.message.includes("must be there")) return "Send it.";
  return finding.member === undefined ? "Send what the new schema takes." : `Send another \`${finding.member}\`.`;
}

/**
 * Writes the changes of a version as Markdown, under their headings. Sentences without a heading, which people wrote, come
 * first, as they stand.
 */
export function formatChanges(changes: readonly string[], level: number): readonly string[] {
  const byHeading = Map.groupBy(changes, (change) => HEADINGS.find((heading) => change.startsWith(`${heading}: `)));
  const own = (byHeading.get(undefined) ?? []).map((change) => `- ${indentLines(change)}`);
  const sections = HEADINGS.flatMap((heading) => {
    const listed = byHeading.get(heading) ?? [];
    if (listed.length === 0) return [];
    const lines = listed.map((change) => `- ${indentLines(change.slice(heading.length + 2))}`);
    return ["", `${"#".repeat(level)} ${heading}`, "", ...lines];
  });
  return own.length === 0 ? sections.slice(1) : [...own, ...sections];
}

/**
 * Lists the sentences of a difference by heading, each once; what is accepted stays under what it breaks. Texts that speak to
 * models are for reviewers, and are not repeated.
 */
export function listChanges(findings: readonly Told[]): readonly string[] {
  const order = (change: string) => HEADINGS.findIndex((heading) => change.startsWith(`${heading}: `));
  return [...new Set(findings.filter(({ rule }) => rule !== "text-instructs").map(toChange))].toSorted(
    (a, b) => order(a) - order(b),
  );
}
