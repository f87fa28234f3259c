import { canonicalJson } from "../../json/canonical-json.ts";
import { covers } from "../../versions/covers.ts";
import { listMembers, listTexts, memberOf } from "./manifest-values.ts";
import type { ChangedManifest, Overreach, OverreachGround } from "./overreach.ts";

/** What handlers use to approve what waits for people. */
export const APPROVE = "work.approve";

/**
 * Finds what a policy would change about approvals: who may approve, and which changes have to be. `architect` counts as a
 * whole, since a stricter rule of one kind can hide a looser one of another.
 */
export function findPolicyApprovals(
  name: string,
  { path, before, after }: ChangedManifest,
  { approving }: OverreachGround,
): readonly Overreach[] {
  const policy = `The policy \`${name}\``;
  const isSelf = (manifest: ChangedManifest["before"]) => memberOf(manifest?.["approvals"], "self") === true;
  const calls = (manifest: ChangedManifest["before"]) => memberOf(manifest?.["approvals"], "calls") ?? null;
  const rules = (manifest: ChangedManifest["before"]) => canonicalJson(manifest?.["architect"] ?? null);
  return [
    ...(isSelf(after) && !isSelf(before) ? [find(path, `${policy} would let whoever did a run approve it.`)] : []),
    ...(calls(before) === null || canonicalJson(calls(before)) === canonicalJson(calls(after))
      ? []
      : [find(path, `${policy} would change which calls wait for a second person.`)]),
    ...(rules(before) === rules(after)
      ? []
      : [find(path, `${policy} would change which changes of the Architect need approval.`)]),
    ...listMembers(after?.["roles"]).flatMap(([role, capabilities]) => {
      const known = listTexts(memberOf(before?.["roles"], role));
      const gives = (grant: string) => grant === "*" || approving.some((capability) => covers(grant, capability));
      return listTexts(capabilities)
        .filter((grant) => !known.includes(grant) && gives(grant))
        .map((grant) => find(path, `The role \`${role}\` could approve, since it would grant \`${grant}\`.`));
    }),
  ];
}

/** Finds that a workflow would need fewer approvals, or call other files risky. */
export function findWorkflowApprovals(name: string, { path, before, after }: ChangedManifest): readonly Overreach[] {
  if (before === undefined) return [];
  const levels = listTexts(after?.["approvals"]);
  const isLooser =
    listTexts(before["approvals"]).some((level) => !levels.includes(level)) ||
    canonicalJson(before["risk"] ?? null) !== canonicalJson(after?.["risk"] ?? null);
  return isLooser ? [find(path, `The workflow \`${name}\` would change what needs approval.`)] : [];
}

/** Finds that a handler could approve runs, which it could not before. */
export function findToolApprovals(name: string, { path, before, after }: ChangedManifest): readonly Overreach[] {
  const uses = (manifest: ChangedManifest["before"]) => listTexts(manifest?.["uses"]).includes(APPROVE);
  return uses(after) && !uses(before) ? [find(path, `The handler of \`${name}\` could approve runs.`)] : [];
}

function find(path: string, message: string): Overreach {
  return { rule: "approvals", path, message };
}
