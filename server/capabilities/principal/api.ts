import type { Grant, SyscallDeclaration } from "../declaration.ts";

/** Caller of the tool. Both members are from its credentials, never from its input. */
export interface CallingPrincipal {
  readonly tenant: string;
  readonly actor: string;
}

export const PRINCIPAL_GRANTS = {
  principal: { breaks: ["deterministic", "no tenant"] },
} as const satisfies Readonly<Record<string, Grant>>;

/** `ctx.principal`. */
export const PRINCIPAL = {
  name: "principal",
  needs: "principal",
  inPreviews: true,
} as const satisfies SyscallDeclaration<keyof typeof PRINCIPAL_GRANTS>;
