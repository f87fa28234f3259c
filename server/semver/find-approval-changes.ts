import type { Approval } from "../versions/policy.ts";
import type { Tool } from "../versions/version.ts";
import type { BumpRule } from "./bump-rules.ts";
import { createFinding, type Finding, placeIn } from "./finding.ts";
import { compareSchemas, type Side } from "./schemas/compare-schemas.ts";
import { toPlace } from "./schemas/located.ts";

type Tell = (rule: BumpRule, what: string, key?: string, at?: Approval, member?: string) => Finding;

/** Finds differences in what calls of a tool wait for a second person, by its own manifest and by policies together. */
export function findApprovalChanges(was: Tool, is: Tool): readonly Finding[] {
  const { name, server, file } = is;
  const [old, young] = [was.approvals, is.approvals];
  const tell: Tell = (rule, what, key = "when", at = young[0], member = key) => {
    const place = placeIn("after", at?.file ?? file, ...(at?.path ?? ["approval"]), key);
    return createFinding(rule, `An approval of calls of \`${name}\` ${what}.`, place, { server, tool: name, member });
  };
  if (old.length === 0)
    return young.slice(0, 1).map(({ by }) => tell("call-approval-added", `by a \`${by}\` is needed`));
  if (young.length === 0) return [tell("call-approval-removed", "is not needed any more")];
  return [
    ...findInputChanges(old, young, tell),
    ...findRoleChanges(old, young, tell),
    ...findTimeChange(old, young, tell),
  ];
}

/** Finds if other inputs wait, for whichever role. */
function* findInputChanges(old: readonly Approval[], young: readonly Approval[], tell: Tell): Generator<Finding> {
  const added = findOutside(young, old);
  if (added !== undefined) yield tell("call-approval-added", "is needed for more inputs, or may be", "when", added);
  else if (findOutside(old, young)) yield tell("call-approval-removed", "is needed for fewer inputs");
}

/** Finds if other roles decide, about inputs that waited and wait. */
function* findRoleChanges(old: readonly Approval[], young: readonly Approval[], tell: Tell): Generator<Finding> {
  const [had, has] = [groupByRole(old), groupByRole(young)];
  const lost = [...had.keys()].filter((role) => !has.has(role));
  for (const [role, approvals] of has) {
    const before = had.get(role);
    const place = approvals[0];
    const member = `by ${role}`;
    if (before !== undefined) {
      if (had.size === 1 && has.size === 1) continue;
      const more = findOutside(approvals, before);
      if (more)
        yield tell(
          "call-approval-added",
          `by a \`${role}\` is needed for more inputs, or may be`,
          "when",
          more,
          member,
        );
      else if (findOutside(before, approvals))
        yield tell("call-approval-removed", `by a \`${role}\` is needed for fewer inputs`, "when", place, member);
      continue;
    }
    const other = lost.shift();
    if (other === undefined || (had.size > 1 && findOutside(approvals, had.get(other) ?? []))) {
      yield tell("call-approval-added", `by a \`${role}\` is needed as well`, "by", place, member);
    } else yield tell("call-approval-changed", `is up to a \`${role}\`, and was up to a \`${other}\``, "by", place);
  }
  for (const role of lost)
    yield tell("call-approval-removed", `by a \`${role}\` is not needed any more`, "by", undefined, `by ${role}`);
}

/** Finds if calls can wait for another time: of several approvals the shortest. */
function* findTimeChange(old: readonly Approval[], young: readonly Approval[], tell: Tell): Generator<Finding> {
  const [before, after] = [old, young].map((all) => Math.min(...all.map(({ expiresSeconds }) => expiresSeconds)));
  if (before === undefined || after === undefined || before === after) return;
  const rule = after < before ? "limit-lowered" : "limit-raised";
  const place = young.find(({ expiresSeconds }) => expiresSeconds === after);
  yield tell(rule, `is possible for ${after} seconds, and was for ${before}`, "expiresSeconds", place);
}

/** Finds an approval of inputs that, as far as is proven, no one of the others means. */
function findOutside(inner: readonly Approval[], outer: readonly Approval[]): Approval | undefined {
  return inner.find((one) => !outer.some((other) => isIncluded(one, other)));
}

/** Checks that it is proven that every input that the one means, the other means, too. */
function isIncluded(inner: Approval, outer: Approval): boolean {
  const toSide = ({ when, check }: Approval): Side => ({ place: toPlace(when), check });
  return compareSchemas(toSide(inner), toSide(outer)).verdict === "included";
}

function groupByRole(approvals: readonly Approval[]): ReadonlyMap<string, readonly Approval[]> {
  return Map.groupBy(approvals, ({ by }) => by);
}
