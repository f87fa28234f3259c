import type { Alarms } from "../mirror/alarms.ts";
import type { Labels } from "../mirror/labels.ts";
import type { Revocations } from "../mirror/revocations.ts";
import type { Upstream } from "../git/upstream.ts";
import type { RegistryStatus } from "./registry-types.ts";
import type { Syncer } from "./syncer.ts";
import type { Verdicts } from "./verdicts.ts";
import { compareNames } from "../version-name.ts";
import { isQuarantined, type TaggedVersion, type VersionIndex } from "./version-index.ts";

/** Reports the state of the registry at one moment. */
export function toStatus(
  given: Syncer["state"] & {
    readonly upstream: Upstream;
    readonly index: VersionIndex;
    readonly verdicts: Pick<Verdicts, "get">;
    readonly alarms: Alarms;
    readonly labels: Pick<Labels, "current" | "problems">;
    readonly revocations: Revocations;
    readonly dev: RegistryStatus["dev"] | undefined;
    /** Versions that are kept open. */
    readonly open: number;
  },
): RegistryStatus {
  const { upstream, index, verdicts, labels, revocations, dev, ...rest } = given;
  const { versions, pullRequests, missing } = index;
  const judged = versions.map((version) => [version, verdicts.get(version.commit)] as const);
  const quarantined = judged.filter(([version, verdict]) => isQuarantined(version, verdict));
  const served = judged.filter(([version, verdict]) => verdict !== undefined && !isQuarantined(version, verdict));
  const isReplaced = (version: TaggedVersion) =>
    served.some(([other]) => toMajor(other) === toMajor(version) && compareNames(other, version) < 0);
  return {
    ...rest,
    upstream: upstream.shown,
    versions: versions.length,
    unverified: versions.length - quarantined.length - served.length,
    quarantined: quarantined.length,
    quarantinedVersions: quarantined.map(([{ name }]) => name),
    unreplaced: quarantined.filter(([version]) => !version.deleted && !isReplaced(version)).length,
    pullRequests: pullRequests.length,
    missing,
    labels: labels.current,
    labelProblems: labels.problems,
    revokedProblems: revocations.problems,
    ...(dev && { dev }),
  };
}

function toMajor({ semver }: TaggedVersion): string {
  return semver.slice(0, semver.indexOf("."));
}
