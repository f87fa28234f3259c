import type { SyscallDeclaration } from "../declaration.ts";

export interface Log {
  debug(message: string, data?: unknown): void;
  info(message: string, data?: unknown): void;
  warning(message: string, data?: unknown): void;
  error(message: string, data?: unknown): void;
}

/** `ctx.log`, at every level. */
export const LOG = { name: "log", isNote: true, inPreviews: true } as const satisfies SyscallDeclaration;

/** `ctx.progress`. */
export const PROGRESS = { name: "progress", isNote: true, inPreviews: true } as const satisfies SyscallDeclaration;
