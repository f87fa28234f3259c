import type { ProposalRecord } from "../../../server/host-api.ts";
import type { Decision, RunPage } from "./run-page.ts";

/** Writes a run's page as Markdown. Texts of people and programs stand in blocks of code, so none of them is markup here. */
export function writeRunPage(page: RunPage): string {
  const { asked, planned, changed, tried, decided, landing, outcome, evidence } = page;
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ["Asked", writeAsked(asked)],
    ["Planned", planned === null ? ["Nothing is planned."] : writePlan(planned)],
    ["Changed", changed === null ? ["Nothing has changed."] : writeChange(changed)],
    ["Tried", writeTries(tried)],
    ["Decided", writeDecision(decided, outcome.status === "blocked", landing)],
    ["Landing", landing === null ? ["It was not handed over."] : writeLanding(landing)],
    ["Outcome", writeOutcome(outcome)],
    ["Evidence", evidence.map(({ name, bytes, digest }) => `- ${toCode(name)}, ${bytes} bytes, SHA-256 ${digest}`)],
  ];
  const head = `# ${toLine(asked.title)}\n\nTask ${page.task_id}, run ${page.run_id}, workflow ${toCode(page.workflow)}.\n`;
  return `${head}${sections.map(([title, lines]) => `\n## ${title}\n\n${lines.join("\n") || "None."}\n`).join("")}`;
}

function writeAsked({ by, at, objective, answers }: RunPage["asked"]): string[] {
  return [
    `By ${toCode(by)} at ${at}:`,
    "",
    toBlock(objective),
    ...answers.flatMap((answer) => ["", "Answered to a question:", "", toBlock(answer)]),
  ];
}

function writePlan({ files, steps, impact }: NonNullable<RunPage["planned"]>): string[] {
  return [
    ...files.map((file) => `- ${toCode(file)}`),
    ...steps.flatMap((step) => ["", toBlock(step)]),
    ...(impact.length === 0 ? [] : ["", "What else this touches:", "", toBlock(impact.join("\n"))]),
  ];
}

function writeChange({ files, added, removed }: NonNullable<RunPage["changed"]>): string[] {
  return [...files.map((file) => `- ${toCode(file)}`), "", `${added} lines added, ${removed} removed.`];
}

function writeTries(tried: RunPage["tried"]): string[] {
  const { attempt, worker_id, version, commit, steps, failed_before, checks, warnings } = tried;
  return [
    `Attempt ${attempt}, by the worker ${toCode(worker_id)}, from version ${version} (${commit.slice(0, 12)}).`,
    "",
    ...steps.map(({ name, status, message }) => `- ${toCode(name)}: ${status}${toReason(message)}`),
    ...(failed_before.length === 0 ? [] : ["", "Failed before, and done again:", ""]),
    ...failed_before.map(({ name, at, message }) => `- ${toCode(name)} at ${at}${toReason(message)}`),
    ...(checks.length === 0 ? [] : ["", "| check | by | outcome |", "| --- | --- | --- |"]),
    ...checks.map(
      ({ name, by, passed, message = null }) =>
        `| ${toCell(name)} | ${by} | ${passed ? "passed" : "**failed**"}${toReason(message).replaceAll("|", String.raw`\|`)} |`,
    ),
    ...(warnings.length === 0 ? [] : ["", ...warnings.map((warning) => `- ${toCode(warning)}`)]),
  ];
}

function writeDecision(
  { risk_level, approval }: RunPage["decided"],
  isBlocked: boolean,
  landing: RunPage["landing"],
): string[] {
  const risk = risk_level === null ? "The gate has not judged it." : `The gate sees a ${risk_level} risk.`;
  const own = approval === null ? [] : writeApproval(approval);
  const ofProposal = landing?.approval ?? null;
  const later = ofProposal === null ? [] : ["Of its proposal:", "", ...writeApproval(ofProposal)];
  if (own.length + later.length > 0) return [risk, ...own, ...later];
  const isWaiting = landing === null ? isBlocked : landing.state === "approval";
  return [risk, isWaiting ? "It waits for a decision." : "No person has decided."];
}

function writeApproval({ decision, by, at, reason }: Decision): string[] {
  return [`${decision} by ${toCode(by)} at ${at}:`, "", toBlock(reason)];
}

/** States of a proposal in words. */
const STATES: Readonly<Record<ProposalRecord["state"], string>> = {
  by_hand: "Nothing takes it to the repository",
  verifying: "It is verified once more, on what its branch has now",
  approval: "It waits for a person to approve it",
  proposing: "It is being proposed",
  checks: "It waits for the checks and reviews of the forge",
  landed: "It has landed",
  live: "It is live",
  refused: "It was refused",
};

function writeLanding(landing: NonNullable<RunPage["landing"]>): string[] {
  const { state, since, feedback, run_id, base, branch, url, version, commit, reason } = landing;
  const about: readonly (readonly [string, string | undefined])[] = [
    ["Version", version],
    ["Commit", commit],
    ["Branch", base],
    ["Proposal", url ?? branch],
    ["Task of the Architect", feedback ?? undefined],
    ["Its run", run_id ?? undefined],
  ];
  return [
    `${STATES[state]}, since ${since}.`,
    "",
    ...about.flatMap(([name, value]) => (value === undefined ? [] : [`- ${name}: ${toCode(value)}`])),
    ...(reason === undefined ? [] : ["", toBlock(reason)]),
  ];
}

function writeOutcome({ status, summary, ended_at: at }: RunPage["outcome"]): string[] {
  return [`${status}${at === null ? "" : ` at ${at}`}.`, ...(summary === null ? [] : ["", toBlock(summary)])];
}

function toReason(message: string | null): string {
  return message === null ? "" : `: ${toCode(message)}`;
}

function toLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<>#|!]/g, String.raw`\$&`);
}

function toCell(text: string): string {
  return toCode(text).replaceAll("|", String.raw`\|`);
}

/** Code within a line, behind more backticks than the text has in a row. */
function toCode(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const fence = "`".repeat(longestRun(line) + 1);
  const gap = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${gap}${line}${gap}${fence}`;
}

function toBlock(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${text.trimEnd()}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
