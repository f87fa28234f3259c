import type { CairnError } from "../../errors.ts";
import { type Deprecation, isRetired, toNoticeDays } from "../retirement/deprecation.ts";
import { LABELS_FILE } from "../mirror/labels.ts";
import type { Version } from "../version.ts";
import type { Problem } from "../problem.ts";
import { readVersionName } from "../version-name.ts";
import { versionRetired } from "./resolve/resolve-errors.ts";
import type { Verdicts } from "./verdicts.ts";
import { isQuarantined, type VersionIndex } from "./version-index.ts";
import { DAY_MS } from "../../text/duration.ts";

/** A version as far as its end concerns it. */
export interface Ending {
  readonly commit: string;
  readonly semver?: string;
  /** Of a preview, which has no end but its pull request's. */
  readonly preview?: number;
}

/** Ends of versions, as the default branch announces them. The work tree and previews have none. */
export interface Retirements {
  /** Finds the announced end of a version, whether it has come or not. */
  find(version: Ending): Deprecation | undefined;
  /** Checks that the service of a version has ended: calls of it are refused, and ranges go elsewhere. */
  isOver(version: Ending): boolean;
  /** The error that calls of a version end with, once its service has ended. */
  refuse(version: Ending): CairnError | undefined;
  /**
   * Finds when calls of a tool end, in milliseconds since 1970: at its sunset, but never sooner after the release of its version
   * than notices are long. A patch that says a day in the past would otherwise take a tool from callers without its proof.
   */
  findToolEnd(version: Pick<Version, "commit" | "policies">, deprecation: Deprecation): number;
  /** Lists reasons why versions would go on past their end: nobody loses a version without having another to go to. */
  listProblems(): readonly Problem[];
}

export function createRetirements(given: {
  readonly index: () => VersionIndex;
  readonly verdicts: Pick<Verdicts, "get">;
  /** The commit that `dev` means, if any. */
  readonly dev: () => string | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): Retirements {
  const { index, verdicts, dev, now } = given;

  function find({ commit, semver, preview }: Ending): Deprecation | undefined {
    if (semver === undefined || preview !== undefined) return undefined;
    const deprecation = index().announced.deprecations.get(semver);
    return deprecation === undefined || commit === dev() ? undefined : deprecation;
  }

  function isServed(semver: string): boolean {
    const tagged = index().bySemver.get(semver) ?? [];
    return tagged.some((version) => !version.deleted && !isQuarantined(version, verdicts.get(version.commit)));
  }

  function findHold(semver: string, { successor }: Deprecation): Problem | undefined {
    if (successor === undefined || !isServed(successor)) {
      const isDeleted =
        index()
          .bySemver.get(successor ?? "")
          ?.some(({ deleted }) => deleted) === true;
      const why = isDeleted
        ? `the tag of its successor ${successor} was deleted upstream`
        : `its successor ${successor ?? ""} is not served`;
      return hold(semver, why, "Release the successor, or name another.");
    }
    const label = [...index().labels].find(([, target]) => leadsTo(index(), target, semver))?.[0];
    if (label === undefined) return undefined;
    return hold(semver, `the label \`${label}\` leads to it`, "Move the label to another version.");
  }

  function isOver(version: Ending): boolean {
    const deprecation = find(version);
    if (deprecation === undefined || version.semver === undefined || !isRetired(deprecation, now())) return false;
    return deprecation.yanked === true || findHold(version.semver, deprecation) === undefined;
  }

  return Object.freeze<Retirements>({
    find,
    isOver,
    refuse(version) {
      const deprecation = find(version);
      if (deprecation === undefined || !isOver(version)) return undefined;
      return versionRetired(version.semver ?? version.commit, deprecation);
    },
    findToolEnd({ commit, policies }, { sunset = Infinity }) {
      const released = (index().byCommit.get(commit) ?? []).map(({ releasedAt }) => releasedAt);
      if (released.length === 0) return sunset;
      return Math.max(sunset, Math.min(...released) + toNoticeDays(policies) * DAY_MS);
    },
    listProblems() {
      return [...index().announced.deprecations].flatMap(([semver, deprecation]) => {
        if (
          deprecation.sunset === undefined ||
          deprecation.yanked === true ||
          index().bySemver.get(semver) === undefined
        )
          return [];
        return findHold(semver, deprecation) ?? [];
      });
    },
  });
}

function leadsTo(index: VersionIndex, target: string, semver: string): boolean {
  const name = readVersionName(target);
  if (name !== undefined) return name.semver === semver;
  return (index.bySemver.get(semver) ?? []).some(({ commit }) => commit.startsWith(target));
}

function hold(semver: string, why: string, fix: string): Problem {
  const message = `${semver} goes on past the end of its service, because ${why}.`;
  return { file: LABELS_FILE, line: 1, column: 1, rule: "deprecation-invalid", message, fix };
}
