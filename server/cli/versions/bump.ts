import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { explainClaims } from "../../semver/claim.ts";
import { planMeasuredRaise, toRelease } from "../../semver/plan-raise.ts";
import { CairnError } from "../../errors.ts";
import { loadGit } from "../../versions/git/git.ts";
import { createLoader, type Loader } from "../../versions/load-version.ts";
import type { RepositoryJudge } from "../../versions/registry/judge/open-judge.ts";
import { FRAGMENT_KINDS, type FragmentKind } from "../../versions/manifests/fragments/read-fragment.ts";
import type { Version } from "../../versions/version.ts";
import { compareNames, readTagName } from "../../versions/version-name.ts";
import { writeRelease, writeToolVersion } from "../../versions/write-version.ts";
import { createCommand, type CreateCommand, type CliContext } from "../command.ts";
import { compareTargets, toVersion } from "./compare-targets.ts";
import { bumpFragment } from "./bump-fragment.ts";
import { EXIT } from "../exit-codes.ts";
import { openTargetJudge } from "./judge-target.ts";
import { openTarget } from "./open-target.ts";

type Place = Pick<CliContext, "folder" | "environment">;

interface Options {
  readonly from?: string | undefined;
  readonly tools?: boolean | undefined;
  readonly change?: string | undefined;
  readonly dry?: boolean | undefined;
  readonly kind?: FragmentKind | undefined;
}

/** `cairn bump`: raises what has to be raised in the checkout, and writes down why. */
export const createBumpCommand: CreateCommand = (context) =>
  createCommand({
    meta: {
      name: "bump",
      description: "Write a change fragment, or raise `current`, by what changed since the last tag",
    },
    args: {
      dir: { type: "positional", required: false, default: ".", valueHint: "dir", description: "The checkout" },
      from: { type: "string", valueHint: "ref", description: "What to compare with, instead of the last tag" },
      tools: { type: "boolean", description: "Also raise the versions of tools, in their manifests" },
      change: {
        type: "string",
        alias: "m",
        valueHint: "text",
        description: "A sentence on what changes, instead of the findings",
      },
      kind: { type: "enum", options: [...FRAGMENT_KINDS], description: "The least kind of a change fragment" },
      dry: { type: "boolean", description: "Say what would be written, and write nothing" },
    },
    async run({ args }) {
      const here = { ...context, folder: resolve(context.folder, args.dir) };
      const loader = createLoader();
      const opened = await openTargetJudge(here, ".", loader);
      const judge = typeof opened === "string" ? undefined : opened.judge;
      try {
        const { fragments, close } = await openTarget(here, ".", loader);
        close();
        const { change, dry = false, kind } = args;
        if (fragments === undefined) return await bump(here, args, loader, judge);
        const from = args.from ?? (await findLastServed(here, judge));
        return await bumpFragment(here, { from, fragments, change, kind, dry, loader });
      } finally {
        judge?.close();
      }
    },
  });

async function bump(
  here: CliContext,
  args: Options,
  loader: Loader,
  judge: RepositoryJudge | undefined,
): Promise<number> {
  const { out, now, folder } = here;
  const load = async (commit: string) => {
    const target = await openTarget(here, commit, loader);
    target.close();
    return toVersion(target, commit);
  };
  const findBases = async (version: Version) => judge?.findBases(version, undefined) ?? [];
  const from = args.from ?? (await findLastServed(here, judge));
  const { before, after, difference } = await compareTargets(here, from, ".", { loader });
  const options = { tools: args.tools === true };
  const against = { findBases, load };
  const plan = await planMeasuredRaise(difference, before, after, options, against);
  const low = options.tools ? [] : (await planMeasuredRaise(difference, before, after, { tools: true }, against)).tools;
  const edit = async (file: string, change: (text: string) => string) => {
    if (args.dry !== true) await writeFile(join(folder, file), change(await readFile(join(folder, file), "utf8")));
    out(`${args.dry === true ? "Would write" : "Wrote"} ${file}.`);
  };
  for (const line of explainClaims(difference)) out(line);
  for (const { file, version } of plan.tools) await edit(file, (text) => writeToolVersion(text, version));
  const { current } = plan;
  const isReleased = await hasTag(here, `v${after.semver}`);
  const changes = args.change === undefined ? plan.changes : [args.change];
  const write = (version: string) =>
    edit("versions.yaml", (text) =>
      writeRelease(text, toRelease(version, before, after, { isReleased, changes, now: now() })),
    );
  if (current === undefined) {
    out(`\`current\` stays ${after.semver}.`);
    // An earlier change of the same release has raised it: what is said of this one stands beside.
    if (args.change !== undefined && !isReleased && after.semver !== before.semver) await write(after.semver);
  } else {
    await write(current);
    out(`\`current\` ${args.dry === true ? "would be" : "is"} ${current}, made from ${before.semver}.`);
  }
  if (low.length > 0) out(warnOfTools(low.map(({ file }) => file)));
  return EXIT.OK;
}

/** Warns of manifests whose tools' versions are too low, for which a tag would be quarantined. */
function warnOfTools(files: readonly string[]): string {
  return `A tag would be refused: the version in ${files.join(", ")} is too low; \`cairn bump --tools\` raises it.`;
}

async function hasTag({ folder, environment }: Place, tag: string) {
  const git = await loadGit({ environment });
  return (await git.run(["-C", folder, "tag", "--list", tag])).trim() !== "";
}

/** The highest release that HEAD contains and that is served; where there is none, the highest pre-release. */
async function findLastServed({ folder, environment }: Place, judge: RepositoryJudge | undefined): Promise<string> {
  const git = await loadGit({ environment });
  const listed = await git.run(["-C", folder, "tag", "--merged", "HEAD", "--list", "v*"]).catch((cause: unknown) => {
    throw new CairnError("BAD_REQUEST", `\`${folder}\` is no git checkout with a commit.`, { cause });
  });
  const names = listed.split("\n").flatMap((tag) => {
    const name = readTagName(tag);
    return name === undefined ? [] : [{ ...name, tag }];
  });
  const sorted = names.toSorted(compareNames);
  for (const { tag } of [...sorted.filter(({ prerelease }) => !prerelease), ...sorted]) {
    const problems = await judge?.judgeTag(tag);
    if (problems === undefined || problems.length === 0) return tag;
  }
  throw new CairnError("BAD_REQUEST", "No tag of a served version leads here; name what to compare with as `--from`.");
}
