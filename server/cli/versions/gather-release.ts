import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatChanges } from "../../semver/changelog.ts";
import type { CairnError } from "../../errors.ts";
import { createClaim, raiseBy } from "../../semver/claim.ts";
import { compareVersions } from "../../semver/compare-versions.ts";
import {
  findLastRelease,
  judgePending,
  listAccepted,
  toPending,
  withAccepted,
} from "../../semver/pending/judge-pending.ts";
import { isAtLeast, largest } from "../../semver/level.ts";
import { planMeasuredRaise, type RaisePlan, toRelease } from "../../semver/plan-raise.ts";
import { formatProblems } from "../../versions/format-problems.ts";
import type { Loader } from "../../versions/load-version.ts";
import { gatherFragments } from "../../versions/manifests/fragments/gather-fragments.ts";
import type { Fragments } from "../../versions/manifests/fragments/load-fragments.ts";
import type { Readable } from "../../versions/read-text-of.ts";
import type { RepositoryJudge } from "../../versions/registry/judge/open-judge.ts";
import type { Version } from "../../versions/version.ts";
import { readVersionName } from "../../versions/version-name.ts";
import { writeChangelog } from "./write-changelog.ts";
import { writeRelease, writeToolVersion } from "../../versions/write-version.ts";
import { count } from "../../text/count.ts";
import type { CliContext } from "../command.ts";
import type { Checkout } from "./checkout.ts";
import { refuse, type Tags } from "./release-checks.ts";

const HISTORY = "versions.yaml";
const CHANGELOG = "CHANGELOG.md";

export interface GatherOptions {
  /** Number that a person chose, absent the least that says enough. */
  readonly to?: string | undefined;
  /** Word of a pre-release, such as `rc`. */
  readonly pre?: string | undefined;
}

/** A commit whose fragments are to be gathered, and what is known around it. */
export interface GatherGround {
  readonly checkout: Checkout;
  readonly head: string;
  readonly candidate: Readable;
  readonly fragments: Fragments;
  readonly judge: RepositoryJudge;
  readonly tags: Tags;
  readonly loader: Loader;
}

/** Checks that a release has fragments to gather. Its own tag on this commit leaves nothing, but for a pre-release. */
export function hasToGather({
  head,
  candidate,
  fragments,
  tags,
}: Pick<GatherGround, "head" | "candidate" | "fragments" | "tags">): boolean {
  const { semver } = candidate.version;
  const isDone = tags.get(`v${semver}`)?.here === head && readVersionName(semver)?.prerelease === false;
  return !isDone && (fragments.list.length > 0 || fragments.problems.length > 0);
}

/**
 * The commit to release instead of `head`: one more, with the number that the fragments and the proof ask for, those of tools raised,
 * and the fragments gone. No branch moves, and no file of the work tree changes. Rejects with CONFLICT where that cannot be
 * released; a text lists what is wrong with the tree.
 */
export async function commitGathered(
  context: CliContext,
  ground: GatherGround,
  options: GatherOptions,
): Promise<{ readonly commit: string } | { readonly problems: string }> {
  const { candidate, fragments, judge, head, checkout } = ground;
  const pending = await judgePending(candidate, fragments.list, {
    findBases: (version) => judge.findBases(version, undefined),
    load: judge.loadReadable,
  });
  // A number that a person has raised is judged itself, later.
  const isRaised = !ground.tags.has(`v${candidate.version.semver}`);
  const problems = [...fragments.problems, ...(isRaised ? [] : pending.problems)];
  if (problems.length > 0) return { problems: formatProblems(problems, "text").trimEnd() };
  const base = pending.bases.find(({ scope }) => scope === "all")?.version.commit;
  const before = base === undefined ? undefined : (await judge.loadReadable(base)).version;
  assertNumber(options, pending.semver);
  const { number, plan } = await decide(ground, before, options);
  const isKept = options.pre !== undefined;
  const files = await writeFiles(context, ground, { before, number, plan, isKept });
  const gathered = isKept ? "names" : "gathers";
  context.err(`${number} ${gathered} ${count(fragments.list.length, "change fragment")}.`);
  for (const [file, text] of files) context.err(text === null ? `  removes ${file}` : `  writes ${file}`);
  return { commit: await commitFiles(checkout, head, files, `Release ${number}`) };
}

/** Decides the number of the tree, and those of its tools. */
async function decide(
  { candidate: { version }, fragments, judge, tags }: GatherGround,
  served: Version | undefined,
  { to, pre }: GatherOptions,
): Promise<{ readonly number: string; readonly plan: RaisePlan | undefined }> {
  const isTagged = tags.has(`v${version.semver}`);
  const isFree = (semver: string) => !tags.has(`v${semver}`);
  // Where nothing is served, the first number is the one that stands there already, unless it is spent.
  const before = served ?? (isTagged ? { ...version, semver: findLastRelease(version) } : undefined);
  const { kind = "none" } = gatherFragments(fragments.list);
  if (before === undefined) return { number: choose(version.semver, { to, pre }, isFree), plan: undefined };
  const after = isTagged ? { ...version, semver: before.semver } : version;
  const difference = compareVersions(
    before,
    isTagged ? toPending(version, fragments.list) : withAccepted(version, version, fragments.list),
  );
  const level = largest([kind, difference.required]);
  const least = raiseBy(before.semver, isAtLeast(level, "patch") ? level : "patch");
  if (isTagged && to === undefined && !isFree(least)) throw refuseSpent(least);
  const plan = await planMeasuredRaise(
    difference,
    before,
    after,
    { tools: true, least: kind, asked: new Set() },
    {
      findBases: (one) => judge.findBases(one, undefined),
      load: async (commit) => (await judge.loadReadable(commit)).version,
    },
  );
  if (to !== undefined && !createClaim(before.semver, to, level).isKept) {
    throw refuse(
      `${to} says too little: the changes since ${before.semver} are ${level}, so it must be ${plan.current ?? after.semver} or higher`,
    );
  }
  return { number: choose(plan.current ?? after.semver, { to, pre }, isFree), plan };
}

function assertNumber({ to, pre }: GatherOptions, right: string): void {
  const name = to === undefined ? undefined : readVersionName(to);
  if (to !== undefined && (name === undefined || name.build !== undefined)) {
    throw refuse(`\`${to}\` is no version that can be released; a right one is ${right}`);
  }
  if (pre !== undefined && !/^[a-z][a-z-]*$/.test(pre)) {
    throw refuse(`\`${pre}\` is no word for a pre-release; a right one is \`rc\``);
  }
}

/** Chooses the number to release; refuses one that another commit has. */
function choose(least: string, { to, pre }: GatherOptions, isFree: (semver: string) => boolean): string {
  const number = to ?? least;
  if (pre !== undefined) {
    let at = 1;
    while (!isFree(`${number}-${pre}.${at}`)) at += 1;
    return `${number}-${pre}.${at}`;
  }
  if (isFree(number)) return number;
  throw refuseSpent(number);
}

function refuseSpent(number: string): CairnError {
  return refuse(
    `the changes ask for ${number}, and \`v${number}\` is on another commit. Merge it here (\`git merge v${number}\`, ` +
      `and \`cairn mend\` where versions.yaml conflicts), or choose a number with \`--to\``,
  );
}

/** Texts of all files that the release changes; null removes one. */
async function writeFiles(
  { now }: CliContext,
  { candidate: { version, readText }, fragments, tags, checkout: { folder } }: GatherGround,
  {
    before,
    number,
    plan,
    isKept,
  }: { before: Version | undefined; number: string; plan: RaisePlan | undefined; isKept: boolean },
): Promise<ReadonlyMap<string, string | null>> {
  const files = new Map<string, string | null>();
  const edit = async (file: string, change: (text: string) => string) => {
    const text = await readText(file);
    if (text !== undefined) files.set(file, change(text));
  };
  const { changes } = gatherFragments(fragments.list);
  const accepts = listAccepted(version, fragments.list);
  const isReleased = tags.has(`v${version.semver}`);
  const parent = before?.semver ?? (isReleased ? findLastRelease(version) : undefined);
  const about = { isReleased, changes, now: now() };
  const release = toRelease(number, before ?? version, version, about);
  const known = version.history.versions.get(release.replaced ?? number)?.parent;
  await edit(HISTORY, (text) => writeRelease(text, { ...release, parent: known ?? parent, accepts }));
  for (const { file, version: own } of plan?.tools ?? []) await edit(file, (text) => writeToolVersion(text, own));
  const lines = formatChanges(changes, 3);
  // The work tree is that of the commit.
  const changelog = await readFile(join(folder, CHANGELOG), "utf8").catch(() => undefined);
  if (changelog !== undefined) {
    files.set(CHANGELOG, writeChangelog(changelog, { version: number, date: release.date, lines }));
  }
  if (!isKept) for (const { file } of fragments.list) files.set(file, null);
  return files;
}

async function commitFiles(
  { git, find }: Checkout,
  head: string,
  files: ReadonlyMap<string, string | null>,
  message: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-release-"));
  const environment = { GIT_INDEX_FILE: join(folder, "index") };
  try {
    await git(["read-tree", head], { environment });
    const lines: string[] = [];
    for (const [file, text] of files) {
      if (text === null) lines.push(`0 ${"0".repeat(head.length)}\t${file}`);
      else {
        const oid = await git(["hash-object", "-w", "--stdin"], { input: text });
        const [mode] = (await git(["ls-tree", "--full-tree", head, "--", file])).split(" ");
        lines.push(`${mode || "100644"} ${oid}\t${file}`);
      }
    }
    await git(["update-index", "-z", "--index-info"], {
      environment,
      input: lines.map((line) => `${line}\0`).join(""),
    });
    const tree = await git(["write-tree"], { environment });
    const isSigned = (await find("config", "--type=bool", "commit.gpgsign")) === "true";
    return await git(["commit-tree", tree, "-p", head, "-m", message, ...(isSigned ? ["-S"] : [])]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
