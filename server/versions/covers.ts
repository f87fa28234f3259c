import type { AllowedCommand } from "./policy.ts";

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "busybox"]);

/** Checks that a grant of a policy gives a capability: `tool:*` all that start with `tool:`, `*` every one. */
export function covers(grant: string, capability: string): boolean {
  return grant.endsWith("*") ? capability.startsWith(grant.slice(0, -1)) : grant === capability;
}

/** Checks that an entry of a policy allows a command: the program, with the arguments that it must begin with. */
export function allowsCommand(allowed: AllowedCommand, [program = "", ...args]: readonly string[]): boolean {
  if (allowed.program !== program) return false;
  if (allowed.arguments.length === 0) return !SHELLS.has(program);
  return allowed.arguments.every((argument, at) => argument === args[at]);
}
