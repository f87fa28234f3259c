import type { Context, State } from "../../../server/host-api.ts";
import { DRIFT_EPSILON, type EthicalVector, toDeviation, toNodeDrift } from "./ethical-vector.ts";
import {
  type EdgeRow,
  type Head,
  loadHead,
  loadPage,
  loadSegment,
  type NodeRow,
  type Page,
  PAGE_SIZE,
  saveHead,
  savePage,
  saveSegment,
  SEGMENT_SIZE,
  toPage,
  toRow,
} from "./graph-state.ts";
import { isConserved, judge } from "./judge.ts";

/** Parts of `ctx` that the graph needs. */
export type Ground = Pick<Context, "fail" | "lineage"> & { readonly state: State };

export interface Node {
  readonly belief: number;
  /** In millionths. */
  readonly energy: bigint;
  readonly level: number;
  readonly anchor?: EthicalVector | undefined;
}

/** The graph during one call: pages are read once, and what changed is written when it is closed. */
export interface Graph {
  head(): Head;
  find(node: number): Promise<Node | undefined>;
  /** Adds a node whose energy comes from the reservoir, or gives the present one this state; INVARIANT_VIOLATION if that is off its anchor. */
  put(node: number, state: Node): Promise<void>;
  /** The edges that began at a node before this call. */
  edgesOf(node: number): Promise<readonly EdgeRow[]>;
  addEdge(edge: EdgeRow): Promise<void>;
  /** Writes what changed, and to the lineage that it did; INVARIANT_VIOLATION if energy were made or lost. */
  close(entry: object): Promise<void>;
}

/** `nodes` are those that will be looked at: their pages come together with the head. */
export async function openGraph({ state, lineage, fail }: Ground, nodes: readonly bigint[] = []): Promise<Graph> {
  const pages = new Map<number, Promise<Page>>();
  const writes: Promise<void>[] = [];
  const changed = new Set<number>();
  const edgesOfPages = new Map<number, Promise<ReadonlyMap<number, readonly EdgeRow[]>>>();

  const load = (page: number): Promise<Page> => {
    const known = pages.get(page) ?? loadPage(state, page);
    pages.set(page, known);
    return known;
  };
  const reading = nodes.filter((node) => node <= Number.MAX_SAFE_INTEGER).map((node) => load(toPage(Number(node))));
  let [head] = await Promise.all([loadHead(state), ...reading]);
  const change = (page: number, value: Page): void => {
    pages.set(page, Promise.resolve(value));
    changed.add(page);
  };

  /** By their sources. */
  const loadEdges = async (page: number) => {
    const count = Math.ceil((await load(page)).edges / SEGMENT_SIZE);
    const segments = Array.from({ length: count }, (_, segment) => loadSegment(state, page, segment));
    return Map.groupBy((await Promise.all(segments)).flat(), ([source]) => source);
  };

  const graph: Graph = {
    head: () => head,
    async find(node) {
      const row = (await load(toPage(node))).rows[node % PAGE_SIZE];
      return row === undefined ? undefined : toNode(row);
    },
    async put(node, next) {
      const page = await load(toPage(node));
      const before = page.rows[node % PAGE_SIZE];
      const old = before === undefined ? undefined : toNode(before);
      if (old !== undefined) assertAnchored(old, fail);
      const rows = page.rows.slice();
      rows[node % PAGE_SIZE] = toRow(next.belief, next.energy, next.level);
      change(toPage(node), { ...page, rows });
      const gained = next.energy - (old?.energy ?? 0n);
      head = {
        ...head,
        nodes: head.nodes + (old === undefined ? 1 : 0),
        reservoir: String(BigInt(head.reservoir) - gained),
        allocated: String(BigInt(head.allocated) + gained),
        deviation: head.deviation + deviationOf(next) - deviationOf(old),
      };
    },
    async edgesOf(node) {
      const page = toPage(node);
      const known = edgesOfPages.get(page) ?? loadEdges(page);
      edgesOfPages.set(page, known);
      return (await known).get(node) ?? [];
    },
    async addEdge(edge) {
      const number = toPage(edge[0]);
      const page = await load(number);
      const segment = Math.floor(page.edges / SEGMENT_SIZE);
      const before = await loadSegment(state, number, segment);
      writes.push(saveSegment(state, number, segment, [...before, edge]));
      change(number, { ...page, edges: page.edges + 1 });
      head = { ...head, edges: head.edges + 1 };
    },
    async close(entry) {
      head = { ...head, mutations: head.mutations + 1 };
      if (!isConserved(head)) {
        throw fail("INVARIANT_VIOLATION", "This would make or lose energy, or take more than the reservoir holds.");
      }
      for (const page of changed) writes.push(savePage(state, page, await load(page)));
      await Promise.all([...writes, saveHead(state, head), lineage.append({ ...entry, ...judge(head) })]);
    },
  };
  return graph;
}

/** A change of what something else than a mutation has written would make it look like one. */
export function assertAnchored(node: Node, fail: Ground["fail"]): void {
  if (toNodeDrift(node) <= DRIFT_EPSILON) return;
  throw fail("INVARIANT_VIOLATION", "A node is not as its last mutation left it; nothing was changed.");
}

export function toNode([belief, energy, level, anchor]: NodeRow): Node {
  return { belief, energy: BigInt(energy), level, anchor };
}

function deviationOf(node: Node | undefined): number {
  return node === undefined ? 0 : toDeviation(node.belief, node.energy);
}
