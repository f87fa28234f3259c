import type { Program } from "../../versions/version.ts";
import { describeImpact } from "./describe-impact.ts";
import { createFind } from "./find-nodes.ts";
import { type GraphEdge, type GraphNode, isMention, type Part } from "./graph.ts";
import { reach, type Reached, toChain } from "./reach.ts";
import { readParts } from "./read-parts.ts";

export interface CodeGraph {
  /** By id, sorted by it. */
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly edges: readonly GraphEdge[];
  /** Sentences: what could not be read, and what is named and not there. */
  readonly warnings: readonly string[];
  /**
   * Finds the nodes that `what` names: the id of a node, the name of a tool, a file with all its declarations, or a
   * folder with all its files. NOT_FOUND names the nearest.
   */
  find(what: string): readonly GraphNode[];
  /** Finds what depends on any of the named nodes, each as `find` takes it. At most `limit` of them have chains. */
  impactOf(what: readonly string[], limit?: number): Impact;
}

const LIMIT = 200;

/**
 * The code graph of a tree: `texts` by path, as far as they are known, and the program of the version that was made
 * from it, if there is one. Files that are no part of a version have no nodes, but for tests of its modules.
 */
export function createCodeGraph(texts: ReadonlyMap<string, string>, program?: Pick<Program, "modules">): CodeGraph {
  const { nodes, edges, warnings, declared } = assemble(readParts(texts, program?.modules ?? new Map()));
  const dependents = Map.groupBy(edges, ({ to }) => to);
  const dependentsOf = (id: string) => dependents.get(id) ?? [];
  const find = createFind(nodes, declared, texts);
  return { nodes, edges, warnings, find, impactOf };

  function impactOf(what: readonly string[], limit = LIMIT): Impact {
    const changed = [...new Set(what.flatMap(find))];
    const seeds = new Set(changed.map(({ id }) => id));
    const reached = reach(seeds, (id) => dependentsOf(id).filter((edge) => !isMention(edge)));
    const named = reach(seeds, (id) => (seeds.has(id) ? dependentsOf(id).filter(isMention) : []));
    const all = [...reached.values()].flatMap((one) => toAffected(one, reached));
    const mentioned = [...named.values()].flatMap((one) => toAffected(one, named));
    return {
      changed,
      affected: all.slice(0, limit),
      total: all.length,
      mentioned: mentioned.slice(0, limit),
      sentence: describeImpact(
        what.map((name) => name.replace(/^tool:/, "")),
        all,
        mentioned.length,
      ),
    };
  }

  function toAffected({ id, distance }: Reached, reached: ReadonlyMap<string, Reached>): readonly Affected[] {
    const node = nodes.get(id);
    return node === undefined ? [] : [{ node, distance, chain: toChain(reached, id) }];
  }
}

interface Assembled {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly edges: readonly GraphEdge[];
  readonly warnings: readonly string[];
  /** Declarations of each file. */
  readonly declared: ReadonlyMap<string, readonly GraphNode[]>;
}

/** One graph of all parts. Where several files declare the same, it stands where the first does. */
function assemble(parts: readonly Part[]): Assembled {
  const found = new Map<string, GraphNode>();
  for (const node of parts.flatMap((part) => part.nodes)) if (!found.has(node.id)) found.set(node.id, node);
  const declared = Map.groupBy(found.values(), ({ file }) => file);
  const warnings = parts.flatMap((part) => part.warnings);
  const hasPolicies = found.values().some(({ kind }) => kind === "policy");
  const edges: GraphEdge[] = [];
  for (const edge of parts.flatMap((part) => part.edges)) {
    if (edge.to === ANY_TOOL && !found.has(ANY_TOOL)) edges.push(...addAnyTool(found, edge));
    if (found.has(edge.from) && found.has(edge.to)) edges.push(edge);
    else if (isWorthTelling(edge, hasPolicies)) {
      const { from, why, to, file, line } = edge;
      warnings.push(`\`${from}\` ${why} \`${to}\` (${file}:${line}), which is not there.`);
    }
  }
  const nodes = new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { nodes, edges, warnings, declared };
}

const ANY_TOOL = "any-tool";

/** All tools as one, at the first place that may call any of them. */
function addAnyTool(nodes: Map<string, GraphNode>, { file, line }: GraphEdge): readonly GraphEdge[] {
  const tools = [...nodes.values()].filter(({ kind }) => kind === "tool");
  nodes.set(ANY_TOOL, { id: ANY_TOOL, kind: "any-tool", name: ANY_TOOL, file, line });
  return tools.map((tool) => ({ from: ANY_TOOL, to: tool.id, why: "includes", file: tool.file, line: tool.line }));
}

/** Without policies nobody needs a capability; schemas and the host API may well be elsewhere. */
function isWorthTelling(edge: GraphEdge, hasPolicies: boolean): boolean {
  if (edge.why === "requires") return hasPolicies;
  return edge.why !== "refers to" && !isMention(edge);
}

/** Reach of a change. */
export interface Impact {
  /** Changed nodes, as asked; files without declarations have none. */
  readonly changed: readonly GraphNode[];
  /** Everything that depends on it, nearest first and then by id, up to the limit. */
  readonly affected: readonly Affected[];
  /** Number without the limit. */
  readonly total: number;
  /** Nodes that name it, or use its types or its form, without depending on its behaviour. */
  readonly mentioned: readonly Affected[];
  /** All of it in one sentence, with everything counted, also beyond the limit. */
  readonly sentence: string;
}

export interface Affected {
  readonly node: GraphNode;
  /** Edges between it and the change: 1 is direct. */
  readonly distance: number;
  /** Edges from this node to the change. */
  readonly chain: readonly GraphEdge[];
}
