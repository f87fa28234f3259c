import type { ExampleOutcome } from "../../examples/run-examples.ts";
import type { ImportLock } from "../../imports/import-lock.ts";
import type { FileOutcome } from "../../imports/merge-files.ts";
import type { RefusedOperation, ToolPlan } from "../../imports/openapi/plan-tools.ts";
import type { SecretNeed } from "../../imports/openapi/security.ts";
import { printable, printableLines } from "../../text/printable.ts";
import { count } from "../../text/count.ts";
import type { CliContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";

export interface ImportReport {
  readonly name: string;
  readonly title: string;
  /** Operations of the document. */
  readonly total: number;
  readonly plans: readonly ToolPlan[];
  readonly refused: readonly RefusedOperation[];
  /** Names of tools that other operations would be. */
  readonly others: readonly string[];
  readonly outcomes: ReadonlyMap<string, FileOutcome>;
  readonly lock: ImportLock | undefined;
  readonly examples: ReadonlyMap<string, unknown>;
  /** Problems of the tree, as text, where it does not load. */
  readonly problems?: string;
  readonly broken?: readonly ExampleOutcome[];
}

/** Lines about single files or operations of one kind; the others are counted. */
const MAX_LINES = 40;
const TOLD: Readonly<Record<FileOutcome, string>> = {
  added: "added",
  changed: "changed",
  merged: "merged with your edits",
  conflict: "in conflict with your edits; look for `<<<<<<<` in them",
  removed: "removed, as the document has no more of them",
  kept: "kept as you have them",
  deleted: "left out, as you deleted them",
  same: "unchanged",
};

/** Prints what an import did, and what comes next. Returns the exit code: a failure where something is left to be done. */
export function reportImport({ out, err }: CliContext, report: ImportReport): number {
  const { name, title, total, plans, refused, others, lock, outcomes, problems, broken = [], examples } = report;
  out(`${name}: ${plans.length} of ${total} operations of ${printable(title)} are tools.`);
  for (const [outcome, told] of Object.entries(TOLD)) {
    const paths = [...outcomes].filter(([, one]) => one === outcome).map(([path]) => path);
    if (paths.length === 0) continue;
    out(`  ${count(paths.length, "file")} ${told}${outcome === "same" ? "." : ":"}`);
    if (outcome !== "same") for (const line of limit(paths)) out(`    ${line}`);
  }
  if (lock !== undefined && others.length > 0)
    out(`  not imported (\`--operations <name>\` brings one in): ${limit(others).join(", ")}`);
  const untested = plans.filter(({ server, stem }) => !examples.has(`${server}.${stem}`)).map(({ stem }) => stem);
  if (untested.length > 0)
    out(
      `  ${count(untested.length, "tool")} without an example, as nothing made of the schemas fits them: ${limit(untested).join(", ")}`,
    );
  for (const [reason, group] of Map.groupBy(refused, (one) => one.reason)) {
    err(`not imported: ${printable(reason)}`);
    for (const line of limit(group.map(({ operation }) => printable(operation.key)))) err(`    ${line}`);
  }
  for (const { tool, reasons } of broken.slice(0, MAX_LINES))
    err(`${tool}: its example does not hold: ${printable(reasons.join("; "))}`);
  if (problems !== undefined) {
    err(printableLines(problems));
    err(
      `Recordings are as before, since the tools do not load. Mend that, and run \`cairn import openapi --name ${name}\`.`,
    );
  }
  const hasConflict = [...outcomes.values()].includes("conflict");
  const isGood = problems === undefined && !hasConflict && broken.length === 0 && plans.length > 0;
  for (const line of toAdvice(report, isGood)) out(line);
  return isGood ? EXIT.OK : EXIT.FAILED;
}

function toAdvice({ plans, lock }: ImportReport, isGood: boolean): readonly string[] {
  if (!isGood) return [];
  const secrets = new Map(plans.flatMap((plan) => plan.secrets.map((secret) => [secret.name, toCarrier(secret)])));
  const named = [...secrets].map(([name, carrier]) => (secrets.size === 1 ? name : `${name} (${carrier})`));
  return [
    "",
    ...(secrets.size === 0
      ? []
      : [`The service needs ${secrets.size === 1 ? "the secret" : "the secrets"} ${named.join(", ")}.`]),
    "  cairn test            # runs their examples, with answers from the document",
    `  cairn bump --tools    # ${lock === undefined ? "makes them a new version" : "raises the versions of what changed"}`,
  ];
}

/** Says where requests carry a secret: `header X-Key`. */
function toCarrier({ header, query, scheme }: SecretNeed): string {
  const place = header === undefined ? `parameter ${query ?? ""}` : `header ${header}`;
  return printable(scheme === undefined ? place : `${place}, \`${scheme}\` of the document`);
}

function limit(lines: readonly string[]): readonly string[] {
  return lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES), `and ${lines.length - MAX_LINES} more`];
}
