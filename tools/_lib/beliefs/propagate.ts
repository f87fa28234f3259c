/** Network of a step: nodes by their number, edges in any order. */
export interface Network {
  readonly beliefs: Float64Array;
  /** In millionths. */
  readonly energies: readonly bigint[];
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float64Array;
}

export interface Propagated {
  readonly beliefs: Float64Array;
  readonly energies: readonly bigint[];
}

/** The part of its energy that a node passes on in a step is one of so many. */
const PASSED_ON = 16n;
/** Weights as whole numbers, to divide energy by. */
const WEIGHT_PARTS = 1e6;

/**
 * One step of the whole network at once, from the state before it alone.
 *
 * Beliefs follow DeGroot ("Reaching a Consensus", JASA 69, 1974): a node's next belief is the mean of its own, with weight
 * 1, and those of the nodes with an edge to it, with the edges' weights. A negative weight pulls, with its size, towards the
 * opposite of what its source believes, as in Altafini ("Consensus Problems on Networks With Antagonistic Interactions",
 * IEEE TAC 58, 2013). A mean of numbers in [0, 1] stays there. Terms are added in order of weight and value, so the order of
 * edges makes no difference, not even in the last bit.
 *
 * A node passes one sixteenth of its energy on along its edges, in proportion to the sizes of their weights; what does
 * not divide stays with it, so nothing is made or lost.
 *
 * Between the two it waits for `pause`, in which other calls have their turn.
 */
export async function propagate(network: Network, pause: () => Promise<unknown>): Promise<Propagated> {
  const beliefs = nextBeliefs(network);
  await pause();
  return { beliefs, energies: nextEnergies(network) };
}

function nextBeliefs({ beliefs, sources, targets, weights }: Network): Float64Array {
  const into = groupByTarget(targets, beliefs.length);
  const next = new Float64Array(beliefs.length);
  for (let node = 0; node < beliefs.length; node += 1) {
    const own = at(beliefs, node);
    const terms: (readonly [weight: number, pull: number])[] = [];
    for (let place = at(into.starts, node); place < at(into.starts, node + 1); place += 1) {
      const edge = at(into.edges, place);
      const weight = at(weights, edge);
      const belief = at(beliefs, at(sources, edge));
      if (weight !== 0) terms.push([Math.abs(weight), weight > 0 ? belief : 1 - belief]);
    }
    next[node] = terms.length === 0 ? own : mean(own, terms);
  }
  return next;
}

function mean(own: number, terms: (readonly [weight: number, pull: number])[]): number {
  terms.sort(([a, x], [b, y]) => a - b || x - y);
  let weights = 1;
  let sum = own;
  let least = own;
  let most = own;
  for (const [weight, pull] of terms) {
    weights += weight;
    sum += weight * pull;
    least = Math.min(least, pull);
    most = Math.max(most, pull);
  }
  // Rounding could carry it a last bit further than any of what it is the mean of.
  return Math.min(most, Math.max(least, sum / weights));
}

/** Edges by the nodes that they lead to: those of `node` stand from `starts[node]` to before `starts[node + 1]`. */
function groupByTarget(targets: Uint32Array, nodes: number) {
  const starts = new Uint32Array(nodes + 1);
  for (const target of targets) starts[target + 1] = at(starts, target + 1) + 1;
  for (let node = 0; node < nodes; node += 1) starts[node + 1] = at(starts, node + 1) + at(starts, node);
  const free = starts.slice();
  const edges = new Uint32Array(targets.length);
  for (let edge = 0; edge < targets.length; edge += 1) {
    const target = at(targets, edge);
    edges[at(free, target)] = edge;
    free[target] = at(free, target) + 1;
  }
  return { starts, edges };
}

function nextEnergies({ energies, sources, targets, weights }: Network): readonly bigint[] {
  const parts = Array.from(weights, (weight) => BigInt(Math.round(Math.abs(weight) * WEIGHT_PARTS)));
  const total = energies.map(() => 0n);
  for (let edge = 0; edge < parts.length; edge += 1) {
    const source = at(sources, edge);
    total[source] = (total[source] ?? 0n) + (parts[edge] ?? 0n);
  }
  const next = energies.slice();
  for (let edge = 0; edge < parts.length; edge += 1) {
    const [source, target] = [at(sources, edge), at(targets, edge)];
    const [part = 0n, all = 0n, energy = 0n] = [parts[edge], total[source], energies[source]];
    if (part === 0n || energy === 0n) continue;
    const moved = (energy * part) / (all * PASSED_ON);
    next[source] = (next[source] ?? 0n) - moved;
    next[target] = (next[target] ?? 0n) + moved;
  }
  return next;
}

/** Indices here are within bounds by construction. */
function at(values: Float64Array | Uint32Array, index: number): number {
  return values[index] ?? 0;
}
