import { CairnError } from "../../errors.ts";
import type { ExampleRun } from "../../examples/run-examples.ts";
import type { Drift, DriftExamples, DriftState } from "../../imports/drift/drift.ts";
import { measureFindings, NUMBER_RULE } from "../../imports/drift/measure-findings.ts";
import type { Finding } from "../../semver/finding.ts";
import { createLoader } from "../../versions/load-version.ts";
import type { Version } from "../../versions/version.ts";
import type { CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { compareTargets } from "../versions/compare-targets.ts";
import { openTarget } from "../versions/open-target.ts";
import { testVersion } from "../versions/test-version.ts";
import type { KnownImport } from "../../imports/drift/list-imports.ts";
import type { LoadedSource } from "./load-source.ts";
import { openScratch, type Scratch } from "./open-scratch.ts";
import { renewImport } from "./renew-import.ts";

/** Failed examples whose reasons are kept. */
const REASONS_KEPT = 20;

export interface CheckOptions {
  readonly takesNew: boolean;
  /** True: the commit of the checkout counts, without what is not committed. */
  readonly isCommitted: boolean;
}

/** Checks an import against its source, in a copy of the checkout. What fails is said in the state, and never taken for no drift. */
export async function checkImport(
  context: CommandContext,
  known: KnownImport,
  load: () => Promise<LoadedSource>,
  options: CheckOptions,
): Promise<DriftState> {
  const { kind, name, from } = known;
  const about = { kind, name, from };
  let scratch: Scratch | undefined;
  try {
    const source = await load();
    scratch = await openScratch(context, options);
    const said: string[] = [];
    const err = (line: string) => void said.push(line);
    const inside = { ...context, folder: scratch.folder, out: () => undefined, err, isTerminal: false };
    const renewed = await renewImport(inside, name, source, options);
    const { isChanged, conflicts, problems, unimported } = renewed;
    if (!isChanged) return { ...about, state: "unchanged", unimported };
    if (conflicts.length > 0) {
      const reason = `Edits of yours and the source touch the same lines of ${conflicts.join(", ")}.`;
      return { ...about, state: "failed", reason, conflicts };
    }
    if (problems.length > 0) return { ...about, state: "failed", reason: problems.join("\n") };
    said.length = 0;
    if ((await context.runCommand(["bump", "--tools"], inside)) !== EXIT.OK)
      return { ...about, state: "failed", reason: said.join("\n") };
    const drift = await measureDrift(inside, scratch, { ...about, ...renewed });
    return { ...about, state: "drifted", drift, unimported };
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return { ...about, state: "failed", reason: error.message };
  } finally {
    await scratch?.close();
  }
}

type Known = Pick<Drift, "kind" | "name" | "from" | "fingerprint" | "notes"> & Partial<Pick<Drift, "examples">>;

/** Measures what a copy of the checkout has become. Runs the examples of the tools that differ, unless they were run elsewhere. */
export async function measureDrift(
  context: CommandContext,
  scratch: Scratch,
  { kind, name, from, fingerprint, notes, examples }: Known,
): Promise<Drift> {
  const loader = createLoader();
  const { difference, before, after } = await compareTargets(context, "HEAD", ".", { loader });
  const measured = measureFindings(difference.findings, [...before.tools.keys()], [...after.tools.keys()]);
  const { files, diff } = await scratch.readChanges();
  return {
    kind,
    name,
    from,
    fingerprint,
    ...measured,
    bump: difference.required,
    before: before.semver,
    after: difference.claims.find(({ tool }) => tool === undefined)?.to ?? after.semver,
    files,
    diff,
    notes,
    examples: examples ?? (await runOwnExamples(context, difference.findings, after)),
  };
}

async function runOwnExamples(
  context: CommandContext,
  findings: readonly Finding[],
  { tools }: Version,
): Promise<DriftExamples> {
  const names = new Set(findings.flatMap(({ tool, rule }) => (rule === NUMBER_RULE ? [] : tool)));
  const touched = [...tools.values()].filter(({ name }) => names.has(name));
  if (touched.length === 0) return { passed: 0, failed: 0, skipped: 0, reasons: [] };
  const { loaded, readText, close } = await openTarget(context, ".");
  try {
    if (!loaded.ok) throw new CairnError("VERSION_QUARANTINED", "The renewed import makes no valid version.");
    const own = touched.flatMap(({ name }) => loaded.version.tools.get(name) ?? []);
    return toExamples(await testVersion({ version: loaded.version, readText, egressMap: new Map(), tools: own }));
  } finally {
    close();
  }
}

function toExamples({ examples }: ExampleRun): DriftExamples {
  const failed = examples.filter(({ outcome }) => outcome === "failed");
  return {
    passed: examples.filter(({ outcome }) => outcome === "passed").length,
    failed: failed.length,
    skipped: examples.filter(({ outcome }) => outcome === "skipped").length,
    reasons: failed.slice(0, REASONS_KEPT).map(({ tool, reasons }) => `${tool}: ${reasons.join("; ")}`),
  };
}
