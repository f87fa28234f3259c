import { DIFFERENCE_FORMATS, type DifferenceFormat, formatDifference } from "../../semver/report/format-difference.ts";
import { explainPending } from "../../semver/pending/judge-pending.ts";
import { formatProblems } from "../../versions/format-problems.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { compareTargets } from "./compare-targets.ts";
import { diffSurfaces, refuseWithoutServer, SURFACE_OPTIONS } from "./diff-surfaces.ts";
import { EXIT } from "../exit-codes.ts";
import { CairnError } from "../../errors.ts";

/** Creates `cairn diff <a> [b]`, and `cairn diff --mcp`: how two versions or servers differ, and which bump that needs. */
export const createDiffCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "diff", description: "Say how two versions differ, and which bump that needs" },
    args: {
      from: { type: "positional", required: false, valueHint: "ref|dir", description: "The older one" },
      to: {
        type: "positional",
        required: false,
        default: ".",
        valueHint: "ref|dir",
        description: "The newer one: a tag, branch, commit or folder",
      },
      format: {
        type: "enum",
        options: [...DIFFERENCE_FORMATS],
        default: "text",
        description:
          "text or markdown for people, json for programs, github for annotations, sarif for code scanning in GitHub",
      },
      check: {
        type: "boolean",
        description: "End with 1 when the newer one's number says too little, so that it would not be served",
      },
      ...SURFACE_OPTIONS,
    },
    async run({ args, rawArgs }) {
      const { out, err } = context;
      const format = args.format as DifferenceFormat;
      if (args.mcp !== undefined) {
        if (args.from !== undefined) {
          throw new CairnError("BAD_REQUEST", "`--mcp` compares servers: name the older one with `--against`.");
        }
        return diffSurfaces(context, { ...args, mcp: args.mcp, format, check: args.check === true }, rawArgs);
      }
      refuseWithoutServer(rawArgs);
      if (args.from === undefined) {
        throw new CairnError(
          "BAD_REQUEST",
          "`cairn diff` compares with a tag, branch, commit or folder: name one, or `--mcp`.",
        );
      }
      const compared = await compareTargets(context, args.from, args.to, { judges: args.check === true });
      const { difference, judged, fragments } = compared;
      const verdict = fragments && [explainPending(difference.before.version, difference.required, fragments)];
      // Where nothing is served that it could be measured against, what it is compared with has to do.
      if (judged === undefined || (judged.bases.length === 0 && judged.problems.length === 0)) {
        out(formatDifference(difference, format, verdict));
        for (const line of judged?.lines ?? []) err(line);
        return judged !== undefined && difference.isUnderClaimed ? EXIT.FAILED : EXIT.OK;
      }
      const isRefused = judged.problems.length > 0;
      const isOnlyBase = judged.bases.every((commit) => commit === difference.before.commit);
      const decided = { ...difference, claims: [], isUnderClaimed: isRefused };
      const shown = isOnlyBase || format === "json" ? difference : decided;
      if (!isRefused || (isOnlyBase && fragments === undefined))
        out(formatDifference(shown, format, isOnlyBase ? verdict : undefined));
      else {
        const problems = formatProblems(judged.problems, format === "github" ? format : "text").trimEnd();
        // In annotations and comments, the first lines are those that are read.
        if (format === "github") out(problems);
        const messages = judged.problems.map(({ message }) => message);
        out(formatDifference(shown, format, format === "markdown" || format === "sarif" ? messages : []));
        if (format !== "github") (format === "text" ? out : err)(problems);
      }
      for (const line of judged.lines) err(line);
      return isRefused ? EXIT.FAILED : EXIT.OK;
    },
  });
