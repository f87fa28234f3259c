import type { SyscallDeclaration } from "../declaration.ts";

/** `ctx.sleep`. */
export const SLEEP = { name: "sleep", takes: ["milliseconds"], inPreviews: true } as const satisfies SyscallDeclaration;
