import type { Revoked } from "../../versions/policy.ts";
import type { Version } from "../../versions/version.ts";
import type { CommandPolicy } from "./sandbox/command-policy.ts";

/** What the policies of a version let commands execute that only read, less what is `revoked`: each of them may allow more. */
export function toCommandPolicy({ policies }: Version, revoked?: () => Revoked): CommandPolicy {
  const allow = policies.flatMap(({ commands }) => commands);
  return { allow, env: [], write: false, ...(revoked === undefined ? {} : { revoked }) };
}
