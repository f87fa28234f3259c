import type { Version } from "../versions/version.ts";
import type { CommandPolicy } from "../workspace/sandbox/command-policy.ts";

/** What the policies of a version let its runs execute: each of them may allow more. */
export function toCommandPolicy({ policies }: Version): CommandPolicy {
  return { allow: policies.flatMap(({ commands }) => commands), env: [], write: true };
}
