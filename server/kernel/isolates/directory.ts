import type { Program } from "../../versions/version.ts";
import type { Isolate } from "./isolate.ts";

/** Isolates that take new calls, in the order in which they were last chosen. */
export interface Directory {
  find(program: Program): readonly Isolate[];
  /** Adds it, or notes that it was chosen. */
  touch(isolate: Isolate): void;
  has(isolate: Isolate): boolean;
  remove(isolate: Isolate): boolean;
  /** The one that nobody is in and that was chosen longest ago; of a tenant's, where one is named. */
  findIdle(tenant?: string): Isolate | undefined;
  /** Counts the isolates of the tenant. */
  count(tenant: string): number;
  all(): readonly Isolate[];
}

export function createDirectory(): Directory {
  const order = new Set<Isolate>();
  const byKey = new Map<string, Set<Isolate>>();

  return {
    find: (program) => [...(byKey.get(toKey(program)) ?? [])],
    touch(isolate) {
      order.delete(isolate);
      order.add(isolate);
      const key = toKey(isolate.program);
      const others = byKey.get(key);
      if (others === undefined) byKey.set(key, new Set([isolate]));
      else others.add(isolate);
    },
    has: (isolate) => order.has(isolate),
    remove(isolate) {
      const key = toKey(isolate.program);
      byKey.get(key)?.delete(isolate);
      if (byKey.get(key)?.size === 0) byKey.delete(key);
      return order.delete(isolate);
    },
    findIdle: (tenant) =>
      order.values().find((isolate) => isolate.isIdle() && (tenant === undefined || isolate.program.tenant === tenant)),
    count: (tenant) => [...order].filter(({ program }) => program.tenant === tenant).length,
    all: () => [...order],
  };
}

/** Calls with equal keys may share an isolate, and with it what the program's modules keep in their variables. */
function toKey(program: Program): string {
  return program.key;
}
