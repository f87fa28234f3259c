import type { Policy } from "../../../../versions/policy.ts";
import type { Tool, Version } from "../../../../versions/version.ts";
import { covers } from "../../../../versions/covers.ts";
import { suggest } from "../../../../text/suggest.ts";
import { refuse, toList } from "../../../guard/refuse.ts";
import type { Bench } from "../bench.ts";
import { findTool } from "../find-tool.ts";
import type { Deed, Phrase, Said } from "../phrase.ts";
import { toPhrase } from "../to-phrase.ts";

const TO = "(?:for|of|to use|to call|from callers of)";
/** Words that stand before "to the role", and are no names. */
const SMALL =
  /^(?:not|never|nor|neither|or|and|only|just|solely|even|maybe|perhaps|possibly|probably|also|too|then|later|again|now|but|instead|rather|especially|mainly|back|it|this|that|these|those|them|all|everything|nothing|access)$/i;
const CAPABILITY = /^[A-Za-z0-9][A-Za-z0-9_.:/-]*\*?$/;

/** Phrases about the capabilities that callers need, and the roles that grant them. */
export const CAPABILITY_PHRASES: readonly Phrase[] = [
  toPhrase(`(?:no longer|do not|don't) require (?:the )?(?:capabilit(?:y|ies) )?{values} ${TO} {tool}`, drop),
  toPhrase(`require (?:the )?(?:capabilit(?:y|ies) )?{values} ${TO} {tool}`, require),
  toPhrase(
    `(?:grant|give) (?:the )?(?<noun>capabilit(?:y|ies) )?{values} to (?:the )?(?:role {role}|{role2} role)`,
    grant,
  ),
  toPhrase(`grant (?:the )?(?<noun>capabilit(?:y|ies) )?{values} to {role}`, grant),
  toPhrase(
    `(?:revoke|withdraw|take) (?:the )?(?:capabilit(?:y|ies) )?{values} from (?:the )?(?:role {role}|{role2} role)`,
    revoke,
  ),
  toPhrase(`(?:revoke|withdraw) (?:the )?(?:capabilit(?:y|ies) )?{values} from {role}`, revoke),
];

function require(said: Said): Deed | undefined {
  const tool = findTool(said.ground.version, said.name("tool"));
  const capabilities = readCapabilities(said);
  return tool && capabilities && requireOf(tool, capabilities);
}

/** Has callers of a tool hold capabilities. Refuses what no role grants. */
export function requireOf(tool: Tool, capabilities: readonly string[]): Deed {
  return async (bench) => {
    for (const capability of capabilities) {
      await refuseUngranted(bench, capability);
      const isChanged = await bench.addItem(tool.file, ["requiredCapabilities"], capability);
      if (isChanged) bench.say(`Callers of \`${tool.name}\` must hold \`${capability}\`.`);
    }
    bench.need("major");
  };
}

function drop(said: Said): Deed | undefined {
  const tool = findTool(said.ground.version, said.name("tool"));
  const capabilities = readCapabilities(said);
  return tool && capabilities && dropFrom(tool, capabilities);
}

/** Lets callers of a tool do without capabilities. Refuses those that it does not require. */
export function dropFrom(tool: Tool, capabilities: readonly string[]): Deed {
  for (const capability of capabilities) {
    if (tool.requiredCapabilities.includes(capability)) continue;
    throw refuse(
      `\`${tool.name}\` does not require \`${capability}\`.`,
      `It requires ${toList(tool.requiredCapabilities)}.`,
    );
  }
  return async (bench) => {
    for (const capability of capabilities) {
      const isChanged = await bench.removeItem(tool.file, ["requiredCapabilities"], capability);
      if (isChanged) bench.say(`Callers of \`${tool.name}\` need not hold \`${capability}\`.`);
    }
    bench.need("minor");
  };
}

function grant(said: Said): Deed | undefined {
  const capabilities = readGrants(said);
  // "Not to the foreman" grants no `not`, unless something is called so, or is there already.
  if (said.name("noun") === "" && capabilities?.some((one) => SMALL.test(one) && !isKnown(said, one)) === true)
    return undefined;
  const found = capabilities && requireRole(said.ground.version, said.name("role") || said.name("role2"));
  return capabilities && found && grantTo(found, capabilities);
}

/** Has a role grant those of some capabilities that it does not cover yet, by families such as `build:*`. */
export function toGrant(version: Version, role: string, capabilities: readonly string[]): Deed {
  const found = requireRole(version, role);
  const held = found.policy.roles.get(role) ?? [];
  const fresh = capabilities.filter((capability) => !held.some((own) => covers(own, capability)));
  if (fresh.length > 0 && fresh.length < capabilities.length)
    throw refuse(`The role \`${role}\` grants some of this already.`, `It grants ${toList(held)}.`);
  return grantTo(found, fresh);
}

/** Has a role grant capabilities. */
export function grantTo({ policy, role }: FoundRole, capabilities: readonly string[]): Deed {
  return async (bench) => {
    for (const capability of capabilities) {
      refuseMisspelt(bench.ground.version, capability);
      const isChanged = await bench.addItem(policy.file, ["roles", role], capability);
      if (isChanged) bench.say(`The role \`${role}\` grants \`${capability}\`.`);
    }
    bench.need("minor");
  };
}

function revoke(said: Said): Deed | undefined {
  const capabilities = readGrants(said);
  const found = capabilities && requireRole(said.ground.version, said.name("role") || said.name("role2"));
  return capabilities && found && revokeFrom(found, capabilities);
}

/** Takes capabilities from a role that names them in so many words. */
export function revokeFrom({ policy, role }: FoundRole, capabilities: readonly string[]): Deed {
  const held = policy.roles.get(role) ?? [];
  for (const capability of capabilities) {
    if (held.includes(capability)) continue;
    throw refuse(
      `The role \`${role}\` does not grant \`${capability}\` in so many words.`,
      `It grants ${toList(held)}.`,
    );
  }
  return async (bench) => {
    for (const capability of capabilities) {
      const isChanged = await bench.removeItem(policy.file, ["roles", role], capability);
      if (isChanged) bench.say(`The role \`${role}\` no longer grants \`${capability}\`.`);
    }
    bench.need("major");
  };
}

/** Refuses a required capability that no role grants, where there are roles: no caller could use the tool. */
async function refuseUngranted(bench: Bench, capability: string): Promise<void> {
  const { policies } = bench.ground.version;
  for (const { file } of policies) {
    const roles = await bench.find(file, ["roles"]);
    const grants = Object.values(roles ?? {}).flat();
    if (grants.some((held) => typeof held === "string" && covers(held, capability))) return;
  }
  if (policies.length === 0) return;
  const accepted = `Say first who may: "grant ${capability} to the role <role> and require it".`;
  throw refuse(`No role grants \`${capability}\`, so nobody could call what requires it.`, accepted);
}

function readCapabilities(said: Said): readonly string[] | undefined {
  const values = said.values("values")?.map(String);
  return values?.every((value) => CAPABILITY.test(value)) === true ? values : undefined;
}

/** What roles are to grant; the bare name of a tool stands for what its callers must hold. */
function readGrants(said: Said): readonly string[] | undefined {
  const { tools } = said.ground.version;
  return readCapabilities(said)?.map((capability) => {
    if (isKnown(said, capability)) return capability;
    const [tool, ...others] = [...tools.values()].filter(
      ({ name, server }) => name === capability || name === `${server}.${capability}`,
    );
    if (tool === undefined || others.length > 0) return capability;
    const [only, ...more] = tool.requiredCapabilities;
    return only !== undefined && more.length === 0 ? only : `tool:${tool.name}`;
  });
}

/** Tells whether a role grants a capability, or a tool requires it. */
function isKnown({ ground: { version } }: Said, capability: string): boolean {
  return listCapabilities(version).includes(capability);
}

/** The capabilities that roles grant and tools require. */
function listCapabilities({ tools, policies }: Version): readonly string[] {
  return [
    ...policies.flatMap(({ roles }) => [...roles.values()].flat()),
    ...[...tools.values()].flatMap((tool) => tool.requiredCapabilities),
  ];
}

/** Refuses to grant what nothing requires and is a letter or two away from what something does. */
function refuseMisspelt(version: Version, capability: string): void {
  const known = [...listCapabilities(version), ...[...version.tools.keys()].map((name) => `tool:${name}`)];
  const meant = capability.includes("*") || known.includes(capability) ? undefined : suggest(capability, known);
  if (meant === undefined) return;
  throw refuse(`Nothing requires \`${capability}\`.`, `Did you mean \`${meant}\`?`);
}

/** A role and the only policy that has it. */
export interface FoundRole {
  readonly policy: Policy;
  readonly role: string;
}

export function requireRole(version: Version, role: string): FoundRole {
  const found = version.policies.filter(({ roles }) => roles.has(role));
  const [policy] = found;
  if (policy !== undefined && found.length === 1) return { policy, role };
  if (policy !== undefined) {
    throw refuse(
      `Several policies have a role \`${role}\`: ${toList(found.map(({ file }) => file))}.`,
      "Attach a diff of the one that is meant.",
    );
  }
  const names = [...new Set(version.policies.flatMap(({ roles }) => [...roles.keys()]))];
  throw refuse(
    `No policy has a role \`${role.slice(0, 100)}\`.`,
    names.length === 0 ? "There are no roles." : `The roles are ${toList(names)}.`,
  );
}
