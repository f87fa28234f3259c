import { posix } from "node:path";
import type { CodeGraph } from "./create-code-graph.ts";
import { findNearest } from "./find-nodes.ts";

/** Certain mentions in a text. */
export interface Mentions {
  /** Ids of nodes and paths of files and folders, each once, in the order they are named. */
  readonly found: readonly string[];
  /** Sentences about names of what is not there. */
  readonly warnings: readonly string[];
}

export interface MentionFinder {
  /**
   * Finds the parts that a text in plain words names: exact names of tools and nodes, paths, names of files that only one
   * file has, and, after a word such as "experiment" or in quotes, also names that are ordinary words.
   */
  inText(text: string): Mentions;
  /** Finds the parts that a list names, in which everything is a name. */
  inList(names: readonly string[]): Mentions;
}

/** Names that are looked up at once. */
const MAX_NAMES = 100;
const KINDS = ["tool", "experiment", "server", "policy", "role", "label", "capability", "parameter", "prompt"];
const KIND_AND_NAME = new RegExp(
  `(?<!\\w)(?:(${KINDS.join("|")})\\s+)?(\`[^\`\\n]{1,200}\`|"[^"\\n]{1,200}"|[\\w@$./:#-]+)`,
  "gi",
);

interface Name {
  readonly name: string;
  /** The kinds that a bare name may be of. */
  readonly kinds: readonly string[];
}

/** `paths` are all files, also such as are no part of the graph. */
export function createMentionFinder(graph: CodeGraph, paths: Iterable<string>): MentionFinder {
  const known = new Set(paths);
  const folders = new Set([...known].flatMap(listFolders));
  const byName = Map.groupBy(known, (path) => posix.basename(path));
  return {
    inText: (text) => find(listNames(text), looksLikeName),
    inList: (names) =>
      find(
        names.slice(0, MAX_NAMES).map((name) => ({ name, kinds: KINDS })),
        () => true,
      ),
  };

  function find(names: readonly Name[], isMeant: (name: string) => boolean): Mentions {
    const found = new Set<string>();
    const warnings = new Set<string>();
    for (const one of names) {
      const meant = lookUp(one);
      if (meant !== undefined) found.add(meant);
      else if (isMeant(one.name)) warnings.add(toWarning(one.name));
    }
    return { found: [...found], warnings: [...warnings] };
  }

  function lookUp({ name, kinds }: Name): string | undefined {
    const path = posix.normalize(name).replace(/\/$/, "");
    if (known.has(path) || (name.includes("/") && folders.has(path))) return path;
    if (name.includes(":") && graph.nodes.has(name)) return name;
    const id = ["tool", ...kinds].map((kind) => `${kind}:${name}`).find((one) => graph.nodes.has(one));
    if (id !== undefined) return id;
    const [only, ...others] = name.includes(".") ? (byName.get(name) ?? []) : [];
    return others.length === 0 ? only : undefined;
  }

  /** A file in the folders of a version, or a tool of a server that there is. */
  function looksLikeName(name: string): boolean {
    if (/^(?:\.\/)?(?:manifests|tools|schemas)\/.*\.\w+$/.test(name)) return true;
    const [, server] = /^([\w-]+)\.\w+$/.exec(name) ?? [];
    return server !== undefined && graph.nodes.has(`server:${server}`) && !byName.has(name);
  }

  function toWarning(name: string): string {
    const nearest = findNearest(name, [...graph.nodes.keys(), ...known]);
    const help = nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`;
    return `\`${name.slice(0, 200)}\` is not there: it would be new.${help}`;
  }
}

function listNames(text: string): readonly Name[] {
  const names: Name[] = [];
  for (const { 1: kind, 2: said = "" } of text.matchAll(KIND_AND_NAME)) {
    const isQuoted = /^[`"]/.test(said);
    const name = isQuoted ? said.slice(1, -1).trim() : said.replace(/[.:/#-]+$/, "");
    const isPlainWord = !isQuoted && kind === undefined && !/[./:_]/.test(name);
    if (name === "" || isPlainWord) continue;
    names.push({ name, kinds: kind !== undefined ? [kind.toLowerCase()] : isQuoted ? KINDS : [] });
    if (names.length === MAX_NAMES) break;
  }
  return names;
}

function listFolders(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
