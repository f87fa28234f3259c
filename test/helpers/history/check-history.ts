/** A step of a transaction over lists of numbers. No number is appended twice, so a list tells who wrote it, and in which order. */
export type Step =
  | { readonly key: string; readonly append: number }
  /** What was read: the whole list. */
  | { readonly key: string; readonly read: readonly number[] };

/** A transaction as its client saw it. */
export interface Transaction {
  readonly id: string;
  /** Of one that was not acknowledged, nobody knows what it read. */
  readonly steps: readonly Step[];
  /** `refused`: the service said that nothing happened. */
  readonly outcome: "done" | "refused" | "unknown";
  /** Milliseconds, by one clock for all clients. */
  readonly begun: number;
  readonly ended: number;
}

/** Why one transaction comes before another: version orders and reads as Adya has them (PhD thesis, MIT, 1999), and real time. */
type Reason = "ww" | "wr" | "rw" | "rt";

type Lists = ReadonlyMap<string, readonly number[]>;

/**
 * Lists the faults of a history that is claimed to be strictly serializable, by the lists that are there at its end: what was
 * acknowledged and is lost, what is there twice, in part or although it was refused, reads of what never was, and cycles. After
 * Kingsbury and Alvaro, "Elle: Inferring Isolation Anomalies from Experimental Observations" (VLDB 2020).
 */
export function checkHistory(history: readonly Transaction[], lists: Lists): readonly string[] {
  const writers = new Map(history.flatMap((one) => appendsOf(one).map(({ append }) => [append, one] as const)));
  const faults = [
    ...[...lists].flatMap(([key, list]) => checkList(key, list, writers)),
    ...history.flatMap((one) => checkWhole(one, lists)),
    ...history.flatMap((one) => checkReads(one, lists, writers)),
  ];
  // Orders mean nothing where lists contradict each other.
  if (faults.length > 0) return faults;
  const happened = history.filter((one) => one.outcome === "done" || isThere(one, lists));
  const cycle = findCycle(toEdges(happened, lists, writers));
  return cycle === undefined ? [] : [cycle];
}

function appendsOf({ steps }: Transaction) {
  return steps.flatMap((step) => ("append" in step ? [step] : []));
}

function isThere(one: Transaction, lists: Lists): boolean {
  return appendsOf(one).some(({ key, append }) => lists.get(key)?.includes(append) === true);
}

function checkList(key: string, list: readonly number[], writers: ReadonlyMap<number, Transaction>): readonly string[] {
  return list.flatMap((value, at) => {
    const writer = writers.get(value);
    if (list.indexOf(value) < at) return [`${value} stands twice in ${key}`];
    if (writer === undefined) return [`${value} in ${key} was appended by nobody`];
    return writer.outcome === "refused" ? [`${value} in ${key} is of ${writer.id}, which was refused`] : [];
  });
}

function checkWhole(one: Transaction, lists: Lists): readonly string[] {
  if (one.outcome === "refused") return [];
  const missing = appendsOf(one).filter(({ key, append }) => lists.get(key)?.includes(append) !== true);
  if (one.outcome === "done") return missing.map(({ key, append }) => `${append} in ${key} of ${one.id} is lost`);
  return missing.length > 0 && isThere(one, lists) ? [`${one.id} has happened in part`] : [];
}

/** Each read must be a beginning of the list, with what the transaction itself has appended so far, and of no other only a part. */
function checkReads(one: Transaction, lists: Lists, writers: ReadonlyMap<number, Transaction>): readonly string[] {
  return one.steps.flatMap((step, at) => {
    if (!("read" in step)) return [];
    const { key, read } = step;
    const own = appendsOf({ ...one, steps: one.steps.slice(0, at) }).flatMap((done) =>
      done.key === key ? done.append : [],
    );
    const said = `${one.id} read ${JSON.stringify(read)} of ${key}`;
    const list = lists.get(key) ?? [];
    if (read.some((value, index) => value !== list[index]))
      return [`${said}, which began with ${JSON.stringify(list)}`];
    if (own.some((value, index) => read.at(index - own.length) !== value)) return [`${said} and not its own appends`];
    const last = writers.get(read.at(-1) ?? Number.NaN);
    const cut = last !== undefined && last !== one && appendsOf(last).findLast((done) => done.key === key)?.append;
    return typeof cut === "number" && cut !== read.at(-1) ? [`${said}: a part of ${last?.id}`] : [];
  });
}

type Edges = Map<Transaction, Map<Transaction, Reason>>;

function toEdges(happened: readonly Transaction[], lists: Lists, writers: ReadonlyMap<number, Transaction>): Edges {
  const edges: Edges = new Map(happened.map((one) => [one, new Map()]));
  const add = (from: Transaction | undefined, to: Transaction | undefined, why: Reason) => {
    if (from !== undefined && to !== undefined && from !== to && !edges.get(from)?.has(to))
      edges.get(from)?.set(to, why);
  };
  for (const list of lists.values()) {
    for (const [at, value] of list.entries()) add(writers.get(list[at - 1] ?? Number.NaN), writers.get(value), "ww");
  }
  for (const one of happened) {
    for (const step of one.steps) {
      if (!("read" in step)) continue;
      const next = lists.get(step.key)?.[step.read.length];
      add(writers.get(step.read.at(-1) ?? Number.NaN), one, "wr");
      add(one, writers.get(next ?? Number.NaN), "rw");
    }
  }
  addRealTime(happened, add);
  return edges;
}

/** Puts each transaction behind those that had ended when it began; those which others of these follow are implied. */
function addRealTime(
  happened: readonly Transaction[],
  add: (from: Transaction, to: Transaction, why: Reason) => void,
): void {
  const moments = happened.flatMap((one) => [
    { at: one.begun, one, isEnd: false },
    ...(one.outcome === "done" ? [{ at: one.ended, one, isEnd: true }] : []),
  ]);
  let newest: Transaction[] = [];
  for (const { one, isEnd } of moments.toSorted((a, b) => a.at - b.at || Number(a.isEnd) - Number(b.isEnd))) {
    if (isEnd) newest = [...newest.filter(({ ended }) => ended >= one.begun), one];
    else for (const before of newest) add(before, one, "rt");
  }
}

/** Takes away all that nothing left comes before (Kahn); what stays has cycles, and a walk against the edges ends in one. */
function findCycle(edges: Edges): string | undefined {
  const before = new Map([...edges.keys()].map((one) => [one, new Set<Transaction>()]));
  for (const [from, tos] of edges) for (const to of tos.keys()) before.get(to)?.add(from);
  const free = [...before].filter(([, froms]) => froms.size === 0).map(([one]) => one);
  for (let one = free.pop(); one !== undefined; one = free.pop()) {
    before.delete(one);
    for (const to of edges.get(one)?.keys() ?? []) {
      const froms = before.get(to);
      froms?.delete(one);
      if (froms?.size === 0) free.push(to);
    }
  }
  const walk: Transaction[] = [];
  for (let one = before.keys().next().value; one !== undefined; [one] = before.get(one) ?? []) {
    const at = walk.indexOf(one);
    if (at !== -1) return describeCycle([...walk.slice(at), one].toReversed(), edges);
    walk.push(one);
  }
  return undefined;
}

function describeCycle(cycle: readonly Transaction[], edges: Edges): string {
  const reasons = cycle.slice(1).map((to, at) => edges.get(cycle[at] ?? to)?.get(to) ?? "rt");
  const anti = reasons.filter((why) => why === "rw").length;
  const kind = anti > 1 ? "G2" : anti === 1 ? "G-single" : reasons.includes("wr") ? "G1c" : "G0";
  const path = cycle.map(({ id }, at) => (at === 0 ? id : `-${reasons[at - 1]}-> ${id}`)).join(" ");
  return `${reasons.includes("rt") ? `${kind} in real time` : kind}: ${path}`;
}
