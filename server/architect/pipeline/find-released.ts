import { specPath } from "../../capabilities/work/gate.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import { feedbackKey, OPEN_FEEDBACK } from "../../store/keys.ts";
import type { Version } from "../../versions/version.ts";
import type { ArchitectContext } from "./context.ts";
import { readFeedbackRecord } from "./feedback-record.ts";
import type { Base } from "./repository.ts";

/** Branch that a change is made on, with what is known about its numbers. */
export interface Ground {
  readonly base: Base;
  readonly version: Version;
  /** Says whether a number has a tag. */
  readonly taken: (semver: string) => boolean;
  /** Ids of the feedback that the change is made for. */
  readonly own: readonly string[];
}

/**
 * Finds the version that the numbers of a change are counted from: that of its base; or the nearest served one below, where
 * people have raised the number of the base and not released it yet, because changes of one release share its number.
 */
export async function findReleased(
  context: Pick<ArchitectContext, "registry" | "store" | "filesOf">,
  ground: Ground,
): Promise<Version> {
  const { registry } = context;
  const { base, version, taken } = ground;
  if (taken(version.semver)) return version;
  const bases = await registry.findBases(version, base.build || undefined);
  const nearest = bases.find(({ scope }) => scope === "all")?.version;
  if (nearest === undefined || (await isOnItsWay(context, ground))) return version;
  // A parent must be one of the listed versions.
  const { versions } = version.history;
  const hasParent = versions.get(version.semver)?.parent !== undefined || versions.has(nearest.semver);
  return hasParent ? registry.read(nearest.commit) : version;
}

/** Checks if other feedback has landed on the base with its number, and is about to be tagged: nothing can join that any more. */
async function isOnItsWay(
  { store, filesOf }: Pick<ArchitectContext, "store" | "filesOf">,
  { base, version, own }: Ground,
): Promise<boolean> {
  const { readText } = await filesOf(base.head);
  for await (const { key, value } of store.scan({ prefix: OPEN_FEEDBACK })) {
    const id = String(key.at(-1));
    const found = own.includes(id) ? undefined : await store.get(feedbackKey(String(value), id));
    const proposal = found === undefined ? null : readFeedbackRecord(found.value).proposal;
    if (proposal?.isRelease !== true || proposal.semver !== version.semver) continue;
    if ((await readText(specPath(id))) !== undefined) return true;
  }
  return false;
}

/**
 * Checks if a landed version is to be tagged: it has another number than its parent, or joins the parent's, which nobody
 * else has. `tagged`: the commit that its tag leads to.
 */
export function isRelease(version: Version, before: Version, tagged: string | undefined): boolean {
  const { semver, commit } = version;
  if (semver !== before.semver) return true;
  const [now, then] = [version, before].map(({ history }) =>
    canonicalJson(history.versions.get(semver)?.changes ?? []),
  );
  return now !== then && (tagged === undefined || tagged === commit);
}
