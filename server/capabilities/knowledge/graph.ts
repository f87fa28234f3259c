/** Kinds of nodes in the graph of a manifest tree, which can depend on each other. */
export type NodeKind =
  | "agent"
  | "server"
  | "tool"
  /** Every tool at once, for code that makes the name of the tool it calls only when it runs. */
  | "any-tool"
  | "handler"
  | "module"
  | "host-api"
  | "experiment"
  | "parameter"
  /** Evidence of an experiment: it stands for the code that it was learnt with. */
  | "evidence"
  | "policy"
  | "upstream"
  | "workflow"
  | "role"
  | "capability"
  | "resource"
  | "prompt"
  | "example"
  | "schema"
  | "version"
  | "label"
  | "test"
  /** Markdown for people. */
  | "page";

export interface GraphNode {
  /** Readable, and the same in every graph of trees that have it: `tool:runner.chat`, `module:tools/_lib/units.ts`. */
  readonly id: string;
  readonly kind: NodeKind;
  /** The id without its kind; of what there is once, the kind. */
  readonly name: string;
  readonly file: string;
  /** 1-based. */
  readonly line: number;
}

/** Reason why one node depends on another: a verb, so that `from why to` is a sentence. */
export type Why =
  | "is handled by"
  | "imports"
  | "calls"
  | "may call"
  | "includes"
  | "reads"
  | "has"
  | "was learnt by"
  | "was learnt from"
  | "requires"
  | "is granted by"
  | "is limited by"
  | "reaches hosts allowed by"
  | "takes defaults from"
  | "is served by"
  | "is declared in"
  | "is an example of"
  | "points to"
  | "was made from"
  | "refers to"
  | "tests"
  | "describes"
  | Mention;

/** Reasons that leave behaviour alone: whoever reads or checks `from` has to look at it, and nothing behind it. */
export type Mention = "imports types of" | "has the form of" | "names";

const MENTIONS: ReadonlySet<Why> = new Set<Mention>(["imports types of", "has the form of", "names"]);

export function isMention({ why }: GraphEdge): boolean {
  return MENTIONS.has(why);
}

/** `from` depends on `to`, and the place that says so. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly why: Why;
  readonly file: string;
  readonly line: number;
}

/** Nodes and edges that one file adds to a graph. An edge may lead to a node that no file has. */
export interface Part {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Sentences: what could not be read. */
  readonly warnings: readonly string[];
}

/** Makes the id of a node. Nodes that exist once in a tree have no name: `agent`, `host-api`, `any-tool`. */
export function toId(kind: NodeKind, name = ""): string {
  return name === "" ? kind : `${kind}:${name}`;
}

/** Collects the part of one file. */
export function createPart(file: string) {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  const warnings: string[] = [];
  return {
    part: { nodes, edges, warnings } satisfies Part,
    node(kind: NodeKind, name = "", line = 1): string {
      const id = toId(kind, name);
      nodes.push({ id, kind, name: name || kind, file, line });
      return id;
    },
    edge(from: string, why: Why, to: string, line = 1): void {
      edges.push({ from, to, why, file, line });
    },
    warn(sentence: string): void {
      warnings.push(sentence);
    },
  };
}
