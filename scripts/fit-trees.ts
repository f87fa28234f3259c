/**
 * Boosted regression trees for a probability (Friedman, 2001; leaves by Newton's step): each tree corrects what those before it leave. Used by
 * `scripts/fit-sureness.ts`.
 */
export interface Sample {
  readonly marks: readonly number[];
  readonly isRight: boolean;
}

/** A node: a leaf with what it adds to the log odds, or which mark leads to the left where it is at most a threshold. */
export type Tree =
  | { readonly add: number }
  | { readonly mark: number; readonly most: number; readonly left: Tree; readonly right: Tree };

export interface Forest {
  readonly start: number;
  readonly trees: readonly Tree[];
}

const TREES = 240;
const LEAVES = 16;
const RATE = 0.05;
/** Samples of a leaf at least, and the strength that holds leaves near 0. */
const LEAST = 15;
const RIDGE = 3;
/** Thresholds that are looked at for each mark. */
const BINS = 48;

interface Binned {
  /** The bin of each sample, mark by mark. */
  readonly bins: readonly Uint8Array[];
  /** The upper end of each bin but the last, mark by mark. */
  readonly edges: readonly (readonly number[])[];
}

interface Leaf {
  readonly samples: Int32Array;
  readonly split: Split | undefined;
}

interface Split {
  readonly gain: number;
  readonly mark: number;
  readonly bin: number;
}

export function fitForest(samples: readonly Sample[]): Forest {
  const right = samples.filter(({ isRight }) => isRight).length;
  const start = Math.log(right / (samples.length - right));
  const binned = toBins(samples);
  const odds = new Float64Array(samples.length).fill(start);
  const slopes = new Float64Array(samples.length);
  const curves = new Float64Array(samples.length);
  const trees: Tree[] = [];
  for (let round = 0; round < TREES; round += 1) {
    for (const [at, { isRight }] of samples.entries()) {
      const share = 1 / (1 + Math.exp(-(odds[at] ?? 0)));
      slopes[at] = (isRight ? 1 : 0) - share;
      curves[at] = share * (1 - share);
    }
    trees.push(growTree(binned, slopes, curves, odds));
  }
  return { start, trees };
}

function toBins(samples: readonly Sample[]): Binned {
  const size = samples[0]?.marks.length ?? 0;
  const edges = Array.from({ length: size }, (_, mark) => {
    const values = samples.map(({ marks }) => marks[mark] ?? 0).sort((one, other) => one - other);
    const distinct = [...new Set(values)];
    if (distinct.length <= BINS) return distinct.slice(0, -1).map((one, at) => (one + (distinct[at + 1] ?? one)) / 2);
    return [
      ...new Set(
        Array.from({ length: BINS - 1 }).map((_end, at) => values[Math.floor(((at + 1) * values.length) / BINS)] ?? 0),
      ),
    ];
  });
  const bins = edges.map((own, mark) =>
    Uint8Array.from(samples, ({ marks }) => {
      const value = marks[mark] ?? 0;
      const at = own.findIndex((edge) => value <= edge);
      return at < 0 ? own.length : at;
    }),
  );
  return { bins, edges };
}

/** Grows a tree, the best split first, and moves the odds of all samples by it. */
function growTree(binned: Binned, slopes: Float64Array, curves: Float64Array, odds: Float64Array): Tree {
  const toLeaf = (samples: Int32Array): Leaf => ({ samples, split: findSplit(binned, samples, slopes, curves) });
  const root: { leaf: Leaf; tree?: Tree } = { leaf: toLeaf(Int32Array.from(slopes, (_, at) => at)) };
  interface Node {
    leaf: Leaf;
    children?: readonly [Node, Node];
  }
  const top: Node = root;
  const open: Node[] = [top];
  while (open.length < LEAVES) {
    const best = open.reduce((most, one) => ((one.leaf.split?.gain ?? 0) > (most.leaf.split?.gain ?? 0) ? one : most));
    const { split, samples } = best.leaf;
    if (split === undefined) break;
    const own = binned.bins[split.mark] ?? new Uint8Array();
    const children = [
      { leaf: toLeaf(samples.filter((at) => (own[at] ?? 0) <= split.bin)) },
      { leaf: toLeaf(samples.filter((at) => (own[at] ?? 0) > split.bin)) },
    ] as const;
    best.children = children;
    open.splice(open.indexOf(best), 1, ...children);
  }
  const toTree = ({ leaf: { samples, split }, children }: Node): Tree => {
    if (children !== undefined && split !== undefined)
      return {
        mark: split.mark,
        most: binned.edges[split.mark]?.[split.bin] ?? 0,
        left: toTree(children[0]),
        right: toTree(children[1]),
      };
    const [slope, curve] = sumOf(samples, slopes, curves);
    const add = (RATE * slope) / (curve + RIDGE);
    for (const at of samples) odds[at] = (odds[at] ?? 0) + add;
    return { add };
  };
  return toTree(top);
}

function sumOf(samples: Int32Array, slopes: Float64Array, curves: Float64Array): readonly [number, number] {
  let [slope, curve] = [0, 0];
  for (const at of samples) {
    slope += slopes[at] ?? 0;
    curve += curves[at] ?? 0;
  }
  return [slope, curve];
}

function findSplit(
  { bins, edges }: Binned,
  samples: Int32Array,
  slopes: Float64Array,
  curves: Float64Array,
): Split | undefined {
  if (samples.length < 2 * LEAST) return undefined;
  const [slope, curve] = sumOf(samples, slopes, curves);
  const whole = slope ** 2 / (curve + RIDGE);
  let best: Split | undefined;
  const [ofSlope, ofCurve, counts] = [new Float64Array(BINS + 1), new Float64Array(BINS + 1), new Int32Array(BINS + 1)];
  for (const [mark, own] of bins.entries()) {
    const size = edges[mark]?.length ?? 0;
    if (size === 0) continue;
    ofSlope.fill(0);
    ofCurve.fill(0);
    counts.fill(0);
    for (const at of samples) {
      const bin = own[at] ?? 0;
      ofSlope[bin] = (ofSlope[bin] ?? 0) + (slopes[at] ?? 0);
      ofCurve[bin] = (ofCurve[bin] ?? 0) + (curves[at] ?? 0);
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
    let [left, leftCurve, count] = [0, 0, 0];
    for (let bin = 0; bin < size; bin += 1) {
      left += ofSlope[bin] ?? 0;
      leftCurve += ofCurve[bin] ?? 0;
      count += counts[bin] ?? 0;
      if (count < LEAST || samples.length - count < LEAST) continue;
      const gain = left ** 2 / (leftCurve + RIDGE) + (slope - left) ** 2 / (curve - leftCurve + RIDGE) - whole;
      if (gain > (best?.gain ?? 1e-9)) best = { gain, mark, bin };
    }
  }
  return best;
}

/** The probability that a forest gives marks. */
export function probabilityOf({ start, trees }: Forest, marks: readonly number[]): number {
  const odds = trees.reduce((sum, tree) => sum + addOf(tree, marks), start);
  return 1 / (1 + Math.exp(-odds));
}

function addOf(tree: Tree, marks: readonly number[]): number {
  let node = tree;
  while (!("add" in node)) node = (marks[node.mark] ?? 0) <= node.most ? node.left : node.right;
  return node.add;
}

/** The forest as it is written: nodes as rows of four numbers, as `server/architect/planners/wishes/sureness/sureness.ts` reads them. */
export function toForestFile({ start, trees }: Forest): string {
  const nodes: number[][] = [];
  const put = (tree: Tree): number => {
    const row: number[] = [];
    const at = nodes.push(row) - 1;
    if ("add" in tree) row.push(-1, Number(tree.add.toPrecision(4)), 0, 0);
    else row.push(tree.mark, Number(tree.most.toPrecision(7)), put(tree.left), put(tree.right));
    return at;
  };
  const roots = trees.map(put);
  return `${JSON.stringify({ start: Number(start.toFixed(4)), roots: roots.join(" "), nodes: nodes.flat().join(" ") }, undefined, 2)}\n`;
}
