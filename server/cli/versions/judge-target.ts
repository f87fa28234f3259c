import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { isAmbiguous, listCovered } from "../../semver/accept-breaks.ts";
import { compareVersions } from "../../semver/compare-versions.ts";
import { explainJudgement } from "../../semver/report/explain-judgement.ts";
import { judgePending } from "../../semver/pending/judge-pending.ts";
import { judgeClaim } from "../../semver/judge-claim.ts";
import { loadGit } from "../../versions/git/git.ts";
import { explainBreak } from "../../versions/list-accepted.ts";
import { gatherFragments } from "../../versions/manifests/fragments/gather-fragments.ts";
import type { Fragments } from "../../versions/manifests/fragments/load-fragments.ts";
import type { Loader } from "../../versions/load-version.ts";
import type { Problem } from "../../versions/problem.ts";
import type { Judgement } from "../../versions/registry/judge/claims.ts";
import type { Readable } from "../../versions/read-text-of.ts";
import { openJudge, type RepositoryJudge } from "../../versions/registry/judge/open-judge.ts";
import type { Version } from "../../versions/version.ts";
import { count } from "../../text/count.ts";
import { readTagName } from "../../versions/version-name.ts";
import type { CliContext } from "../command.ts";

/** Judgement that a service would make of the number of a folder or commit, by the tags of the repository here. */
export interface JudgedTarget {
  /** Problems for which it would not be served under its number. */
  readonly problems: readonly Problem[];
  /** Comparisons that were made, a sentence each. */
  readonly lines: readonly string[];
  /** Breaks that are accepted, each with the findings that it covers; part of `lines`. */
  readonly accepted: readonly string[];
  /** The commits that it was measured against. */
  readonly bases: readonly string[];
}

/** A version that is judged, with the change fragments beside it. */
export interface TargetCandidate extends Readable {
  readonly fragments?: Fragments | undefined;
}

type Place = Pick<CliContext, "folder" | "environment">;

export async function judgeTarget(
  context: Place,
  name: string,
  candidate: TargetCandidate,
  loader: Loader,
): Promise<JudgedTarget> {
  const opened = await openTargetJudge(context, name, loader);
  if (typeof opened === "string") {
    return { problems: candidate.fragments?.problems ?? [], lines: [opened], accepted: [], bases: [] };
  }
  try {
    return await judgeWith(opened, name, candidate);
  } finally {
    opened.judge.close();
  }
}

export async function judgeWith(
  { judge, tip, isCommitted }: TargetJudge,
  name: string,
  { version, readText, fragments }: TargetCandidate,
): Promise<JudgedTarget> {
  const commit = isCommitted && tip !== undefined ? tip : version.commit;
  const released = judge.index.byName.get(version.semver);
  if (fragments !== undefined && released !== undefined && released.commit !== commit) {
    return judgeUnreleased(judge, { version: { ...version, commit }, readText }, fragments, tip);
  }
  const left = fragments === undefined || fragments.list.length === 0 ? [] : [explainLeft(version.semver, fragments)];
  const judgement = await judge.judge(
    { version: { ...version, commit }, readText, build: readTagName(name)?.build },
    tip,
  );
  const accepted = await explainAccepted(judge, version, judgement);
  return {
    // What stands beside a tag that is there is not held against it.
    problems: released === undefined ? [...(fragments?.problems ?? []), ...judgement.problems] : judgement.problems,
    lines: [...explainJudgement(version.semver, judgement), ...accepted, ...left],
    accepted,
    bases: judgement.bases.map((base) => base.version.commit),
  };
}

/** Judges a tree whose number is another commit's: its change fragments claim what has changed since. */
async function judgeUnreleased(
  judge: RepositoryJudge,
  candidate: Readable,
  { list, problems }: Fragments,
  tip: string | undefined,
): Promise<JudgedTarget> {
  const { semver, ...pending } = await judgePending(candidate, list, {
    findBases: (version) => judge.findBases(version, undefined),
    load: judge.loadReadable,
  });
  const moved = await judge.judgeMoves(candidate.version, tip);
  const { kind } = gatherFragments(list);
  const said =
    kind === undefined
      ? `No change fragment claims anything since ${candidate.version.semver}.`
      : `${count(list.length, "change fragment")} together: a ${kind} bump of ${candidate.version.semver}.`;
  const lines = explainJudgement(semver, { ...pending, presumed: [] });
  return {
    problems: [...problems, ...pending.problems, ...moved],
    lines: [said, ...lines],
    accepted: [],
    bases: pending.bases.map(({ version }) => version.commit),
  };
}

function explainLeft(semver: string, { list }: Fragments): string {
  return `${semver} is judged by its number: ${count(list.length, "change fragment")} beside it will be gathered by the next release.`;
}

/** Writes the entries under `accepts` that count, each with the findings that it covers. */
async function explainAccepted(
  judge: RepositoryJudge,
  version: Version,
  { bases, problems }: Judgement,
): Promise<readonly string[]> {
  const { accepts = [] } = version.history.versions.get(version.semver) ?? {};
  const refusesAmbiguous = problems.some(({ rule }) => rule === "accepted-ambiguous");
  const named = bases.filter((base) => accepts.some(({ from }) => from === base.version.semver));
  const compared = await Promise.all(
    named.map(async (base) => {
      const before = await judge.load(base.version.commit);
      return { from: base.version.semver, findings: before ? compareVersions(before, version).findings : [] };
    }),
  );
  return accepts.flatMap((entry) => {
    const own = compared.filter(({ from }) => from === entry.from);
    const covered = own.flatMap(({ findings }) => listCovered(entry, findings));
    if (covered.length === 0 || (refusesAmbiguous && isAmbiguous(entry, covered))) return [];
    return [explainBreak(entry, covered)];
  });
}

/** The judge of the repository that a folder or commit belongs to. */
export interface TargetJudge {
  readonly judge: RepositoryJudge;
  /** The commit, or what the folder was made from: labels are moved from there. */
  readonly tip?: string;
  /** True if the files are those of this commit. */
  readonly isCommitted: boolean;
}

/** A text says why there is none. `isCounted` says which tags count, absent all. */
export async function openTargetJudge(
  { folder, environment }: Place,
  name: string,
  loader: Loader,
  isCounted?: (tag: string) => boolean,
): Promise<TargetJudge | string> {
  const path = resolve(folder, name);
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  const git = await loadGit({ environment });
  const run = (...args: string[]) => git.run(["-C", isFolder ? path : folder, ...args]).then((text) => text.trim());
  const find = (...args: string[]) => run("rev-parse", ...args).catch(() => "");
  const gitDir = await find("--absolute-git-dir");
  if (gitDir === "" || (isFolder && (await find("--show-toplevel")) !== (await realpath(path)))) {
    return `\`${name}\` is not the top of a git repository, whose tags its number could be measured against.`;
  }
  const tip = await find("--verify", "--quiet", "--end-of-options", `${isFolder ? "HEAD" : name}^{commit}`);
  const isCommitted = !isFolder || (await run("status", "--porcelain")) === "";
  const judge = await openJudge({ git, gitDir, loader, judge: judgeClaim, ...(isCounted && { isCounted }) });
  return { judge, isCommitted, ...(tip !== "" && { tip }) };
}
