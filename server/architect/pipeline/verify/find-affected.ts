import { createReach } from "../../../semver/declared/handler-reach.ts";
import type { Difference } from "../../../semver/compare-versions.ts";
import { toRecordingPath } from "../../../examples/recording.ts";
import { isPartOfVersion } from "../../../versions/tree.ts";
import type { Tool, Version } from "../../../versions/version.ts";

/** Pattern of a handler that reads the number or the commit of its version. */
const SEES_ITSELF = /\.\s*call\b(?!\s*\()|\[\s*["'`]call["'`]\s*\]|[{,]\s*call\s*[,:}=]/;

/**
 * The tools of `after` that may answer otherwise than in `before`, going by the paths that changed: those whose manifest,
 * recording, parameters or code, own or imported, are others, and those whose syscalls show them what is: other tools,
 * where any of them is touched, experiments, or the repository. All of them when something
 * changed that this cannot tell of: workflows, policies, servers, the agent.
 */
export function findAffected(options: {
  readonly before: Version;
  readonly after: Version;
  readonly difference: Pick<Difference, "findings">;
  readonly changed: readonly string[];
}): readonly Tool[] {
  const { before, after, difference, changed } = options;
  const parts = changed.filter((path) => isPartOfVersion(path) && !path.startsWith("schemas/"));
  const all = [...after.tools.values()];
  if (parts.length === 0) return [];
  const files = new Set(parts);
  const own = new Set([...before.tools.values(), ...all].map(({ file }) => file));
  const sets = [...before.parameters.values(), ...after.parameters.values()];
  const isTold = (path: string) =>
    path === "versions.yaml" || path.startsWith("tools/") || own.has(path) || sets.some(({ file }) => file === path);
  if (!parts.every(isTold)) return all;
  const tuned = new Set(sets.filter(({ file }) => files.has(file)).map(({ name }) => name));
  const recoded = new Set(difference.findings.filter(({ rule }) => rule === "handler-changed").map(({ tool }) => tool));
  const sees: Readonly<Record<string, boolean>> = {
    // What is not tuned is nothing to them.
    tuner: sets.some(({ file, experiment }) => files.has(file) && experiment !== undefined),
    repository: parts.some((path) => path.startsWith("tools/")),
  };
  const uses = (tool: Tool, family: string) => [...tool.uses].some((use) => use.replace(/\..*/, "") === family);
  const isTouched = (tool: Tool) =>
    files.has(tool.file) ||
    files.has(toRecordingPath(tool)) ||
    !before.tools.has(tool.name) ||
    recoded.has(tool.name) ||
    tool.parameters.some((name) => tuned.has(name)) ||
    Object.entries(sees).some(([family, isOther]) => isOther && uses(tool, family));
  const touched = new Set(all.filter(isTouched));
  const isListOther = touched.size > 0 || [...before.tools.keys()].some((name) => !after.tools.has(name));
  const reach = createReach(after.program);
  return all.filter(
    (tool) =>
      touched.has(tool) ||
      (isListOther && uses(tool, "tools")) ||
      [...reach(tool.handler)].some((path) => SEES_ITSELF.test(after.program.modules.get(path) ?? "")),
  );
}
