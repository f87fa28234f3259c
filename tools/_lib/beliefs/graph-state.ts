import type { State } from "../../../server/host-api.ts";
import { TOTAL_ENERGY } from "./energy.ts";
import { type EthicalVector, toEthicalVector } from "./ethical-vector.ts";

/**
 * Layout of the graph in `ctx.state`: one head; nodes by number, `PAGE_SIZE` to a key; edges with the page of their
 * source, `SEGMENT_SIZE` to a key. So no operation reads or writes more than the pages it touches, and a step over
 * everything stays within the limits of one transaction up to some 400,000 nodes.
 */
export const PAGE_SIZE = 128;
export const SEGMENT_SIZE = 512;

export interface Head {
  readonly nodes: number;
  readonly edges: number;
  /** Mutations so far, each of which is an entry of the lineage. */
  readonly mutations: number;
  /** In millionths, as decimal digits: what no node holds, and what all nodes hold. */
  readonly reservoir: string;
  readonly allocated: string;
  /** The deviations of all nodes' ethical vectors, added up. */
  readonly deviation: number;
}

/**
 * `energy` in millionths, as decimal digits. An edge leads to a node of a higher level than where it comes from. `anchor` is the
 * ethical vector that the node's last mutation left it with; absent from nodes that none has changed since anchors are kept.
 */
export type NodeRow = readonly [belief: number, energy: string, level: number, anchor?: EthicalVector | undefined];

export interface Page {
  readonly rows: readonly NodeRow[];
  /** Number of edges that begin in this page. */
  readonly edges: number;
}

export type EdgeRow = readonly [source: number, target: number, weight: number];

const EMPTY_HEAD: Head = {
  nodes: 0,
  edges: 0,
  mutations: 0,
  reservoir: String(TOTAL_ENERGY),
  allocated: "0",
  deviation: 0,
};
const EMPTY_PAGE: Page = { rows: [], edges: 0 };

const HEAD = ["head"];

export async function loadHead(state: State): Promise<Head> {
  return (await state.get<Head>(HEAD)) ?? EMPTY_HEAD;
}

export function saveHead(state: State, head: Head): Promise<void> {
  return state.set(HEAD, head);
}

export const NODES = "nodes";
export const EDGES = "edges";

export async function loadPage(state: State, page: number): Promise<Page> {
  return (await state.get<Page>([NODES, page])) ?? EMPTY_PAGE;
}

export function savePage(state: State, page: number, value: Page): Promise<void> {
  return state.set([NODES, page], value);
}

export async function loadSegment(state: State, page: number, segment: number): Promise<readonly EdgeRow[]> {
  return (await state.get<readonly EdgeRow[]>([EDGES, page, segment])) ?? [];
}

export function saveSegment(state: State, page: number, segment: number, edges: readonly EdgeRow[]): Promise<void> {
  return state.set([EDGES, page, segment], edges);
}

/** A node's row as a mutation leaves it. */
export function toRow(belief: number, energy: bigint, level: number): NodeRow {
  return [belief, String(energy), level, toEthicalVector(belief, energy)];
}

export function toPage(node: number): number {
  return Math.floor(node / PAGE_SIZE);
}
