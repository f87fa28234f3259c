import type { SyscallDeclaration } from "../declaration.ts";

export interface Log {
  /** Writes a line for those who look for a fault; `data` is kept as JSON. */
  debug(message: string, data?: unknown): void;
  /** Writes a line on the course of the call. */
  info(message: string, data?: unknown): void;
  /** Writes a line on something that may be wrong. */
  warning(message: string, data?: unknown): void;
  /** Writes a line on something that went wrong; the call continues. */
  error(message: string, data?: unknown): void;
}

/** `ctx.log`, at every level. */
export const LOG = { name: "log", isNote: true, inPreviews: true } as const satisfies SyscallDeclaration;

/** `ctx.progress`. */
export const PROGRESS = { name: "progress", isNote: true, inPreviews: true } as const satisfies SyscallDeclaration;
