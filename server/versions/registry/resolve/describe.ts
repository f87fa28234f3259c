import type { VersionRecord } from "../../record.ts";
import { type ResolveContext, findVersion } from "./resolve.ts";
import { select } from "./select.ts";
import { readSegment } from "./segment.ts";
import type { Version } from "../../version.ts";

/** All there is to say of one version, whether it is served or not. */
export interface Described {
  readonly record: VersionRecord;
  /** True if the address will mean this for ever. */
  readonly immutable: boolean;
  /** See `Found`. */
  readonly version?: Version;
  /** Parent of the version: its name in versions.yaml, and the meaning of that name here. */
  readonly parent?: Parent;
}

export interface Parent {
  readonly named: string;
  readonly version?: string;
  readonly commit?: string;
}

/** Rejects as `resolveVersion` does, but describes a quarantined version instead of refusing it. */
export async function describeVersion(context: ResolveContext, text: string): Promise<Described> {
  const { record, version, immutable } = await findVersion(context, text);
  if (version === undefined) return { record, immutable };
  const named = version.history.versions.get(version.semver)?.parent;
  return { record, immutable, version, ...(named !== undefined && { parent: await findParent(context, named) }) };
}

async function findParent(context: Pick<ResolveContext, "index" | "commits">, named: string): Promise<Parent> {
  const index = context.index();
  const selection = select(index, readSegment(named), undefined);
  if (selection.kind === "version") {
    const { name, commit } = selection.version;
    return { named, version: name, commit };
  }
  if (selection.kind !== "commit") return { named };
  const found = await context.commits.find(index, selection.prefix);
  const [commit] = found;
  if (commit === undefined || found.length > 1) return { named };
  const tagged = index.byCommit.get(commit)?.[0];
  return { named, commit, ...(tagged && { version: tagged.name }) };
}
