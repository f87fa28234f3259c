import { compareInTurns } from "../../../semver/compare-versions.ts";
import { listAccepted, toPending } from "../../../semver/pending/judge-pending.ts";
import { largest, type Level } from "../../../semver/level.ts";
import { type Against, planMeasuredRaise, toRelease } from "../../../semver/plan-raise.ts";
import { CairnError } from "../../../errors.ts";
import type { Loader } from "../../../versions/load-version.ts";
import { gatherFragments } from "../../../versions/manifests/fragments/gather-fragments.ts";
import { loadFragments } from "../../../versions/manifests/fragments/load-fragments.ts";
import type { Version } from "../../../versions/version.ts";
import { writeRelease, writeToolVersion } from "../../../versions/write-version.ts";
import type { Workspace } from "../../../capabilities/workspace/workspace.ts";
import { loadCandidate } from "./load-candidate.ts";
import { tellDifferences } from "./tell-differences.ts";

export interface RaiseRequest {
  readonly before: Version;
  /**
   * The version that numbers are counted from: `before`, or the last released one below it where nobody can have the number
   * of `before` yet. Then that number stays as long as it says enough for all changes since.
   */
  readonly released: Version;
  /** With the files of the change; its own numbers may be as they were. */
  readonly workspace: Workspace;
  /** Sentences for versions.yaml; in place of those that only name files, and without any, it gets one for each difference. */
  readonly changes: readonly string[];
  /** The least bump of the tree and of the tools that changed, where somebody asks for one. */
  readonly least?: Level;
  /** Versions that the numbers are also measured against. */
  readonly against: Against;
  /** Says whether a number has a tag already, and so is passed over at the same level. */
  readonly taken: (semver: string) => boolean;
  readonly loader: Loader;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Numbers that a change needs, as texts of files. */
export interface Raised {
  /** The least bump that the difference needs; `none` where the files make no version, which verifying them tells. */
  readonly required: Level;
  /** Version of the tree with these texts in place. */
  readonly semver: string;
  /** The version that this one comes after: the last released one, or `semver` itself where the change needs no release. */
  readonly follows: string;
  /** Sentences about the change, with its differences in them. */
  readonly changes: readonly string[];
  /** By path: versions.yaml and manifests of tools; none where the numbers are high enough. */
  readonly files: ReadonlyMap<string, string>;
  /** Paths of change fragments that are gathered, and so removed; absent: none. */
  readonly gathered?: readonly string[];
}

/** Works out the numbers of a change, as `cairn bump --tools` does. Rejects with BAD_REQUEST where versions.yaml is in one line. */
export async function raiseVersion(request: RaiseRequest): Promise<Raised> {
  const { before, released, workspace, changes, least = "none", against, taken, loader, now } = request;
  return workspace.inspect(async (folder) => {
    const loaded = await loadCandidate(folder, loader);
    const { semver } = before;
    if (!loaded.ok) return { required: "none", semver, follows: semver, changes, files: new Map() };
    const { version: after, readText, tree } = loaded.candidate;
    const own = await compareInTurns(before, after);
    const told = tellDifferences(changes, own.findings);
    // A change of the Architect is released as it lands, with what others have merged and not released.
    const fragments = (await loadFragments(tree))?.list ?? [];
    const accepts = listAccepted(after, fragments);
    // What others have accepted for the release says nothing of the size of this change.
    const whole = accepts.length === 0 ? after : toPending(after, fragments);
    const difference = released === before && whole === after ? own : await compareInTurns(released, whole);
    const asked = new Set(own.claims.flatMap(({ tool }) => tool ?? []));
    const plan = await planMeasuredRaise(difference, released, after, { tools: true, least, asked, taken }, against);
    const gathered = gatherFragments(fragments);
    const files = new Map<string, string>();
    const edit = async (file: string, change: (text: string) => string) => {
      const text = await readText(file);
      if (text === undefined) throw new CairnError("CONFLICT", `\`${file}\` is gone.`);
      files.set(file, change(text));
    };
    for (const { file, version } of plan.tools) await edit(file, (text) => writeToolVersion(text, version));
    // An earlier change of the same release has raised the number: this one adds its sentences there.
    const isPart = released !== before && after.semver === semver && largest([own.required, least]) !== "none";
    const raised = plan.current ?? (isPart ? semver : undefined);
    const claimed = largest([least, gathered.kind ?? "none"]);
    // Kinds of others' fragments say nothing of the tools that this change is about.
    const all = { tools: true, least: claimed, asked: new Set<string>(), taken };
    const current =
      raised === undefined || fragments.length === 0
        ? raised
        : ((await planMeasuredRaise(difference, released, after, all, against)).current ?? raised);
    if (current !== undefined) {
      const about = {
        isReleased: taken(after.semver),
        changes: [...new Set([...told, ...gathered.changes])],
        now: now(),
      };
      const release = toRelease(current, released, after, about);
      const { parent = release.parent } = (release.replaced && after.history.versions.get(release.replaced)) || {};
      await edit("versions.yaml", (text) => writeRelease(text, { ...release, parent, accepts }));
    }
    const made = current ?? after.semver;
    const gone = current !== undefined && fragments.length > 0 && { gathered: fragments.map(({ file }) => file) };
    return {
      required: own.required,
      semver: made,
      follows: current === undefined ? semver : released.semver,
      changes: told,
      files,
      ...gone,
    };
  });
}
