import { CairnError } from "../../errors.ts";
import type { SandboxCall } from "./sandbox.ts";
import type { GuestEvent } from "./wire.ts";

/** Errors of syscalls that are remembered for a call, in case its handler passes one on. */
const MAX_ANSWERED = 100;

/** Has a request of call `id` carried out. Resolves with the item that answers it; errors are put into `answered`. */
export async function carryOut(
  id: number,
  call: SandboxCall,
  answered: Map<number, CairnError>,
  { syscall, name, args }: GuestEvent & { readonly kind: "ask" },
): Promise<string> {
  try {
    const value = await call.syscall(name, args);
    return JSON.stringify(value === undefined ? ["answer", id, syscall] : ["answer", id, syscall, value]);
  } catch (cause) {
    const error =
      cause instanceof CairnError ? cause : new CairnError("INTERNAL_ERROR", `\`${name}\` failed.`, { cause });
    if (answered.size >= MAX_ANSWERED) answered.delete(Math.min(...answered.keys()));
    answered.set(syscall, error);
    // A handler may tell its caller whatever it was told.
    const message = error.row.exposed ? error.message : error.row.meaning;
    return JSON.stringify(["refuse", id, syscall, error.name, message]);
  }
}

/** The same for a note: nobody waits for it, so nobody is told when it fails. */
export async function carryOutNote(
  call: SandboxCall,
  { name, args }: GuestEvent & { readonly kind: "tell" },
): Promise<void> {
  await Promise.try(() => call.syscall(name, args)).catch(() => undefined);
}
