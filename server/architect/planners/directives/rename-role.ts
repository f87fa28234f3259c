import { isMap, isScalar, parseDocument } from "yaml";
import type { Version } from "../../../versions/version.ts";
import { refuse } from "../../guard/refuse.ts";
import type { Bench } from "./bench.ts";
import type { Deed } from "./phrase.ts";
import { requireRole } from "./phrases/change-capabilities.ts";

const NAME = /^[a-z0-9][a-z0-9_.-]{0,63}$/i;

/** Gives a role another name, with its rights and its place as they are; approvals that ask for the role follow. */
export function renameRole(version: Version, role: string, name: string): Deed {
  const { policy } = requireRole(version, role);
  if (!NAME.test(name))
    throw refuse(`\`${name.slice(0, 100)}\` is no name for a role.`, "Use letters, digits and `_`.");
  if (version.policies.some(({ roles }) => roles.has(name)))
    throw refuse(`There is a role \`${name}\` already.`, "Give it another name.");
  // Under another name, it would grant again what was taken away.
  if (version.policies.some(({ revoke }) => revoke?.roles.includes(role) === true))
    throw refuse(`The role \`${role}\` is revoked.`, "Attach a unified diff.");
  return async (bench) => {
    const text = (await bench.read(policy.file)) ?? "";
    await bench.write(policy.file, toRenamed(text, role, name));
    await followInApprovals(bench, role, name);
    bench.say(`The role \`${role}\` is called \`${name}\`.`);
    bench.need("major");
  };
}

/** The text of a policy with another word for the key of a role, and no other letter changed. */
function toRenamed(text: string, role: string, name: string): string {
  const roles = parseDocument(text).get("roles");
  const key = isMap(roles)
    ? roles.items.map((item) => item.key).find((one) => isScalar(one) && String(one.value) === role)
    : undefined;
  const [from, to] = isScalar(key) ? (key.range ?? []) : [];
  if (from === undefined || to === undefined)
    throw refuse(`The role \`${role}\` is written in a way that cannot be renamed.`, "Attach a unified diff.");
  return text.slice(0, from) + name + text.slice(to);
}

/** Approvals ask for the role by its other name. */
async function followInApprovals(bench: Bench, role: string, name: string): Promise<void> {
  const { policies, tools } = bench.ground.version;
  const approvals = new Set([
    ...policies.flatMap(({ calls = [] }) => calls.map(({ approval }) => approval)),
    ...[...tools.values()].flatMap((tool) => tool.approvals),
  ]);
  for (const { file, path, by } of approvals)
    if (by === role) await bench.adapt(file, { kind: "set", path: [...path, "by"], value: name });
}
