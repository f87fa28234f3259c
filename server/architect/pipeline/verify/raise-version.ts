import { compareInTurns } from "../../../semver/compare-versions.ts";
import type { Level } from "../../../semver/level.ts";
import { type Against, planMeasuredRaise, toRelease } from "../../../semver/plan-raise.ts";
import { CairnError } from "../../../errors.ts";
import type { Loader } from "../../../versions/load-version.ts";
import type { Version } from "../../../versions/version.ts";
import { writeRelease, writeToolVersion } from "../../../versions/write-version.ts";
import type { Workspace } from "../../../capabilities/workspace/workspace.ts";
import { loadCandidate } from "./load-candidate.ts";
import { defined } from "../../../json/defined.ts";

export interface RaiseRequest {
  readonly before: Version;
  /** With the files of the change; its own numbers may be as they were. */
  readonly workspace: Workspace;
  /** Sentences for versions.yaml; without any, it gets one for each difference. */
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
  /** By path: versions.yaml and manifests of tools; none where the numbers are high enough. */
  readonly files: ReadonlyMap<string, string>;
}

/** Works out the numbers of a change, as `cairn bump --tools` does. Rejects with BAD_REQUEST where versions.yaml is in one line. */
export async function raiseVersion(request: RaiseRequest): Promise<Raised> {
  const { before, workspace, changes, least, against, taken, loader, now } = request;
  return workspace.inspect(async (folder) => {
    const loaded = await loadCandidate(folder, loader);
    if (!loaded.ok) return { required: "none", semver: before.semver, files: new Map() };
    const { version: after, readText } = loaded.candidate;
    const difference = await compareInTurns(before, after);
    const options = { tools: true, ...defined({ least }), taken };
    const plan = await planMeasuredRaise(difference, before, after, options, against);
    const files = new Map<string, string>();
    const edit = async (file: string, change: (text: string) => string) => {
      const text = await readText(file);
      if (text === undefined) throw new CairnError("CONFLICT", `\`${file}\` is gone.`);
      files.set(file, change(text));
    };
    for (const { file, version } of plan.tools) await edit(file, (text) => writeToolVersion(text, version));
    const { current } = plan;
    if (current !== undefined) {
      const release = toRelease(current, before, after, {
        isReleased: taken(after.semver),
        changes: changes.length === 0 ? plan.changes : changes,
        now: now(),
      });
      await edit("versions.yaml", (text) => writeRelease(text, release));
    }
    return { required: difference.required, semver: current ?? after.semver, files };
  });
}
