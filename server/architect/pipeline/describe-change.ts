import { CAIRN_AUTHOR } from "../../forge/cairn-author.ts";
import type { Proposal } from "../../forge/forge.ts";
import { isAtLeast } from "../../semver/level.ts";
import { showHidden } from "../../text/find-hidden.ts";
import { clip, fence, fold, inline, ITEMS_SHOWN, toFileTable } from "../../text/markdown.ts";
import type { GateReport } from "../../capabilities/work/gate.ts";
import type { FeedbackRecord } from "./feedback-record.ts";
import type { ChangePlan } from "../planners/plan.ts";
import type { ChangedValue } from "./values/list-changed-values.ts";
import { toValueTable } from "./values/to-value-table.ts";
import type { AnswerChange } from "./verify/compare-answers.ts";
import type { Verification } from "./verify/verification.ts";

/** A change that was worked out and verified, before anybody hears of it. */
export interface WorkedOut {
  readonly plan: ChangePlan;
  readonly semver: string;
  /** The number that it comes after. */
  readonly before: string;
  readonly verification: Verification;
  readonly diff: string;
  readonly impact: string;
  /** Values of manifests that it makes others. */
  readonly values: readonly ChangedValue[];
}

/** Characters of what was sent that a pull request shows, and of a diff that an answer shows. */
const MESSAGE_SHOWN = 2_000;
const DIFF_SHOWN = 20_000;
const CHECK_SHOWN = 1_500;
/** Of one input or answer of an example. */
const ANSWER_SHOWN = 600;
/** With `ITEMS_SHOWN` items, well below what a commit's message may have. */
const ITEM_SHOWN = 200;
const TITLE_LENGTH = 200;

/**
 * Describes a change as the text of a pull request, in Markdown: what changes, for which answers, why, what was checked, how to
 * say no. What others have written stands in fences and so is nothing but text. The sender is named only on request: the
 * forge's readers may be other people than the service's.
 */
export function toPullRequestBody(record: FeedbackRecord, runId: string, change: WorkedOut, gate: GateReport): string {
  const { plan, semver, before, verification, impact, diff, values } = change;
  return [
    `${before} -> **${semver}** (${toBumpWords(change).join(", ")}, ${gate.risk_level} risk)`,
    "## What changes",
    toList(plan.changes),
    toValueTable(values),
    toFileTable(diff),
    toAnswers(verification.answers ?? []),
    "## What was asked for",
    fence(clip(showHidden(withoutDiff(record.message.replaceAll("\r\n", "\n"))), MESSAGE_SHOWN)),
    record.credit === true ? `Asked for by ${inline(clip(showHidden(record.actor), ITEM_SHOWN))}.` : "",
    "## What was checked",
    toChecks(verification, { runId, taskId: record.id }),
    "## What else it affects",
    impact,
    "## To say no, change it or undo it",
    `Close it to say no: nothing changes then, and the sender hears of it. Push to its branch to change it: what you push is verified, too. Once it has landed, the feedback \`undo ${record.id}\` or a revert of its commit undoes it as a change of its own; versions that are published stay as they are.`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Writes how the checks of a change came out, folded, in Markdown. */
export function toChecks(
  { checks }: Pick<Verification, "checks">,
  { runId, taskId }: { readonly runId: string; readonly taskId: string },
): string {
  const count = (status: string) => checks.filter((one) => one.status === status).length;
  const skipped = count("skipped") === 0 ? "" : `, ${count("skipped")} skipped`;
  return fold(
    `${count("passed")} of ${checks.length} checks passed${skipped}`,
    [
      ...checks.map(({ name, status, message }) => `- **${name}**: ${status}. ${inline(clip(message, CHECK_SHOWN))}`),
      "",
      `Run \`${runId}\` of task \`${taskId}\` has the rest: \`artifact_read\` of the \`work\` server reads its plan, patch, reports and journal.`,
    ].join("\n"),
  );
}

/** Examples with the answers before and after, as differences; empty where all answers stay. */
function toAnswers(answers: readonly AnswerChange[]): string {
  if (answers.length === 0) return "";
  const shown = answers.map(({ tool, description, input, before, after }) => {
    const lines = [`  ${input}`, ...(before === undefined ? [] : [`- ${before}`]), `+ ${after}`];
    const text = lines.map((line) => clip(showHidden(line.replaceAll(/[^\S ]+/g, " ")), ANSWER_SHOWN));
    const title = description === undefined ? "" : `: ${inline(clip(showHidden(description), ITEM_SHOWN))}`;
    const isNew = before === undefined ? " (new)" : "";
    return `\`${tool}\`${isNew}${title}\n\n${fence(text.join("\n"), "diff")}`;
  });
  return ["## Examples before and after", ...shown].join("\n\n");
}

/** The message without the diff at its end: the change itself shows that. */
function withoutDiff(message: string): string {
  const at = /^(?:```(?:diff|patch)$|diff --git |--- (?:a\/|\/dev\/null))/m.exec(message)?.index;
  if (at === undefined) return message;
  const lines = message.slice(at).trimEnd().split("\n").length;
  return `${message.slice(0, at)}[a diff of ${lines} lines]`;
}

/** Trailers name where the evidence is, for readers of the history without the service at hand. The audit has the sender. */
export function toCommitMessage(
  record: FeedbackRecord,
  { runId, audit }: { readonly runId: string; readonly audit: string },
  { plan, semver }: WorkedOut,
  others: readonly FeedbackRecord[] = [],
): string {
  const trailers = [
    `Cairn-Feedback: ${record.id}`,
    `Cairn-Run: ${runId}`,
    `Cairn-Audit: ${audit}`,
    `Cairn-About: ${record.version}`,
    ...toOriginTrailers(record),
    ...others.flatMap((other) => [
      `Cairn-Feedback: ${other.id}`,
      ...(other.run_id === null ? [] : [`Cairn-Run: ${other.run_id}`]),
      ...toOriginTrailers(other),
    ]),
  ];
  return `${toTitle(plan.title)}\n\n${toList(plan.changes)}\n\nVersion ${semver}.\n\n${trailers.join("\n")}\n`;
}

/** Trailers that name the origin of feedback: its sender, on request alone, and the run of work that made it. */
function toOriginTrailers({ credit, actor, work }: FeedbackRecord): readonly string[] {
  return [
    ...(credit === true ? [`Cairn-Asked-By: ${actor.replaceAll(/\s+/g, " ")}`] : []),
    ...(work === undefined ? [] : [`Cairn-Work: ${work.run_id}`]),
  ];
}

/** The spec of the change, which is committed with it: what was asked for, and what is done about it. */
export function toSpec(record: FeedbackRecord, plan: ChangePlan, files: readonly string[]): string {
  return (
    [
      `# ${plan.title}`,
      `Feedback \`${record.id}\` on version ${record.version}.`,
      "## Objective",
      fence(clip(showHidden(record.message.replaceAll("\r\n", "\n")), MESSAGE_SHOWN)),
      "## What changes",
      toList(plan.changes),
      "## Files",
      toList(files.map((file) => `\`${file}\``)),
      "",
    ]
      .join("\n\n")
      .trimEnd() + "\n"
  );
}

/** Writes the notes of a dry run, for people. */
export function toDryRunNotes(change: WorkedOut, gate: GateReport, reasons: readonly string[], place?: string): string {
  const { plan, semver, before, verification, diff, impact } = change;
  const as = semver === before ? "without a new version" : `as ${semver}`;
  const would =
    reasons.length === 0
      ? `Dry run: nothing was changed. This would be committed ${as}.`
      : `Dry run: nothing was changed. This would be committed ${as}, once somebody else approves it. ${reasons.join(" ")}`;
  return [
    place === undefined ? would : `${would} ${place}`,
    `${plan.title}\n${toList(plan.changes)}`,
    `${describeBump(change)} Its risk is ${gate.risk_level}. ${impact}`,
    toFindings(verification),
    clip(diff, DIFF_SHOWN),
  ].join("\n\n");
}

/** Each check with how it came out. */
export function toFindings({ checks }: Verification): string {
  return checks.map(({ name, status, message }) => `- ${name}: ${status}. ${clip(message, CHECK_SHOWN)}`).join("\n");
}

/** Each on a line of its own, so that none can pass for a trailer or a heading. */
function toList(items: readonly string[]): string {
  const listed = items.slice(0, ITEMS_SHOWN).map((item) => `- ${clip(item.replaceAll(/\s+/g, " "), ITEM_SHOWN)}`);
  const more = items.length > ITEMS_SHOWN ? [`- and ${items.length - ITEMS_SHOWN} more`] : [];
  return [...listed, ...more].join("\n");
}

/** Says in a sentence which number a change gets, and why. */
function describeBump(change: WorkedOut): string {
  const [needs, asked] = toBumpWords(change);
  const { semver, before } = change;
  return `It ${needs} of ${before}${asked === undefined ? "" : `; ${asked}, and it gets ${semver}`}.`;
}

/** Lists which bump a change needs, and where a larger one was asked for, that too: the number follows the larger one. */
function toBumpWords({ plan: { bump = "none" }, verification: { required } }: WorkedOut): readonly string[] {
  const needs = `needs ${required === "none" ? "no" : `a ${required}`} bump`;
  return isAtLeast(required, bump) ? [needs] : [needs, `a ${bump} one was asked for`];
}

/** On one line on which everything can be seen: it may have been taken from what was sent. */
export function toTitle(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return line === "" ? "A change" : line.slice(0, TITLE_LENGTH).toWellFormed();
}

/** Returns the author of a change in the form that git takes: its sender, on request alone. */
export function toAuthor({ credit, actor, tenant }: FeedbackRecord): Proposal["author"] {
  if (credit !== true) return CAIRN_AUTHOR;
  return { name: toName(actor), email: `${toName(actor)}@${toName(tenant)}.invalid` };
}

function toName(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._-]/g, "-").replace(/^[^A-Za-z0-9]+/, "") || "cairn";
}
