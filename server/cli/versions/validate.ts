import { findSecrets } from "../../architect/pipeline/verify/find-secrets.ts";
import type { ReadText } from "../../examples/locate-examples.ts";
import { loadRecording } from "../../examples/recording.ts";
import { formatProblems, type ProblemFormat } from "../../versions/format-problems.ts";
import { createLoader } from "../../versions/load-version.ts";
import type { Problem } from "../../versions/problem.ts";
import type { Version } from "../../versions/version.ts";
import { count } from "../../text/count.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { judgeTarget } from "./judge-target.ts";
import { openTarget, type Target } from "./open-target.ts";
import { FORMAT_OPTION, TARGET_OPTION } from "./target-options.ts";

/** `cairn validate [ref|dir]`: by the very rules that the server serves by, its number included, recordings by those of tests; and no file has a credential. */
export const createValidateCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "validate", description: "Check a folder or a commit, and say everything that is wrong with it" },
    args: {
      ...TARGET_OPTION,
      ...FORMAT_OPTION,
      number: {
        type: "boolean",
        default: true,
        description: "Measure its number against the versions that the tags here say are served",
        negativeDescription: "Check the files alone, and not whether the number says as much as they change",
      },
    },
    async run({ args }) {
      const { out, err } = context;
      const loader = createLoader();
      const { loaded, files, fragments, readText, close } = await openTarget(context, args.target, loader);
      try {
        const ofVersion = loaded.ok
          ? [...(loaded.notices ?? []), ...(await checkRecordings(loaded.version, readText))]
          : loaded.problems;
        const ofFiles = [...ofVersion, ...(await findCredentials({ files, readText }))];
        const isMeasured = loaded.ok && args.number && ofFiles.length === 0;
        const judged = isMeasured
          ? await judgeTarget(context, args.target, { version: loaded.version, readText, fragments }, loader)
          : undefined;
        const problems = [...ofFiles, ...(judged?.problems ?? [])];
        const isText = args.format === "text";
        if (problems.length > 0) out(formatProblems(problems, args.format as ProblemFormat).trimEnd());
        else if (args.format === "json") out("[]");
        else if (loaded.ok) {
          const { agent, semver, servers, tools } = loaded.version;
          out(`${agent.name} ${semver} is valid: ${count(servers.size, "server")}, ${count(tools.size, "tool")}.`);
        }
        const where = args.target === "." ? "this folder" : `\`${args.target}\``;
        if (problems.length > 0 && isText) err(`\n${count(problems.length, "problem")} in ${where}.`);
        for (const line of judged?.lines ?? []) err(line);
        if (loaded.ok && problems.length === 0 && isText) for (const line of explainUntuned(loaded.version)) err(line);
        return problems.length > 0 ? EXIT.FAILED : EXIT.OK;
      } finally {
        close();
      }
    },
  });

/** Says which experiments no tool of the version moves: they run with their defaults for ever. */
function explainUntuned({ parameters, tools }: Version): readonly string[] {
  if ([...tools.values()].some(({ uses }) => uses.has("tuner.write"))) return [];
  const names = [...parameters.values()].flatMap(({ name, experiment }) => (experiment ? [`\`${name}\``] : []));
  if (names.length === 0) return [];
  return [`No tool here moves ${names.join(", ")}, so calls keep the defaults: \`cairn add tuner\` adds such tools.`];
}

/** Lists faults of recordings, which prevent a tool's tests, but not its service. */
async function checkRecordings({ tools }: Version, readText: ReadText): Promise<readonly Problem[]> {
  const loaded = await Promise.all([...tools.values()].map((tool) => loadRecording(readText, tool)));
  return loaded.flatMap((one) => (one.ok ? [] : one.problems));
}

/** Mark of a text that only looks like a credential, in a comment on its line or on the line before. */
const MARK = /\bnot-a-secret\b/;

const FIX =
  "Take it out and revoke it, because the history keeps it; a tool gets it by `secrets` in its manifest. " +
  "If it is none, say `not-a-secret` and why in a comment on this line or the one before.";

/** Finds texts that look like credentials in the files of a version; problems name their places and never show them. */
async function findCredentials({ files, readText }: Pick<Target, "files" | "readText">): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const file of files) {
    const text = await readText(file);
    if (text === undefined) continue;
    const lines = text.split("\n");
    for (const { line, column, kind } of await findSecrets(file, text)) {
      if (lines.slice(Math.max(0, line - 2), line).some((one) => MARK.test(one))) continue;
      const message = `This looks like a credential (${kind}).`;
      problems.push({ file, line, column, rule: "credential", message, fix: FIX });
    }
  }
  return problems;
}
