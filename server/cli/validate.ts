import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CairnError } from "../errors.ts";
import { loadDirectoryTree } from "../versions/git/directory-tree.ts";
import { formatProblems, PROBLEM_FORMATS, type ProblemFormat } from "../versions/format-problems.ts";
import { loadGit } from "../versions/git/git.ts";
import { createGitTrees } from "../versions/git/git-tree.ts";
import { createLoader } from "../versions/load-version.ts";
import { openObjectReader } from "../versions/git/object-reader.ts";
import type { Loaded } from "../versions/version.ts";
import { createCommand, type CreateCommand, type Surroundings } from "./command.ts";
import { EXIT } from "./exit-codes.ts";

/** `cairn validate [ref|dir]`: by the very rules that the server serves by. */
export const createValidateCommand: CreateCommand = (surroundings) =>
  createCommand({
    meta: { name: "validate", description: "Check a folder or a commit, and say everything that is wrong with it" },
    args: {
      target: {
        type: "positional",
        required: false,
        default: ".",
        valueHint: "ref|dir",
        description: "A folder as it is on disk, or a tag, branch or commit of the repository here",
      },
      format: {
        type: "enum",
        options: [...PROBLEM_FORMATS],
        default: "text",
        description: "text for people, json for programs, github for annotations in GitHub Actions",
      },
    },
    async run({ args }) {
      const { out, err } = surroundings;
      const loaded = await load(surroundings, args.target);
      if (!loaded.ok) {
        out(formatProblems(loaded.problems, args.format as ProblemFormat).trimEnd());
        if (args.format === "text") err(`\n${count(loaded.problems.length, "problem")} in ${args.target}.`);
        return EXIT.FAILED;
      }
      const { version } = loaded;
      if (args.format === "json") out("[]");
      else
        out(
          `${version.agent.name} ${version.semver} is valid: ${count(version.servers.size, "server")}, ${count(version.tools.size, "tool")}.`,
        );
      return EXIT.OK;
    },
  });

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

async function load({ folder, environment }: Surroundings, target: string): Promise<Loaded> {
  const path = resolve(folder, target);
  const { load: loadTree } = createLoader();
  if ((await stat(path).catch(() => undefined))?.isDirectory()) {
    const read = await loadDirectoryTree(path);
    return read.ok ? loadTree(read.tree, "0".repeat(40)) : read;
  }
  const git = await loadGit({ environment });
  const find = (...args: string[]) => git.run(["-C", folder, "rev-parse", ...args]).then((text) => text.trim());
  const gitDir = await find("--absolute-git-dir").catch((cause: unknown) => {
    throw new CairnError("BAD_REQUEST", `\`${target}\` is no folder, and there is no git repository here.`, { cause });
  });
  const commit = await find("--verify", "--quiet", "--end-of-options", `${target}^{commit}`).catch((cause: unknown) => {
    throw new CairnError("BAD_REQUEST", `\`${target}\` is neither a folder nor a commit of the repository here.`, {
      cause,
    });
  });
  const objects = openObjectReader(git, gitDir);
  try {
    const read = await createGitTrees(objects)(commit);
    return read.ok ? await loadTree(read.tree, commit) : read;
  } finally {
    await objects.close();
  }
}
