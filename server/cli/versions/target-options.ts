import type { ArgsDef } from "citty";
import { PROBLEM_FORMATS } from "../../versions/format-problems.ts";

/** What a command looks at, as `openTarget` opens it. */
export const TARGET_OPTION = {
  target: {
    type: "positional",
    required: false,
    default: ".",
    valueHint: "ref|dir",
    description: "A folder as it is on disk, or a tag, branch or commit of the repository here",
  },
} satisfies ArgsDef;

/** How a command tells what is wrong. */
export const FORMAT_OPTION = {
  format: {
    type: "enum",
    options: [...PROBLEM_FORMATS],
    default: "text",
    description: "text for people, json for programs, github for annotations in GitHub Actions",
  },
} satisfies ArgsDef;
