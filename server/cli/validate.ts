import { formatProblems, PROBLEM_FORMATS, type ProblemFormat } from "../versions/format-problems.ts";
import { createCommand, type CreateCommand } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { openTarget } from "./open-target.ts";

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
      const { loaded, close } = await openTarget(surroundings, args.target);
      close();
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
