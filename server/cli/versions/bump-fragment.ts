import { listChanges } from "../../semver/changelog.ts";
import { explainPending } from "../../semver/pending/judge-pending.ts";
import { isAtLeast, largest } from "../../semver/level.ts";
import { CairnError } from "../../errors.ts";
import type { Loader } from "../../versions/load-version.ts";
import { gatherFragments } from "../../versions/manifests/fragments/gather-fragments.ts";
import type { Fragments } from "../../versions/manifests/fragments/load-fragments.ts";
import { type FragmentKind, toSentences } from "../../versions/manifests/fragments/read-fragment.ts";
import { FRAGMENT_FOLDER } from "../../versions/tree.ts";
import type { CliContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { openCheckout } from "./checkout.ts";
import { compareTargets } from "./compare-targets.ts";
import { openTarget } from "./open-target.ts";
import { putFragment } from "./put-fragment.ts";

export interface FragmentOptions {
  /** Commit of the last served release. */
  readonly from: string;
  readonly fragments: Fragments;
  readonly change?: string | undefined;
  /** The least kind, where a person claims more than the proof. */
  readonly kind?: FragmentKind | undefined;
  readonly dry: boolean;
  readonly loader: Loader;
}

/**
 * Writes a change fragment for what has changed since the last one: of the proven kind, or larger if asked. Writes none where
 * those that are there claim enough, unless there is a message.
 */
export async function bumpFragment(
  here: CliContext,
  { from, fragments, change, kind, dry, loader }: FragmentOptions,
): Promise<number> {
  const { out } = here;
  const [problem] = fragments.problems;
  if (problem !== undefined) {
    const { file, line, column, message } = problem;
    throw new CairnError("BAD_REQUEST", `${file}:${line}:${column}: ${message}`);
  }
  const all = await compareTargets(here, from, ".", { loader });
  const { required } = all.difference;
  const { kind: claimed = "none" } = gatherFragments(fragments.list);
  const since = await findAccounted(here);
  const own = since === undefined ? all : await compareTargets(here, since, ".", { loader }).catch(() => all);
  const known = since === undefined ? [] : await listFragments(here, since, loader);
  const fresh = fragments.list.filter(({ file }) => !known.includes(file));
  // Whatever else is unaccounted for: together they have to claim what the proof says.
  const rest = isAtLeast(largest([claimed, own.difference.required]), required) ? "none" : required;
  const need = largest([own.difference.required, rest]);
  const isCovered = isAtLeast(gatherFragments(fresh).kind ?? "none", need) && rest === "none";
  const least = largest([need, kind ?? "none"]);
  out(explainPending(all.before.semver, required, fragments.list));
  if (least === "none" || (isCovered && change === undefined)) {
    out("No change fragment is written: nothing has changed since the last one.");
    return EXIT.OK;
  }
  const said =
    change === undefined
      ? listChanges((own.difference.required === "none" ? all : own).difference.findings)
      : toSentences(change);
  await putFragment(here, { level: least, changes: said, dry });
  return EXIT.OK;
}

async function listFragments(here: CliContext, commit: string, loader: Loader): Promise<readonly string[]> {
  const target = await openTarget(here, commit, loader);
  target.close();
  return target.fragments?.list.map(({ file }) => file) ?? [];
}

/**
 * Finds the last commit of this branch that changed fragments: a change with its own, a merge that brought some, or a release that
 * gathered them. What came before it is accounted for.
 */
async function findAccounted(here: CliContext): Promise<string | undefined> {
  const { find } = await openCheckout(here);
  const commit = await find("log", "-1", "--first-parent", "-m", "--format=%H", "--", FRAGMENT_FOLDER);
  return commit === undefined || commit === "" ? undefined : commit;
}
