/** Checks that a grant of a policy gives a capability: `tool:*` all that start with `tool:`, `*` every one. */
export function covers(grant: string, capability: string): boolean {
  return grant.endsWith("*") ? capability.startsWith(grant.slice(0, -1)) : grant === capability;
}
