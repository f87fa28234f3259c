import type { Problem } from "../problem.ts";
import { createProblem } from "./create-problem.ts";
import { deepFreeze } from "./deep-freeze.ts";
import type { Rule } from "./rules.ts";
import type { Locate, Part, Path } from "./yaml/locate.ts";

/** A file under `manifests/`, or `versions.yaml`, that has the form its schema asks for. */
export interface Manifest<Content> {
  readonly file: string;
  readonly content: Content;
  /** A problem at a place in the file. */
  readonly problem: (rule: Rule, path: Path, message: string, fix: string, part?: Part) => Problem;
}

export function createManifest<Content>(file: string, content: Content, position: Locate): Manifest<Content> {
  return Object.freeze({
    file,
    content: deepFreeze(content),
    problem: (rule: Rule, path: Path, message: string, fix: string, part?: Part) =>
      createProblem(file, position(path, part), rule, message, fix),
  });
}
