import { LRUCache } from "lru-cache";
import type { Caller } from "../../auth/caller.ts";
import type { ToPrincipal } from "../../auth/to-principal.ts";
import { CairnError } from "../../errors.ts";
import { compareInTurns } from "../../semver/compare-versions.ts";
import { claimByFragments, toPending } from "../../semver/pending/judge-pending.ts";
import type { Finding } from "../../semver/finding.ts";
import { type LocatedDifference, toDifferenceJson } from "../../semver/report/format-difference.ts";
import { locateFindings } from "../../semver/locate-findings.ts";
import { holdsAll } from "../../principal.ts";
import { loadFragments } from "../../versions/manifests/fragments/load-fragments.ts";
import type { Fragment } from "../../versions/manifests/fragments/read-fragment.ts";
import type { Registry } from "../../versions/registry/registry-types.ts";
import type { Version } from "../../versions/version.ts";
import { toJsonDocument } from "../document.ts";
import type { Reply } from "../reply.ts";

const SEPARATOR = "...";
const MAX_KEPT = 32;

/** `GET /versions/{a}...{b}`: how two versions differ, as far as the caller may use what differs. */
export interface Differences {
  /** Undefined where the segment names one version, not two. */
  answer(segment: string, caller: Caller): Promise<Reply> | undefined;
  /** Lists the findings of a version next to another one; undefined where the other cannot be read. */
  listFindings(from: string, after: Version): Promise<readonly Finding[] | undefined>;
}

export function createDifferences(given: {
  readonly registry: Pick<Registry, "inspect" | "readText" | "readTree">;
  readonly toPrincipal: ToPrincipal;
}): Differences {
  const { registry, toPrincipal } = given;
  const kept = new LRUCache<string, Promise<LocatedDifference>>({ max: MAX_KEPT });

  async function compare(before: Version, after: Version): Promise<LocatedDifference> {
    // With one number on both sides, the number says nothing of what has changed since its release.
    const fragments = before.semver === after.semver ? await findFragments(after.commit) : undefined;
    const plain = await compareInTurns(before, fragments === undefined ? after : toPending(after, fragments));
    const difference = fragments === undefined ? plain : claimByFragments(plain, fragments);
    const findings = await locateFindings(difference.findings, (side, file) =>
      registry.readText((side === "before" ? before : after).commit, file),
    );
    return { ...difference, findings };
  }

  async function findFragments(commit: string): Promise<readonly Fragment[] | undefined> {
    const read = await registry.readTree(commit);
    return read.ok ? (await loadFragments(read.tree))?.list : undefined;
  }

  function compareOnce(before: Version, after: Version): Promise<LocatedDifference> {
    const key = before.commit + SEPARATOR + after.commit;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const started = compare(before, after);
    kept.set(key, started);
    started.catch(() => kept.delete(key));
    return started;
  }

  async function answer(from: string, to: string, caller: Caller): Promise<Reply> {
    const before = await registry.inspect(from);
    const after = await registry.inspect(to);
    const difference = await compareOnce(before.version, after.version);
    const versions = [before.version, after.version];
    // Who may use it in either of the two has to know what became of it.
    const isVisible = (name: string | undefined) =>
      name === undefined ||
      versions.some((version) => {
        const tool = version.tools.get(name);
        return tool !== undefined && holdsAll(toPrincipal(version, caller), tool.requiredCapabilities);
      });
    const findings = difference.findings.filter(({ tool, isPolicy }) => isPolicy !== true && isVisible(tool));
    const claims = difference.claims.filter(({ tool }) => isVisible(tool));
    const hidden = difference.findings.length - findings.length;
    const isRestricted = versions.some(({ tools }) =>
      [...tools.values()].some(({ requiredCapabilities }) => requiredCapabilities.length > 0),
    );
    const keep = before.immutable && after.immutable ? "for-ever" : "checked";
    return {
      document: toJsonDocument(toDifferenceJson({ ...difference, findings, claims, hidden })),
      keep: isRestricted ? "checked-by-caller" : keep,
    };
  }

  async function listFindings(from: string, after: Version): Promise<readonly Finding[] | undefined> {
    try {
      const { version: before } = await registry.inspect(from);
      return (await compareOnce(before, after)).findings;
    } catch (error) {
      if (error instanceof CairnError) return undefined;
      throw error;
    }
  }

  return Object.freeze({
    listFindings,
    answer: (segment: string, caller: Caller) => {
      const at = segment.indexOf(SEPARATOR);
      return at === -1 ? undefined : answer(segment.slice(0, at), segment.slice(at + SEPARATOR.length), caller);
    },
  });
}
