import { CairnError } from "../../errors.ts";
import type { ExampleRun } from "../../examples/run-examples.ts";
import type { Drift, DriftExamples, DriftFinding, DriftState } from "../../imports/drift/drift.ts";
import { explainExample } from "../../semver/explain-example.ts";
import type { Finding } from "../../semver/finding.ts";
import { createLoader } from "../../versions/load-version.ts";
import type { Version } from "../../versions/version.ts";
import type { CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { compareTargets } from "../versions/compare-targets.ts";
import { openTarget } from "../versions/open-target.ts";
import { testVersion } from "../versions/test-version.ts";
import type { KnownImport } from "./list-imports.ts";
import type { LoadedSource } from "./load-source.ts";
import { openScratch, type Scratch } from "./open-scratch.ts";
import { renewImport } from "./renew-import.ts";

/** Rules about nothing but texts that clients see. */
const TEXT_RULES: ReadonlySet<string> = new Set([
  "text-changed",
  "text-instructs",
  "schema-reworded",
  "manifest-rewritten",
]);
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
  const findings = difference.findings.filter(({ rule }) => rule !== "tool-version-changed");
  const { files, diff } = await scratch.readChanges();
  return {
    kind,
    name,
    from,
    fingerprint,
    tools: sortTools(findings, before, after),
    bump: difference.required,
    before: before.semver,
    after: difference.claims.find(({ tool }) => tool === undefined)?.to ?? after.semver,
    findings: findings.map(toDriftFinding),
    files,
    diff,
    notes,
    examples: examples ?? (await runOwnExamples(context, findings, after)),
  };
}

function sortTools(findings: readonly Finding[], before: Version, after: Version): Drift["tools"] {
  const byTool = Map.groupBy(
    findings.filter(({ tool }) => tool !== undefined),
    ({ tool = "" }) => tool,
  );
  const added = [...after.tools.keys()].filter((name) => !before.tools.has(name));
  const removed = [...before.tools.keys()].filter((name) => !after.tools.has(name));
  const others = [...byTool].filter(([name]) => before.tools.has(name) && after.tools.has(name));
  const isText = ([, own]: (typeof others)[number]) => own.every(({ rule }) => TEXT_RULES.has(rule));
  return {
    added,
    removed,
    reworded: others.filter(isText).map(([name]) => name),
    changed: others.filter((one) => !isText(one)).map(([name]) => name),
  };
}

function toDriftFinding(finding: Finding): DriftFinding {
  const { level, rule, message } = finding;
  const witness = explainExample(finding);
  return { level, rule, message, ...(witness === undefined ? {} : { witness }) };
}

async function runOwnExamples(
  context: CommandContext,
  findings: readonly Finding[],
  { tools }: Version,
): Promise<DriftExamples> {
  const names = new Set(findings.map(({ tool }) => tool));
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
