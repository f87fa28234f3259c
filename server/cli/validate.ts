import type { ReadText } from "../contracts/locate-examples.ts";
import { loadRecording } from "../contracts/recording.ts";
import { formatProblems, type ProblemFormat } from "../versions/format-problems.ts";
import type { Problem } from "../versions/problem.ts";
import type { Version } from "../versions/version.ts";
import { createCommand, type CreateCommand } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { openTarget } from "./open-target.ts";
import { FORMAT_OPTION, TARGET_OPTION } from "./target-options.ts";

/** `cairn validate [ref|dir]`: by the very rules that the server serves by, and recordings by those of tests. */
export const createValidateCommand: CreateCommand = (surroundings) =>
  createCommand({
    meta: { name: "validate", description: "Check a folder or a commit, and say everything that is wrong with it" },
    args: {
      ...TARGET_OPTION,
      ...FORMAT_OPTION,
    },
    async run({ args }) {
      const { out, err } = surroundings;
      const { loaded, readText, close } = await openTarget(surroundings, args.target);
      const problems = loaded.ok
        ? [...(loaded.notices ?? []), ...(await checkRecordings(loaded.version, readText))]
        : loaded.problems;
      close();
      if (!loaded.ok || problems.length > 0) {
        out(formatProblems(problems, args.format as ProblemFormat).trimEnd());
        const where = args.target === "." ? "this folder" : `\`${args.target}\``;
        if (args.format === "text") err(`\n${count(problems.length, "problem")} in ${where}.`);
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

/** What is wrong with recordings, which keeps a tool from being tested and not from being served. */
async function checkRecordings({ tools }: Version, readText: ReadText): Promise<readonly Problem[]> {
  const loaded = await Promise.all([...tools.values()].map((tool) => loadRecording(readText, tool)));
  return loaded.flatMap((one) => (one.ok ? [] : one.problems));
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
