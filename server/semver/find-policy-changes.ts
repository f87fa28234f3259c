import { canonicalJson } from "../json/canonical-json.ts";
import type { Policy } from "../versions/policy.ts";
import { createFinding, type Finding, placeIn } from "./finding.ts";

const ABOUT = { isPolicy: true } as const;

/** Finds the capabilities that roles lost and gained across all policies, and the other differences of policies. */
export function findPolicyChanges(before: readonly Policy[], after: readonly Policy[]): readonly Finding[] {
  const [old, young] = [listGrants(before), listGrants(after)];
  const lost = [...old].flatMap(([grant, { role, capability, file }]) => {
    if (young.has(grant)) return [];
    const message = `The role \`${role}\` does not grant \`${capability}\` any more.`;
    return [createFinding("grant-removed", message, placeIn("before", file, "roles", role), ABOUT)];
  });
  const gained = [...young].flatMap(([grant, { role, capability, file }]) => {
    if (old.has(grant)) return [];
    const message = `The role \`${role}\` grants \`${capability}\`.`;
    return [createFinding("grant-added", message, placeIn("after", file, "roles", role), ABOUT)];
  });
  return [...lost, ...gained, ...findOthers(before, after)];
}

function findOthers(before: readonly Policy[], after: readonly Policy[]): readonly Finding[] {
  const known = new Map(before.map((policy) => [policy.name, policy]));
  const names = new Set(after.map(({ name }) => name));
  return [
    ...after
      .filter((policy) => toRest(policy) !== toRest(known.get(policy.name)))
      .map(({ name, file }) => [name, file]),
    ...before
      .filter((policy) => !names.has(policy.name) && toRest(policy) !== toRest(undefined))
      .map(({ name }) => [name]),
  ].map(([name = "", file]) =>
    createFinding(
      "policy-changed",
      `The limits, hosts, commands, approvals or revocations of the policy \`${name}\` are others.`,
      file === undefined ? placeIn("before", known.get(name)?.file ?? "") : placeIn("after", file),
      ABOUT,
    ),
  );
}

function toRest(policy: Policy | undefined): string {
  return canonicalJson({
    egress: policy?.egress ?? [],
    limits: policy?.limits ?? {},
    commands: policy?.commands ?? [],
    allowsSelfApproval: policy?.allowsSelfApproval ?? false,
    architect: policy?.architect ?? null,
    revoke: policy?.revoke ?? null,
  });
}

function listGrants(policies: readonly Policy[]) {
  return new Map(
    policies.flatMap(({ roles, file }) =>
      [...roles].flatMap(([role, capabilities]) =>
        capabilities.map((capability) => [`${role}\0${capability}`, { role, capability, file }] as const),
      ),
    ),
  );
}
