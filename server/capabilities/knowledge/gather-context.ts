import type { CodeGraph } from "./create-code-graph.ts";
import type { Chunk, Hit, TextIndex } from "./create-text-index.ts";
import { describeChain } from "./describe-impact.ts";
import { createMentionFinder } from "./find-mentions.ts";

export interface ContextRequest {
  /** Objective in plain words. */
  readonly objective: string;
  /** Files, folders or nodes that are to be changed, as far as that is known. */
  readonly files?: readonly string[];
  readonly graph: CodeGraph;
  readonly index: TextIndex;
  /** Passages that were found for the objective, best first. */
  readonly found: readonly Hit[];
  /** Largest number of pieces of text, from 1 to `MAX_HITS`. */
  readonly limit: number;
}

/** Context that a plan is made from. */
export interface PlanContext {
  /** Pieces of the named parts first, then those found by their words. */
  readonly referenced_context: readonly ContextPiece[];
  readonly impact: readonly ImpactOfPart[];
  /** Sentences. */
  readonly warnings: readonly string[];
  /** Paths of files that the change may have to touch, the most likely first. */
  readonly suggested_files: readonly string[];
}

export interface ContextPiece extends Chunk {
  /** For example "named: runner.chat" or "about: weather, unit". */
  readonly reason: string;
}

export interface ImpactOfPart {
  /** The id of a node or a path. */
  readonly of: string;
  readonly sentence: string;
  /** Number of affected nodes; `affected` has the nearest of them. */
  readonly total: number;
  readonly affected: readonly { id: string; file: string; line: number; reason: string }[];
}

/** Parts that are looked at one by one. */
const MAX_PARTS = 20;
/** Nodes told of each. */
const MAX_AFFECTED = 30;
/** Pieces of each part that is named. */
const MAX_PIECES = 2;
const MAX_WARNINGS = 20;
/** Files that are suggested for their words alone. */
const MAX_GUESSED = 4;

/** Brings together what is known of a task: the parts it names with what depends on them, and the text that fits it. */
export function gatherContext({ objective, files = [], graph, index, found, limit }: ContextRequest): PlanContext {
  const paths = new Set([...index.texts.keys(), ...index.skipped.map(({ path }) => path)]);
  const mentions = createMentionFinder(graph, paths);
  const [given, said] = [mentions.inList(files), mentions.inText(objective)];
  const all = [...new Set([...given.found, ...said.found])];
  const named = all.slice(0, MAX_PARTS);
  const impact = named.flatMap(toImpact);
  const pieces = [...named.flatMap(toPieces), ...found.map((hit) => toPiece(hit, toReason(hit)))];
  const context = withoutRepeats(pieces).slice(0, limit);
  const warnings = [
    ...given.warnings,
    ...said.warnings,
    ...(all.length > MAX_PARTS ? [`${all.length} parts are named; only the first ${MAX_PARTS} are looked at.`] : []),
    ...impact.filter(({ total }) => total > 0).map(({ sentence }) => sentence),
    ...index.skipped
      .filter(({ path }) => named.includes(path))
      .map(({ path, reason }) => `\`${path}\` ${reason}, so it is not searched.`),
    ...graph.warnings,
  ];
  return {
    referenced_context: context,
    impact,
    warnings: bound([...new Set(warnings)]),
    suggested_files: suggest().slice(0, limit),
  };

  /** Files of what is named, and modules of theirs that the words lead to; where nothing is named, the best that the words find. */
  function suggest(): readonly string[] {
    const own = new Set(named.flatMap(listFilesOf));
    const near = [...new Set(context.map(({ path }) => path))];
    if (own.size === 0) return near.slice(0, MAX_GUESSED);
    const imported = listImported(graph, own);
    return [...new Set([...own, ...near.filter((path) => imported.has(path))])];
  }

  function nodesOf(name: string) {
    const node = graph.nodes.get(name);
    return node === undefined ? [...graph.nodes.values()].filter(({ file }) => isIn(file, name)) : [node];
  }

  function toImpact(name: string): readonly ImpactOfPart[] {
    if (nodesOf(name).length === 0) return [];
    const { sentence, total, affected } = graph.impactOf([name], MAX_AFFECTED);
    const told = affected.map(({ node: { id, file, line }, chain }) => ({
      id,
      file,
      line,
      reason: describeChain(chain),
    }));
    return [{ of: name, sentence, total, affected: told }];
  }

  /** Of a node the text where it is declared; of a file or a folder what fits best in it. */
  function toPieces(name: string): readonly ContextPiece[] {
    const node = graph.nodes.get(name);
    const isSearched = node === undefined && [...index.texts.keys()].some((path) => isIn(path, name));
    const inFile = isSearched ? index.search(objective, { limit: MAX_PIECES, under: name }) : [];
    const first = index.chunkAt(node?.file ?? name, node?.line ?? 1);
    const chunks = inFile.length > 0 || first === undefined ? inFile : [first];
    return chunks.map((chunk) => toPiece(chunk, `named: ${node?.name ?? name}`));
  }

  /** Its own file, and of a tool also its handler; then the tests of both. */
  function listFilesOf(name: string): readonly string[] {
    const nodes = nodesOf(name);
    const ids = new Set(nodes.map(({ id }) => id));
    for (const { from, to, why } of graph.edges) if (why === "is handled by" && ids.has(from)) ids.add(to);
    const tests = graph.edges.flatMap(({ to, why, file }) => (why === "tests" && ids.has(to) ? [file] : []));
    const own = paths.has(name) ? [name] : [...ids].flatMap((id) => graph.nodes.get(id)?.file ?? []);
    return [...own, ...tests];
  }
}

/** Files, and all that they import. */
function listImported({ edges, nodes }: CodeGraph, by: ReadonlySet<string>): ReadonlySet<string> {
  const reached = new Set(by);
  for (const path of reached) {
    for (const { file, why, to } of edges) {
      const target = why === "imports" && file === path ? nodes.get(to) : undefined;
      if (target !== undefined) reached.add(target.file);
    }
  }
  return reached;
}

function isIn(path: string, fileOrFolder: string): boolean {
  return path === fileOrFolder || path.startsWith(`${fileOrFolder}/`);
}

function toReason({ terms }: Hit): string {
  return terms.length === 0 ? "near in meaning" : `about: ${terms.join(", ")}`;
}

function toPiece({ path, from_line, to_line, text }: Chunk, reason: string): ContextPiece {
  return { path, from_line, to_line, text, reason };
}

function withoutRepeats(pieces: readonly ContextPiece[]): readonly ContextPiece[] {
  const first = new Map<string, ContextPiece>();
  for (const piece of pieces) {
    const key = `${piece.path}:${piece.from_line}`;
    if (!first.has(key)) first.set(key, piece);
  }
  return [...first.values()];
}

function bound(sentences: readonly string[]): readonly string[] {
  if (sentences.length <= MAX_WARNINGS) return sentences;
  return [...sentences.slice(0, MAX_WARNINGS), `There are ${sentences.length - MAX_WARNINGS} more warnings.`];
}
