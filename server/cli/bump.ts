import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createClaim } from "../compat/claim.ts";
import { explainClaims } from "../compat/format-difference.ts";
import { isAtLeast } from "../compat/level.ts";
import { CairnError } from "../errors.ts";
import { loadGit } from "../versions/git/git.ts";
import { compareNames, readTagName } from "../versions/version-name.ts";
import { createCommand, type CreateCommand, type Surroundings } from "./command.ts";
import { compareTargets, type ComparedTargets } from "./compare-targets.ts";
import { EXIT } from "./exit-codes.ts";
import { writeRelease, writeToolVersion } from "./write-version.ts";

/** `cairn bump`: raises what has to be raised in the checkout, and writes down why. */
export const createBumpCommand: CreateCommand = (surroundings) =>
  createCommand({
    meta: { name: "bump", description: "Raise `current` in versions.yaml by what changed since the last tag" },
    args: {
      dir: { type: "positional", required: false, default: ".", valueHint: "dir", description: "The checkout" },
      from: { type: "string", valueHint: "ref", description: "What to compare with, instead of the last tag" },
      tools: { type: "boolean", description: "Also raise the versions of tools, in their manifests" },
      change: { type: "string", valueHint: "text", description: "A sentence for `changes`, instead of the findings" },
      dry: { type: "boolean", description: "Say what would be written, and write nothing" },
    },
    async run({ args }) {
      const { out, now } = surroundings;
      const folder = resolve(surroundings.folder, args.dir);
      const from = args.from ?? (await findLastTag({ ...surroundings, folder }));
      const compared = await compareTargets({ ...surroundings, folder }, from, ".");
      const tools = args.tools === true ? toToolEdits(compared) : [];
      const plan = toPlan(compared, tools.length > 0);
      const edit = async (file: string, change: (text: string) => string) => {
        if (args.dry !== true) await writeFile(join(folder, file), change(await readFile(join(folder, file), "utf8")));
        out(`${args.dry === true ? "Would write" : "Wrote"} ${file}.`);
      };
      for (const line of explainClaims(compared.difference)) out(line);
      for (const { file, version } of tools) await edit(file, (text) => writeToolVersion(text, version));
      if (plan === undefined) {
        out(`\`current\` stays ${compared.after.semver}.`);
        return EXIT.OK;
      }
      const { before, after } = compared;
      const isNew = before.semver === after.semver || (await hasTag({ ...surroundings, folder }, `v${after.semver}`));
      const changes = args.change === undefined ? listChanges(compared) : [args.change];
      await edit("versions.yaml", (text) =>
        writeRelease(text, {
          version: plan,
          replaced: isNew ? undefined : after.semver,
          parent: before.semver,
          date: new Date(now()).toISOString().replace(/\.\d+Z$/, "Z"),
          changes,
        }),
      );
      out(`\`current\` ${args.dry === true ? "would be" : "is"} ${plan}, made from ${before.semver}.`);
      return EXIT.OK;
    },
  });

/** The version to write; undefined when `current` is high enough as it is. */
function toPlan({ difference, before, after }: ComparedTargets, raisesTools: boolean): string | undefined {
  const least = raisesTools && !isAtLeast(difference.required, "patch") ? "patch" : difference.required;
  const claim = createClaim(before.semver, after.semver, least);
  return claim.isKept ? undefined : claim.needed;
}

function toToolEdits({ difference, after }: ComparedTargets) {
  return difference.claims.flatMap(({ tool, isKept, needed }) => {
    const file = tool === undefined || isKept ? undefined : after.tools.get(tool)?.file;
    return file === undefined ? [] : [{ file, version: needed }];
  });
}

/** One sentence for each finding, those of the largest bump first. */
function listChanges({ difference }: ComparedTargets): readonly string[] {
  return [...new Set(difference.findings.map(({ message }) => message))];
}

async function hasTag({ folder, environment }: Pick<Surroundings, "folder" | "environment">, tag: string) {
  const git = await loadGit({ environment });
  return (await git.run(["-C", folder, "tag", "--list", tag])).trim() !== "";
}

/** The highest release that HEAD contains; where there is none, the highest pre-release. */
async function findLastTag({ folder, environment }: Pick<Surroundings, "folder" | "environment">): Promise<string> {
  const git = await loadGit({ environment });
  const listed = await git.run(["-C", folder, "tag", "--merged", "HEAD", "--list", "v*"]).catch((cause: unknown) => {
    throw new CairnError("BAD_REQUEST", `\`${folder}\` is no git checkout with a commit.`, { cause });
  });
  const names = listed.split("\n").flatMap((tag) => {
    const name = readTagName(tag);
    return name === undefined ? [] : [{ ...name, tag }];
  });
  const sorted = names.toSorted(compareNames);
  const last = sorted.find(({ prerelease }) => !prerelease) ?? sorted[0];
  if (last !== undefined) return last.tag;
  throw new CairnError("BAD_REQUEST", "No tag of a version leads here; name what to compare with as `--from`.");
}
