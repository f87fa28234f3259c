/** A version of the list, with the one it was made from. */
export interface Node {
  readonly commit: string;
  /** Absent: it begins a line, or its parent is not known yet. */
  readonly parent?: string;
}

/** The part of the graph beside one version. */
export interface GraphRow {
  /** Column of its dot. */
  readonly lane: number;
  /** Columns at the upper edge whose lines pass by to the lower edge, or end in the dot, or begin in it. */
  readonly lines: readonly { readonly from: number; readonly to: number; readonly part: "pass" | "in" | "out" }[];
  readonly width: number;
}

/** Lays out who was made from whom, in the order of the list: each line runs down to its parent, as far as the list has it. */
export function layOutGraph(nodes: readonly Node[]): readonly GraphRow[] {
  const places = new Map(nodes.map(({ commit }, index) => [commit, index]));
  // The commit that each column leads down to.
  let lanes: (string | undefined)[] = [];
  return nodes.map(({ commit, parent }, index) => {
    const before = lanes;
    const arriving = before.flatMap((wanted, lane) => (wanted === commit ? [lane] : []));
    const lane = arriving[0] ?? findFree(before);
    const after = before.map((wanted) => (wanted === commit ? undefined : wanted));
    while (after.length <= lane) after.push(undefined);
    const isBelow = parent !== undefined && (places.get(parent) ?? -1) > index;
    const joined = isBelow ? after.indexOf(parent) : -1;
    if (isBelow && joined < 0) after[lane] = parent;
    const passing = after.flatMap((wanted, at) =>
      wanted !== undefined && before[at] === wanted ? [{ from: at, to: at, part: "pass" } as const] : [],
    );
    const into = arriving.map((from) => ({ from, to: lane, part: "in" }) as const);
    const out = isBelow ? [{ from: lane, to: joined < 0 ? lane : joined, part: "out" } as const] : [];
    while (after.length > 0 && after.at(-1) === undefined) after.pop();
    lanes = after;
    return { lane, lines: [...passing, ...into, ...out], width: Math.max(before.length, after.length, lane + 1) };
  });
}

function findFree(lanes: readonly (string | undefined)[]): number {
  const free = lanes.indexOf(undefined);
  return free < 0 ? lanes.length : free;
}
