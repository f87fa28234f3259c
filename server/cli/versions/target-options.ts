import type { ArgsDef } from "citty";
import { PROBLEM_FORMATS } from "../../versions/format-problems.ts";

/** Target of a command, as `openTarget` opens it. */
export const TARGET_OPTION = {
  target: {
    type: "positional",
    required: false,
    default: ".",
    valueHint: "ref|dir",
    description: "A folder as it is on disk, or a tag, branch or commit of the repository here",
  },
} satisfies ArgsDef;

/** Format of a command's report of problems. */
export const FORMAT_OPTION = {
  format: {
    type: "enum",
    options: [...PROBLEM_FORMATS],
    default: "text",
    description: "text for people, json for programs, github for annotations in GitHub Actions",
  },
} satisfies ArgsDef;
