import { claimByFragments, toPending } from "../../semver/pending/judge-pending.ts";
import { compareVersions } from "../../semver/compare-versions.ts";
import type { LocatedDifference } from "../../semver/report/format-difference.ts";
import { locateFindings } from "../../semver/locate-findings.ts";
import { CairnError } from "../../errors.ts";
import { createLoader, type Loader } from "../../versions/load-version.ts";
import type { Fragment } from "../../versions/manifests/fragments/read-fragment.ts";
import type { Version } from "../../versions/version.ts";
import type { CliContext } from "../command.ts";
import { type JudgedTarget, judgeTarget } from "./judge-target.ts";
import { openTarget, type Target } from "./open-target.ts";

export interface ComparedTargets {
  readonly difference: LocatedDifference;
  readonly before: Version;
  readonly after: Version;
  /** Change fragments of the newer one, where they claim in place of its number: the older one has that number too. */
  readonly fragments?: readonly Fragment[];
  /** The newer one, where that is asked for. */
  readonly judged?: JudgedTarget;
}

/**
 * Compares two folders or commits; with `judges`, also judges if the newer one would be served. Rejects when one of them
 * is no valid version, with its first problem.
 */
export async function compareTargets(
  context: Pick<CliContext, "folder" | "environment">,
  from: string,
  to: string,
  { judges = false, loader = createLoader() }: { readonly judges?: boolean; readonly loader?: Loader } = {},
): Promise<ComparedTargets> {
  const old = await openTarget(context, from, loader);
  try {
    const young = await openTarget(context, to, loader);
    try {
      const [before, after] = [toVersion(old, from), toVersion(young, to)];
      const list = before.semver === after.semver ? young.fragments?.list : undefined;
      const plain = compareVersions(before, list === undefined ? after : toPending(after, list));
      const difference = list === undefined ? plain : claimByFragments(plain, list);
      const findings = await locateFindings(difference.findings, (side, file) =>
        (side === "before" ? old : young).readText(file),
      );
      const candidate = { version: after, readText: young.readText, fragments: young.fragments };
      const judged = judges ? await judgeTarget(context, to, candidate, loader) : undefined;
      return {
        difference: { ...difference, findings },
        before,
        after,
        ...(list && { fragments: list }),
        ...(judged && { judged }),
      };
    } finally {
      young.close();
    }
  } finally {
    old.close();
  }
}

export function toVersion({ loaded }: Target, name: string): Version {
  if (loaded.ok) return loaded.version;
  const [first] = loaded.problems;
  const said = first === undefined ? "" : `: ${first.file}:${first.line}:${first.column}: ${first.message}`;
  throw new CairnError(
    "VERSION_QUARANTINED",
    `\`${name}\` is no valid version; \`cairn validate ${name}\` says why${said}`,
  );
}
