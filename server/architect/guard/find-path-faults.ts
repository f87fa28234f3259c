import { findPathFault, quote } from "../../capabilities/workspace/check-path.ts";
import { foldName } from "../../text/fold-name.ts";
import type { Overreach } from "./overreach.ts";

/** Where a plan may write, and what kinds of files stand there. */
const PLACES = [
  /^versions\.yaml$/,
  /^manifests\/.+\.yaml$/,
  /^tools\/.+\.(?:ts|md)$/,
  /^schemas\/.+\.(?:json|md)$/,
  /^test\/.+\.(?:ts|json|yaml|md|txt)$/,
  /^docs\/.+\.md$/,
];

/** Names that programs or other agents take for settings or instructions, wherever they stand. */
const SETTINGS =
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-(?:lock|workspace)\.yaml|[jt]sconfig(?:\..*)?\.json|vitest\..*|vite\..*|jest\..*|.*\.config\.[cm]?[jt]s|node_modules|bower_components|(?:agents|claude|gemini|copilot-instructions|skill)\.md|codeowners|makefile|dockerfile|renovate\.json|deno\.jsonc?|bunfig\.toml)$/;

/** Where the spec of each change stands: with somebody else's, a plan could pass for what another feedback has brought. */
const SPECS = "docs/specs/";

export interface CommitPaths {
  /** All files of the commit. */
  readonly files: readonly string[];
  /** Whether the file of the commit is text that can be read: no symbolic link, no submodule, nothing binary. */
  isText(path: string): boolean;
}

/** Paths that a plan must not touch, or that could mean another place than they say. */
export function findPathFaults(paths: Iterable<string>, commit: CommitPaths): readonly Overreach[] {
  const known = new Set(commit.files);
  const folded = new Map(commit.files.flatMap((file) => prefixesOf(file).map((part) => [foldName(part), part])));
  const seen = new Map<string, string>();
  const findings: Overreach[] = [];
  for (const path of paths) {
    const fault = findFault(path) ?? findClash(path);
    for (const part of prefixesOf(path)) seen.set(foldName(part), part);
    if (fault !== undefined) {
      const message = `The path ${quote(path)} is refused: ${fault}.`;
      findings.push({ rule: "path", path: quote(path).slice(1, -1), message });
    }
  }
  return findings;

  function findFault(path: string): string | undefined {
    const fault = findPathFault(path);
    if (fault !== undefined) return fault;
    if (!/^[\w./@+-]+$/.test(path)) return "it has something else than ASCII letters, digits and `_ . - + @`";
    const names = path.split("/");
    if (names.some((name) => name.startsWith("."))) return "it has a name that begins with a dot";
    const setting = names.find((name) => SETTINGS.test(name.toLowerCase()));
    if (setting !== undefined) return `\`${setting}\` holds settings or instructions of other programs`;
    if (path.startsWith(SPECS)) return `\`${SPECS}\` says what changes were asked for, and is written by the service`;
    if (!PLACES.some((place) => place.test(path))) {
      return "plans write YAML in `manifests/`, TypeScript in `tools/`, JSON in `schemas/`, tests in `test/`, Markdown in `docs/`, and labels in `versions.yaml`";
    }
    const above = prefixesOf(path).slice(0, -1);
    const file = above.find((folder) => known.has(folder));
    if (file !== undefined) return `\`${file}\` is a file or a link, and no folder`;
    return known.has(path) && !commit.isText(path) ? "it is a link, or something else than text" : undefined;
  }

  /** File systems that fold case would take two such names for one. */
  function findClash(path: string): string | undefined {
    for (const part of prefixesOf(path)) {
      const other = folded.get(foldName(part)) ?? seen.get(foldName(part));
      if (other !== undefined && other !== part) return `some file systems take \`${part}\` for \`${other}\``;
    }
    return undefined;
  }
}

/** `a`, `a/b` and `a/b/c` of `a/b/c`. */
function prefixesOf(path: string): readonly string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
