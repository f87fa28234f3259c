import type { Promised } from "../capabilities/declaration.ts";
import { GRANTS, type Syscall, SYSCALLS } from "../capabilities/declarations.ts";

/**
 * The grants that break each promise, for manifests when they are loaded and for handlers when they run. The promises of a
 * called tool are for `tools.call` to compare.
 */
export const BROKEN_BY: Readonly<Record<Promised, ReadonlySet<Syscall>>> = {
  // They can answer differently from one call to the next; those that cannot read only what the version's commit holds.
  deterministic: breaking("deterministic"),
  // What they write outlives the call.
  "no side effect": breaking("no side effect"),
  // They keep or read what belongs to one tenant.
  "no tenant": breaking("no tenant"),
};

function breaking(promise: Promised): ReadonlySet<Syscall> {
  return new Set(SYSCALLS.filter((word) => GRANTS[word].breaks.some((broken) => broken === promise)));
}
