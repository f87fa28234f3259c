import { CairnError } from "../../errors.ts";
import { formatProblems } from "../../versions/format-problems.ts";
import { createLoader, type Loader } from "../../versions/load-version.ts";
import type { Readable } from "../../versions/read-text-of.ts";
import { tellRunning } from "../tune/tell-running.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "../with-store.ts";
import { type Checkout, openCheckout } from "./checkout.ts";
import { type CliContext, type CommandContext, createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { commitGathered, type GatherGround, hasToGather } from "./gather-release.ts";
import { judgeWith, openTargetJudge, type TargetJudge } from "./judge-target.ts";
import {
  assertReleasable,
  explainNumber,
  findNumberState,
  findTags,
  hasRemote,
  movesBranch,
  refuse,
  type Tags,
} from "./release-checks.ts";
import { toNotes, writeOutputs } from "./release-outputs.ts";
import { ANCHOR_FILE, commitAnchor } from "./release-anchor.ts";
import { EGRESS_MAP_OPTION } from "./test-version.ts";
import { compareTargets, toVersion } from "./compare-targets.ts";
import { openTarget } from "./open-target.ts";

interface Options {
  readonly branch: string;
  readonly to?: string | undefined;
  readonly pre?: string | undefined;
  readonly remote: string;
  readonly data?: string | undefined;
  readonly "egress-map"?: string | undefined;
  readonly "if-new"?: boolean | undefined;
  readonly again?: boolean | undefined;
  readonly "dry-run"?: boolean | undefined;
  readonly push?: boolean | undefined;
  readonly outputs?: string | undefined;
}

/** `cairn release`: what is checked out becomes a version. Nothing changes unless every check has passed. */
export const createReleaseCommand: CreateCommand = (context) =>
  createCommand({
    meta: {
      name: "release",
      description: "Gather change fragments, check what is checked out, tag it, print release notes",
    },
    args: {
      branch: { type: "string", default: "main", description: "The branch that is released" },
      remote: {
        type: "string",
        default: "origin",
        description: "Whose tags count besides those here, if there is one",
      },
      to: { type: "string", valueHint: "version", description: "The number, where fragments and proof ask for less" },
      pre: { type: "string", valueHint: "word", description: "A pre-release, such as `rc`: the fragments stay" },
      push: { type: "boolean", description: "Push the tag, and the branch where the remote's is behind" },
      "if-new": { type: "boolean", description: "Do nothing, and end well, when `current` has its tag already" },
      again: { type: "boolean", description: "Set a tag again that is there and was never served" },
      "dry-run": { type: "boolean", description: "Check and print, but change nothing" },
      outputs: {
        type: "string",
        valueHint: "file",
        description: "Append `released`, `version`, `bump` and `breaking` to a file, as GitHub Actions read outputs",
      },
      data: {
        ...DATA_OPTION.data,
        description: `Data folder: keeps what the tests said, and its audit's checkpoints are committed in ${ANCHOR_FILE}`,
      },
      ...EGRESS_MAP_OPTION,
    },
    run: async ({ args }) => release(context, args),
  });

async function release(context: CommandContext, options: Options): Promise<number> {
  const checkout = await openCheckout(context);
  const from = await checkout.git(["rev-parse", "HEAD"]);
  const tags = await findTags(checkout, options.remote);
  const loader = createLoader();
  const head = await gather(context, { options, checkout, head: from, tags, loader });
  if (head === undefined) return EXIT.FAILED;
  if ((await runHere(context, "validate", head, "--no-number")) !== EXIT.OK) return EXIT.FAILED;
  const target = await openTarget(context, head, loader);
  try {
    const candidate = { version: toVersion(target, head), readText: target.readText };
    const opened = await openReleaseJudge(context, head, loader, tags);
    try {
      const hasFragments = target.fragments !== undefined;
      const given = { options, checkout, from, head, tags, loader, candidate, opened, hasFragments };
      return await releaseCandidate(context, given);
    } finally {
      opened.judge.close();
    }
  } finally {
    target.close();
  }
}

/** The commit to release: what is checked out, or one more that gathers its change fragments; undefined: it was said what is wrong. */
async function gather(
  context: CommandContext,
  { options, ...given }: Omit<GatherGround, "candidate" | "fragments" | "judge"> & { readonly options: Options },
): Promise<string | undefined> {
  const { checkout, head, tags, loader } = given;
  const target = await openTarget(context, head, loader);
  try {
    const { loaded, readText, fragments = { list: [], problems: [] } } = target;
    // What is wrong with it is said next.
    if (!loaded.ok) return head;
    const candidate = { version: loaded.version, readText };
    if (!hasToGather({ head, candidate, fragments, tags })) {
      if (options.to === undefined && options.pre === undefined) return head;
      throw refuse("there are no change fragments, so there is no number to choose: `cairn bump` writes one");
    }
    await assertReleasable(checkout, { ...options, tags });
    const { judge } = await openReleaseJudge(context, head, loader, tags);
    try {
      const gathered = await commitGathered(context, { ...given, candidate, fragments, judge }, options);
      if ("commit" in gathered) return gathered.commit;
      context.err(gathered.problems);
      return undefined;
    } finally {
      judge.close();
    }
  } finally {
    target.close();
  }
}

async function releaseCandidate(
  context: CommandContext,
  given: {
    readonly options: Options;
    readonly checkout: Checkout;
    readonly from: string;
    readonly head: string;
    readonly tags: Tags;
    readonly loader: Loader;
    readonly candidate: Readable;
    readonly opened: TargetJudge;
    readonly hasFragments: boolean;
  },
): Promise<number> {
  const { options, checkout, from, head, tags, loader, candidate, opened, hasFragments } = given;
  const { out, err } = context;
  const tag = `v${candidate.version.semver}`;
  const state = await findNumberState({ tag, tags, head }, opened.judge.judgeTag);
  const maySet = state.kind === "free" || (state.kind === "unserved" && options.again === true);
  err(explainNumber(tag, state, { again: options.again === true, hasFragments }));
  if (options["if-new"] === true && !maySet) {
    err("Nothing is released.");
    await writeOutputs(context, options, { released: false, version: candidate.version.semver });
    return EXIT.OK;
  }
  await assertReleasable(checkout, { ...options, tags });
  if (!maySet) throw refuse(`\`${tag}\` is there already`);
  if (options.push === true) await movesBranch(checkout, options, head);
  const judged = await judgeWith(opened, head, candidate);
  const [base] = judged.bases;
  if (base !== undefined) await runHere(context, "diff", base, head);
  const before = base === undefined ? undefined : await compareTargets(context, base, head, { loader });
  for (const line of judged.lines) err(line);
  if (judged.problems.length > 0) {
    err(formatProblems(judged.problems, "text").trimEnd());
    return EXIT.FAILED;
  }
  const egress = options["egress-map"] === undefined ? [] : ["--egress-map", options["egress-map"]];
  if ((await runHere(context, "test", head, ...egress)) !== EXIT.OK) return EXIT.FAILED;
  await tellRunning(context, candidate.version);
  const notes = toNotes(candidate.version, tag, judged.accepted);
  if (options["dry-run"] === true) err(`Every check has passed; without --dry-run, ${head} becomes ${tag}.`);
  else await tagCommit(context, checkout, { options, from, head, tag, notes, egress, there: tags.get(tag)?.object });
  const released = options["dry-run"] !== true;
  await writeOutputs(context, options, { released, version: candidate.version.semver, before });
  out(notes);
  return EXIT.OK;
}

/** Counts the tags that the remote has, because those are what services see; where there is no remote, those that are here. */
async function openReleaseJudge(context: CliContext, head: string, loader: Loader, tags: Tags) {
  const isLeftOut = (tag: string) => hasRemote(tags) && tags.get(tag)?.there === undefined;
  const isCounted = (tag: string) => !isLeftOut(tag);
  const opened = await openTargetJudge(context, head, loader, isCounted);
  if (typeof opened === "string") throw new CairnError("BAD_REQUEST", opened);
  const left = [...tags.keys()].filter(isLeftOut).map((tag) => `\`${tag}\``);
  if (left.length > 0) context.err(`Not counted, because the remote does not have them: ${left.join(", ")}.`);
  return opened;
}

async function tagCommit(
  context: CommandContext,
  checkout: Checkout,
  made: {
    readonly options: Options;
    /** Commit that is checked out: `head` where nothing was gathered. */
    readonly from: string;
    readonly head: string;
    readonly tag: string;
    readonly notes: string;
    readonly egress: readonly string[];
    /** Object that the remote's tag of that name leads to now. */
    readonly there: string | undefined;
  },
): Promise<void> {
  const { options, from, head, tag, notes, egress, there } = made;
  const { err } = context;
  const commit = options.data === undefined ? head : await anchor(context, checkout, head, tag, options.data);
  const isSigned = (await checkout.find("config", "user.signingkey")) !== undefined;
  const before = await checkout.find("rev-parse", "--verify", "--quiet", `refs/tags/${tag}`);
  const how = ["--annotate", ...(before === undefined ? [] : ["--force"]), isSigned ? "--sign" : "--no-sign"];
  await checkout.git(["tag", ...how, "--cleanup=whitespace", "--file=-", tag, commit], { input: notes });
  try {
    if (commit !== from) await checkout.git(["merge", "--ff-only", "--quiet", commit]);
    if (options.push === true) {
      // Without its branch, the next clone would have none of what was released.
      const isBehind = await movesBranch(checkout, options, commit);
      const refs = [`refs/tags/${tag}`, ...(isBehind ? [`${commit}:refs/heads/${options.branch}`] : [])];
      // What somebody else makes of the tag meanwhile was not judged.
      const lease = there === undefined ? [] : [`--force-with-lease=refs/tags/${tag}:${there}`];
      await checkout.git(["push", "--quiet", "--atomic", ...lease, options.remote, ...refs]);
    }
  } catch (error) {
    // Otherwise the next try would find a tag that nobody else has.
    if (before === undefined) await checkout.find("tag", "--delete", tag);
    else await checkout.find("update-ref", `refs/tags/${tag}`, before);
    if (commit !== from) await checkout.find("reset", "--quiet", "--keep", from);
    throw error;
  }
  if (options.data !== undefined) await runHere(context, "test", tag, "--data", options.data, ...egress);
  err(`${commit} is ${tag}${isSigned ? ", signed" : ""}${options.push === true ? ", and pushed" : ""}.`);
  if (options.push !== true && (await checkout.find("remote", "get-url", options.remote)) !== undefined) {
    const { branch, remote } = options;
    err(`It is here alone so far; this publishes it: git push --atomic ${remote} ${branch} ${tag}`);
  }
}

function anchor(context: CliContext, checkout: Checkout, head: string, tag: string, data: string) {
  const config = loadAuditConfig(context.environment, data);
  const use = { context, command: "release", data: config.data };
  return withStore(use, (store) => commitAnchor(checkout, head, tag, config, store));
}

/** As anyone could run it by hand; standard output is left to the release notes. */
async function runHere(context: CommandContext, ...argv: string[]): Promise<number> {
  return context.runCommand(argv, { ...context, out: context.err });
}
