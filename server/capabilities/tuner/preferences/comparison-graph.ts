import { CairnError } from "../../../errors.ts";

/** `above` was preferred to `below` at least once, as places in the list of items. */
export type Edge = readonly [above: number, below: number];

/**
 * The strongly connected components (Tarjan 1972) of `count` items, each in order of its items, those first whose first
 * item is first.
 */
export function stronglyConnected(count: number, edges: readonly Edge[]): number[][] {
  const next = Array.from({ length: count }, (): number[] => []);
  for (const [above, below] of edges) next[above]?.push(below);
  const order = Array<number>(count).fill(-1);
  const lowest = Array<number>(count).fill(-1);
  const open: number[] = [];
  const isOpen = Array<boolean>(count).fill(false);
  const components: number[][] = [];
  let visited = 0;
  const enter = (item: number) => {
    order[item] = lowest[item] = visited;
    visited += 1;
    open.push(item);
    isOpen[item] = true;
  };
  const leave = (item: number) => {
    if (lowest[item] !== order[item]) return;
    const component = open.splice(open.lastIndexOf(item));
    for (const member of component) isOpen[member] = false;
    components.push(component.sort((left, right) => left - right));
  };
  for (let root = 0; root < count; root += 1) {
    if (order[root] !== -1) continue;
    enter(root);
    // A stack of its own, because a long chain of items would overflow that of function calls.
    const path = [{ item: root, edge: 0 }];
    for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
      const target = next[frame.item]?.[frame.edge];
      frame.edge += 1;
      if (target === undefined) {
        leave(frame.item);
        path.pop();
        const parent = path.at(-1);
        if (parent !== undefined) lower(lowest, parent.item, lowest[frame.item]);
      } else if (order[target] === -1) {
        enter(target);
        path.push({ item: target, edge: 0 });
      } else if (isOpen[target] === true) lower(lowest, frame.item, order[target]);
    }
  }
  return components.sort(([left = 0], [right = 0]) => left - right);
}

/**
 * Refuses comparisons that leave some items without a finite maximum-likelihood ability: there must be no group of items
 * that never lost to the rest (Ford 1957).
 */
export function assertConnected(items: readonly string[], edges: readonly Edge[]): void {
  const components = stronglyConnected(items.length, edges);
  if (components.length === 1) return;
  const groups = components.map((component) => component.map((place) => items[place] ?? ""));
  const text = groups.map((group) => `{${group.map((item) => `\`${item}\``).join(", ")}}`).join(", ");
  throw new CairnError(
    "UNPROCESSABLE",
    `The comparisons do not tie all items together: of the groups ${text}, some never lost to the others or never met them. Add comparisons, leave items out, or set \`l2\` above 0.`,
    { details: { components: groups } },
  );
}

/** Refuses items of which some were never compared with the rest, not even through others: nothing relates them. */
export function assertMet(items: readonly string[], edges: readonly Edge[]): void {
  const both = edges.flatMap(([above, below]): Edge[] => [
    [above, below],
    [below, above],
  ]);
  const groups = stronglyConnected(items.length, both).map((group) => group.map((place) => items[place] ?? ""));
  if (groups.length === 1) return;
  const text = groups.map((group) => `{${group.map((item) => `\`${item}\``).join(", ")}}`).join(", ");
  throw new CairnError(
    "UNPROCESSABLE",
    `The groups ${text} were never compared with each other. Add comparisons between them, or leave items out.`,
    { details: { components: groups } },
  );
}

function lower(lowest: number[], item: number, value: number | undefined): void {
  lowest[item] = Math.min(lowest[item] ?? Infinity, value ?? Infinity);
}
