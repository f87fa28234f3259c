import { DIFFERENCE_FORMATS, type DifferenceFormat, formatDifference } from "../../semver/format-difference.ts";
import { formatProblems } from "../../versions/format-problems.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { compareTargets } from "./compare-targets.ts";
import { EXIT } from "../exit-codes.ts";

/** `cairn diff <a> [b]`: how two versions differ for those who use them, and which bump that needs. */
export const createDiffCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "diff", description: "Say how two versions differ, and which bump that needs" },
    args: {
      from: { type: "positional", required: true, valueHint: "ref|dir", description: "The older one" },
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
        description: "text or markdown for people, json for programs, github for annotations in GitHub Actions",
      },
      check: {
        type: "boolean",
        description: "End with 1 when the newer one would not be served, because its number says too little",
      },
    },
    async run({ args }) {
      const { out, err } = context;
      const format = args.format as DifferenceFormat;
      const compared = await compareTargets(context, args.from, args.to, { judges: args.check === true });
      const { difference, judged } = compared;
      // Where nothing is served that it could be measured against, what it is compared with has to do.
      if (judged === undefined || judged.bases.length === 0) {
        out(formatDifference(difference, format));
        for (const line of judged?.lines ?? []) err(line);
        return judged !== undefined && difference.isUnderClaimed ? EXIT.FAILED : EXIT.OK;
      }
      const isRefused = judged.problems.length > 0;
      const isOnlyBase = judged.bases.every((commit) => commit === difference.before.commit);
      const decided = { ...difference, claims: [], isUnderClaimed: isRefused };
      out(formatDifference(isOnlyBase || format === "json" ? difference : decided, format));
      if (isRefused && !isOnlyBase) {
        const print = format === "text" || format === "github" ? out : err;
        print(formatProblems(judged.problems, format === "github" ? format : "text").trimEnd());
      }
      for (const line of judged.lines) err(line);
      return isRefused ? EXIT.FAILED : EXIT.OK;
    },
  });
