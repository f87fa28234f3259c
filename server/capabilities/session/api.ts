import type { Declarations, Grant } from "../declaration.ts";

/** Memory of a stateful tool in one conversation. Needs `session`. Written when the call succeeds, else not at all. */
export interface Session {
  /** Reads what the conversation's earlier call has set; undefined where none has. */
  get<T = unknown>(): Promise<T | undefined>;
  /** Replaces all of it by a JSON value. */
  set(value: unknown): Promise<void>;
}

export const SESSION_GRANTS = {
  session: { breaks: ["deterministic", "no side effect", "no tenant"] },
} as const satisfies Readonly<Record<string, Grant>>;

/** `ctx.session`. */
export const SESSION = {
  get: { name: "session.get", needs: "session", inPreviews: true },
  set: { name: "session.set", takes: ["value"], needs: "session", mutates: true, inPreviews: true },
} as const satisfies Declarations<Session, keyof typeof SESSION_GRANTS>;
