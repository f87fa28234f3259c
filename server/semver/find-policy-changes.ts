import { canonicalJson } from "../json/canonical-json.ts";
import { type Allowance, lowest } from "../config/allowance.ts";
import { covers } from "../versions/covers.ts";
import type { Policy } from "../versions/policy.ts";
import type { Version } from "../versions/version.ts";
import type { Reading } from "./reading.ts";
import { createFinding, type Finding, placeIn } from "./finding.ts";

const ABOUT = { isPolicy: true } as const;

/** Finds the capabilities that roles lost and gained across all policies, and the other differences of policies. */
export function findPolicyChanges(before: Version, after: Version, reading: Reading): readonly Finding[] {
  const [old, young] = [listGrants(before.policies), listGrants(after.policies)];
  const lost = [...old].flatMap(([grant, { role, capability, file }]) => {
    if (young.has(grant) || isCovered(young, role, capability)) return [];
    if (reading !== "plain" && isWrittenOut(young, role, capability, before, after)) return [];
    const message = `The role \`${role}\` does not grant \`${capability}\` any more.`;
    return [
      createFinding("grant-removed", message, placeIn("before", file, "roles", role), {
        ...ABOUT,
        of: `role ${role}`,
        member: capability,
      }),
    ];
  });
  const gained = [...young].flatMap(([grant, { role, capability, file }]) => {
    if (old.has(grant) || isCovered(old, role, capability)) return [];
    const message = `The role \`${role}\` grants \`${capability}\`.`;
    return [
      createFinding("grant-added", message, placeIn("after", file, "roles", role), {
        ...ABOUT,
        of: `role ${role}`,
        member: capability,
      }),
    ];
  });
  const others = reading === "plain" ? [] : [...findLimitChanges(before, after), ...findApprovalChanges(before, after)];
  return [...lost, ...gained, ...others, ...findOthers(before.policies, after.policies, reading)];
}

/** Permissions about approvals, which one policy that has them gives, and how a sentence says each. */
const APPROVALS = [
  [(policy: Policy) => policy.allowsSelfApproval === true, "Those who did a run may", "approve it themselves"],
  [(policy: Policy) => policy.allowsSkippedChecks === true, "Runs may", "pass with checks that were not tried"],
] as const;

/** Finds approvals that are needed no more, or again. */
function findApprovalChanges(before: Version, after: Version): readonly Finding[] {
  return APPROVALS.flatMap(([allows, who, what]) => {
    const [old, young] = [before, after].map(({ policies }) => policies.find(allows));
    if ((old === undefined) === (young === undefined)) return [];
    const place =
      young === undefined ? placeIn("before", old?.file ?? "", "approvals") : placeIn("after", young.file, "approvals");
    const message = young === undefined ? `${who} not ${what} any more.` : `${who} ${what}.`;
    return [createFinding(young === undefined ? "approval-narrowed" : "approval-widened", message, place, ABOUT)];
  });
}

/** Units of limits, each said of what callers may do. */
const UNITS = {
  rate: "calls a minute",
  concurrency: "calls at the same time",
  dailyCost: "units of cost a day",
} as const;

/** Finds limits that are lower or higher, taken over all policies as calls are held to them: of each the lowest counts. */
function findLimitChanges(before: Version, after: Version): readonly Finding[] {
  const tools = [...after.tools.keys()].filter((name) => before.tools.has(name));
  const subjects = [
    { who: "A tenant", path: ["tenant"], of: ({ limits }: Policy): Allowance | undefined => limits.tenant },
    { who: "An actor", path: ["actor"], of: ({ limits }: Policy): Allowance | undefined => limits.actor },
    ...tools.map((tool) => {
      return {
        who: `A tenant, with \`${tool}\`,`,
        path: ["tools", tool],
        of: ({ limits }: Policy): Allowance | undefined => limits.tools?.[tool],
      };
    }),
  ];
  return subjects.flatMap(({ who, path, of }) => {
    const [old, young]: readonly Allowance[] = [before, after].map(({ policies }) => lowest(policies.map(of)));
    return (["rate", "concurrency", "dailyCost"] as const).flatMap((key) => {
      const [was, is] = [old?.[key], young?.[key]];
      if (was === is) return [];
      const isLower = (is ?? Infinity) < (was ?? Infinity);
      const [side, policies] =
        is === undefined ? (["before", before.policies] as const) : (["after", after.policies] as const);
      const file = policies.find((policy) => of(policy)?.[key] === (is ?? was))?.file ?? "";
      const might = was === undefined ? "had no limit" : `might have ${was}`;
      const message = `${who} may have ${is ?? "any number of"} ${UNITS[key]}, and ${might}.`;
      const place = placeIn(side, file, "limits", ...path, key);
      return [
        createFinding(isLower ? "limit-lowered" : "limit-raised", message, place, {
          ...ABOUT,
          of: "policy limits",
          member: [...path, key].join("."),
        }),
      ];
    });
  });
}

function findOthers(before: readonly Policy[], after: readonly Policy[], reading: Reading): readonly Finding[] {
  const [old, young] = [before, after].map((all) => new Map(all.map((policy) => [policy.name, policy])));
  return [...new Set([...(young?.keys() ?? []), ...(old?.keys() ?? [])])].flatMap((name) => {
    const [was, is] = [old?.get(name), young?.get(name)];
    const [rest, now] = [listRest(was, reading), listRest(is, reading)];
    const changed = rest.flatMap(([what, value], index) =>
      canonicalJson(value) === canonicalJson(now[index]?.[1]) ? [] : [what],
    );
    if (changed.length === 0) return [];
    const message = `The ${changed.join(", ")} of the policy \`${name}\` are others.`;
    const place = is === undefined ? placeIn("before", was?.file ?? "") : placeIn("after", is.file);
    return [createFinding("policy-changed", message, place, ABOUT)];
  });
}

/** Lists what a policy says besides grants and limits, each with its name in a sentence; of none, what holds without. */
function listRest(policy: Policy | undefined, reading: Reading): readonly (readonly [what: string, value: unknown])[] {
  return [
    ["hosts", policy?.egress ?? []],
    ["commands", policy?.commands ?? []],
    ...(reading === "plain" ? [["approvals", policy?.allowsSelfApproval ?? false] as const] : []),
    ["rules for the Architect", policy?.architect ?? null],
    ["revocations", policy?.revoke ?? null],
    ...(reading === "plain" ? [] : [["breaks", policy?.forbidsBreaks ?? false] as const]),
    reading === "plain"
      ? ["limits", policy?.limits ?? {}]
      : ["times before retirement", [policy?.quietDays ?? null, policy?.noticeDays ?? null]],
  ];
}

/** Checks that a role has a capability by another of its grants, such as `tool:*`. */
function isCovered(grants: ReturnType<typeof listGrants>, role: string, capability: string): boolean {
  return [...grants.values()].some((grant) => grant.role === role && covers(grant.capability, capability));
}

/** Checks that a role has a capability of tools with a star for each tool that there is, old and new. */
function isWrittenOut(
  grants: ReturnType<typeof listGrants>,
  role: string,
  capability: string,
  ...versions: readonly Version[]
): boolean {
  if (!/^tool:.*\*$/.test(capability)) return false;
  const asked = versions
    .flatMap(({ tools }) =>
      [...tools.values()].flatMap(({ name, requiredCapabilities }) => [`tool:${name}`, ...requiredCapabilities]),
    )
    .filter((one) => covers(capability, one));
  return asked.length > 0 && asked.every((one) => grants.has(`${role}\0${one}`) || isCovered(grants, role, one));
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
