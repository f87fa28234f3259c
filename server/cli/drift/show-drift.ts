import { toCounts } from "../../imports/drift/describe-drift.ts";
import type { Drift, DriftState } from "../../imports/drift/drift.ts";
import type { Settled } from "../../imports/drift/settle-change.ts";
import { printable, printableLines } from "../../text/printable.ts";

/** Findings that are shown of one import; the pull request and `--json` have more. */
const SHOWN = 20;

/** Writes the state of an import for people. */
export function showState(one: DriftState): readonly string[] {
  const { name, state } = one;
  const from = printable(one.from);
  if (state === "failed") return [`${name}: failed (${from})`, ...indent(one.reason)];
  const more = one.unimported.length === 0 ? [] : [`  not imported: ${list(one.unimported)}`];
  if (state === "unchanged") return [`${name}: unchanged (${from})`, ...more];
  return [`${name}: drifted (${from})`, ...showDrift(one.drift), ...more];
}

function showDrift(drift: Drift): readonly string[] {
  const { bump, before, after, findings, notes, examples, tools } = drift;
  const { passed, failed, skipped } = examples;
  return [
    `  ${toCounts(drift)}; needs a ${bump} bump: ${before} -> ${after}`,
    ...Object.entries(tools).flatMap(([what, names]) => (names.length === 0 ? [] : [`  ${what}: ${list(names)}`])),
    ...findings
      .slice(0, SHOWN)
      .flatMap(({ level, rule, message, witness }) => [
        `  ${level}: ${printable(message)} [${rule}]`,
        ...(witness === undefined ? [] : [`      ${printable(witness)}`]),
      ]),
    ...(findings.length > SHOWN ? [`  and ${findings.length - SHOWN} more`] : []),
    ...notes.map((note) => `  note: ${printable(note)}`),
    `  examples: ${passed} passed, ${failed} failed, ${skipped} skipped`,
    ...examples.reasons.map((reason) => `    ${printable(reason)}`),
  ];
}

const SAID: Readonly<Record<Settled["outcome"], string>> = {
  proposed: "proposed",
  revised: "brought up to date",
  open: "is open already",
  left: "left alone, as a person has pushed to it",
  refused: "not proposed again until the source changes: a person closed it, or took it back",
  landed: "has landed already: bring this checkout up to date",
  closed: "closed, as the source is again as it was imported",
  none: "",
};

/** Writes what became of the change of an import; nothing where there is none. */
export function showSettled(name: string, { outcome, change }: Settled): readonly string[] {
  if (change === undefined) return [];
  return [`${name}: ${printable(change.url ?? change.branch)} ${SAID[outcome]}`];
}

function indent(text: string): readonly string[] {
  return printableLines(text)
    .split("\n")
    .map((line) => `  ${line}`);
}

function list(names: readonly string[]): string {
  const more = names.length > SHOWN ? [`and ${names.length - SHOWN} more`] : [];
  return [...names.slice(0, SHOWN).map(printable), ...more].join(", ");
}
