import { DIFFERENCE_FORMATS, type DifferenceFormat, formatDifference } from "../compat/format-difference.ts";
import { createCommand, type CreateCommand } from "./command.ts";
import { compareTargets } from "./compare-targets.ts";
import { EXIT } from "./exit-codes.ts";

/** `cairn diff <a> [b]`: how two versions differ for those who use them, and which bump that needs. */
export const createDiffCommand: CreateCommand = (surroundings) =>
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
      check: { type: "boolean", description: "End with 1 when a version number says less than the change needs" },
    },
    async run({ args }) {
      const { difference } = await compareTargets(surroundings, args.from, args.to);
      surroundings.out(formatDifference(difference, args.format as DifferenceFormat));
      return args.check === true && difference.isUnderClaimed ? EXIT.FAILED : EXIT.OK;
    },
  });
