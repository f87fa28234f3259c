import type { Principal } from "../principal.ts";
import type { Json } from "../store/store.ts";
import type { Syscall } from "../capabilities/declarations.ts";
import type { Tool, Version } from "../versions/version.ts";
import type { Answered } from "./stages/answers.ts";

/** A call whose input says that somebody else must approve it. */
export interface AskedCall {
  readonly version: Version;
  readonly tool: Tool;
  /** The role that must approve it, and further ones, each of which must as well; one person may have several. */
  readonly by: string;
  readonly also: readonly string[];
  /** Seconds from now in which it can be approved and begin to run. */
  readonly expiresSeconds: number;
  /** Checked, with the defaults of its schema. */
  readonly input: Json;
  readonly principal: Principal;
  readonly idempotencyKey?: string;
}

/** Keeps calls until somebody else has approved them. */
export interface Approvals {
  /**
   * Keeps a call, or finds it where the same caller has asked for the same already. Resolves to its outcome once that is
   * there, one time. @throws APPROVAL_REQUIRED with the handle of a call that waits; FORBIDDEN for one that was rejected;
   * CONFLICT for one that nobody decided in time, and for one more than a caller may have waiting.
   */
  ask(asked: AskedCall): Promise<Answered>;
}

/** Syscalls whose effects no commit holds back, so that a second run would have them twice. */
const OUTSIDE: ReadonlySet<Syscall> = new Set<Syscall>([
  "fetch",
  "mcp",
  "artifacts",
  "lineage.export",
  "migrate",
  "work.execute",
  "workspace.exec",
  "workspace.write",
]);

/** Says whether a handler may do what no commit holds back. */
export function actsOutside({ uses }: Pick<Tool, "uses">): boolean {
  return [...uses].some((syscall) => OUTSIDE.has(syscall));
}
