import { type Syscall, SYSCALLS } from "./version.ts";

/** What a tool says of itself that forbids it some syscalls. */
export type Promised = "deterministic" | "no side effect" | "no tenant";

const OF_THE_VERSION: ReadonlySet<Syscall> = new Set<Syscall>(["tools.list", "tools.call", "repository.read"]);

/**
 * The syscalls that break each promise, for manifests when they are loaded and for handlers when they run. What a called
 * tool does, that tool promises: `tools.call` looks at it.
 */
export const BROKEN_BY: Readonly<Record<Promised, ReadonlySet<Syscall>>> = {
  // They can answer differently from one call to the next; those that cannot read only what the version's commit holds.
  deterministic: new Set<Syscall>(SYSCALLS.filter((syscall) => !OF_THE_VERSION.has(syscall))),
  // What they write outlives the call.
  "no side effect": new Set<Syscall>([
    "session",
    "state.write",
    "lineage.write",
    "lineage.export",
    "work.write",
    "work.execute",
    "work.approve",
    "workspace.write",
    "workspace.exec",
    "migrate",
  ]),
  // They keep or read what belongs to one tenant.
  "no tenant": new Set<Syscall>([
    "session",
    "state.read",
    "state.write",
    "lineage.read",
    "lineage.write",
    "lineage.export",
    "principal",
    "work.read",
    "work.write",
    "work.execute",
    "work.approve",
    "workspace.read",
    "workspace.write",
    "workspace.exec",
    "migrate",
  ]),
};
