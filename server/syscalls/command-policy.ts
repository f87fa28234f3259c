import type { Revoked } from "../versions/policy.ts";
import type { Version } from "../versions/version.ts";
import type { CommandPolicy } from "../workspace/sandbox/command-policy.ts";

/** What the policies of a version let its runs execute, less what is `revoked`: each of them may allow more. */
export function toCommandPolicy({ policies }: Version, revoked?: () => Revoked): CommandPolicy {
  const allow = policies.flatMap(({ commands }) => commands);
  return { allow, env: [], write: true, ...(revoked === undefined ? {} : { revoked }) };
}
