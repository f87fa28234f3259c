import { showHidden } from "../../text/find-hidden.ts";
import { clip, fence, inline, ITEMS_SHOWN, toCode, toFileTable } from "../../text/markdown.ts";
import type { Drift, DriftFinding } from "./drift.ts";

/** Characters of one sentence, and of one reason. */
const LINE_SHOWN = 600;

/** Words of a change that renews an import. */
export interface DriftWords {
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  /** Message of its commit, without trailers. */
  readonly message: string;
}

export interface DriftAbout {
  /** Markdown on what else was checked. */
  readonly checks?: readonly string[];
  /** False where the service lands it once it is green; absent: people do. */
  readonly isLeftToPeople?: boolean;
}

/**
 * Describes a drift as a pull request. The source is written by strangers, who could address readers and their models: so every word of it
 * stands in a fence or as code, with characters that nobody sees as escapes. Title and message have names of the repository and numbers alone.
 */
export function describeDrift(drift: Drift, { checks = [], isLeftToPeople = true }: DriftAbout = {}): DriftWords {
  const { name, kind, from, bump, before, after, findings, notes, diff } = drift;
  const counts = toCounts(drift);
  const title = `Renew the import ${name}: ${counts}`;
  const breaks = findings.filter(({ level }) => level === "major");
  const others = findings.filter(({ level }) => level !== "major");
  const source = kind === "openapi" ? "OpenAPI document" : "MCP server";
  const body = [
    `${before} -> **${after}** (needs a ${bump} bump)`,
    `The ${source} ${toCode(from)}, from which ${toCode(name)} was imported, is no longer what this repository has frozen: ${counts}.`,
    "## What changes",
    toToolTable(drift),
    toFileTable(diff),
    ...(breaks.length === 0 ? [] : ["## What breaks callers", toFindings(breaks)]),
    ...(others.length === 0 ? [] : ["## What else differs", toFindings(others)]),
    ...(notes.length === 0 ? [] : ["## Edits of yours", fence(toLines(notes))]),
    "## What was checked",
    toExamples(drift),
    ...checks,
    "## When it merges",
    isLeftToPeople
      ? "A person merges it, once the rules of the branch allow that. Callers get it with the next release."
      : "Cairn merges and releases it once the checks of the branch are green: a policy of this repository lets a change of this bump do so.",
    "## To say no, change it or undo it",
    "Close it to say no: it comes again once the source changes again. Push to its branch to change it: no later run overwrites what you push. Released versions keep what they have frozen, whatever becomes of this.",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
  return { title, body, message: `${title}\n\nVersion ${after}, for a ${bump} difference from ${before}.` };
}

/** Says how many tools became what: `1 tool changed, 2 removed`. */
export function toCounts({ tools: { added, removed, reworded, changed } }: Pick<Drift, "tools">): string {
  const parts = Object.entries({ changed, removed, added, reworded }).flatMap(([what, { length }]) =>
    length === 0 ? [] : [{ what, length }],
  );
  if (parts.length === 0) return "its code changed";
  return parts
    .map(({ what, length }, at) => `${length}${at > 0 ? "" : length === 1 ? " tool" : " tools"} ${what}`)
    .join(", ");
}

function toToolTable({ tools }: Drift): string {
  const rows = Object.entries({
    removed: tools.removed,
    changed: tools.changed,
    added: tools.added,
    "texts alone": tools.reworded,
  }).flatMap(([what, names]) => names.map((name) => `| ${toCode(name)} | ${what} |`));
  if (rows.length === 0) return "";
  const more = rows.length > ITEMS_SHOWN ? [`| and ${rows.length - ITEMS_SHOWN} more | |`] : [];
  return ["| tool | change |", "| --- | --- |", ...rows.slice(0, ITEMS_SHOWN), ...more].join("\n");
}

function toFindings(findings: readonly DriftFinding[]): string {
  return fence(
    toLines(
      findings.flatMap(({ level, message, witness }) => [
        `${level}: ${message}`,
        ...(witness === undefined ? [] : [`  ${witness}`]),
      ]),
    ),
  );
}

function toExamples({ examples: { passed, failed, skipped, reasons } }: Drift): string {
  const run = `Examples of the tools that differ: ${passed} passed, ${failed} failed, ${skipped} skipped.`;
  const what = "The bump is proven from the schemas; what a host answers by now is shown by no recorded example.";
  return [inline(`${run} ${what}`), ...(reasons.length === 0 ? [] : [fence(toLines(reasons))])].join("\n\n");
}

/** Each on a line of its own, on which everything can be seen. */
function toLines(lines: readonly string[]): string {
  const most = ITEMS_SHOWN * 2;
  const shown = lines.slice(0, most).map((line) => clip(showHidden(line.replaceAll(/[^\S ]+/g, " ")), LINE_SHOWN));
  return [...shown, ...(lines.length > most ? [`and ${lines.length - most} more lines`] : [])].join("\n");
}
