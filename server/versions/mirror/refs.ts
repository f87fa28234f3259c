import type { ObjectReader } from "../git/object-reader.ts";
import type { Upstream } from "../git/upstream.ts";
import { readTagName } from "../version-name.ts";

/** Ref of the mirror for the tip of the upstream's default branch. */
export const DEFAULT_BRANCH_REF = "refs/cairn/HEAD";
/** Ref of the mirror for the newest commit with readable labels. */
export const LABELS_REF = "refs/cairn/labels";
/** Ref of the mirror for the newest commit with readable policies. */
export const REVOKED_REF = "refs/cairn/revoked";
/** Ref of the mirror for the snapshot of a work tree that `dev` means. */
export const DEV_REF = "refs/cairn/dev";

/**
 * Refs that keep the commits of runs from being lost. No one has reviewed these: the refs make no version, and commits
 * that only they lead to have no address.
 */
export const RUN_REFS = "refs/cairn/runs/";

export interface RemoteRef {
  readonly oid: string;
  /** Object at the end of an annotated tag; else equal to `oid`. */
  readonly target: string;
}

export interface LocalRef extends RemoteRef {
  /** Of the target; only a commit can be a version. */
  readonly type: string;
  /** Milliseconds since 1970: of the tag when annotated, else of the commit. */
  readonly createdAt: number;
  /** Milliseconds since 1970: of the commit; absent where the target is none. */
  readonly committedAt?: number;
  /** The number of the proposal whose head it is. */
  readonly proposal?: number;
  /** Of a tag, where tags must be signed: why it is not trusted. */
  readonly untrusted?: string;
}

/** Reads `git ls-remote --symref`, as far as Cairn follows refs: version tags, branches, heads of proposals, the default branch. */
export function readRemoteRefs(
  output: string,
  { proposals = [] }: Pick<Upstream, "proposals">,
): Map<string, RemoteRef> {
  const refs = new Map<string, RemoteRef>();
  for (const line of output.split("\n")) {
    const [, oid, ref, peeled] = /^([0-9a-f]{40,64})\t(.+?)(\^\{\})?$/.exec(line) ?? [];
    if (oid === undefined || ref === undefined || !isFollowed(ref, proposals)) continue;
    refs.set(ref, { oid: peeled === undefined ? oid : (refs.get(ref)?.oid ?? oid), target: oid });
  }
  const head = refs.get("HEAD") ?? findDefaultBranch(refs);
  refs.delete("HEAD");
  if (head !== undefined) refs.set(DEFAULT_BRANCH_REF, head);
  return refs;
}

/** Full name of the branch that HEAD is upstream, from `git ls-remote --symref`, where the upstream tells. */
export function readDefaultBranch(output: string): string | undefined {
  return /^ref: (refs\/heads\/\S+)\tHEAD$/m.exec(output)?.[1];
}

const LOCAL_REF_FORMAT =
  "%(refname)%00%(objectname)%00%(objecttype)%00%(*objectname)%00%(*objecttype)%00%(creatordate:unix)%00%(*committerdate:unix)";

/** Reads `git for-each-ref` in the format above. A tag of a tag comes out as type `tag`: older gits peel only once. */
function readLocalRefs(output: string, proposals: readonly string[]): Map<string, LocalRef> {
  const refs = new Map<string, LocalRef>();
  for (const line of output.split("\n")) {
    const [ref, oid, type, target, targetType, created, committed] = line.split("\0");
    if (ref === undefined || oid === undefined || type === undefined) continue;
    if (!isFollowed(ref, proposals) && (!ref.startsWith("refs/cairn/") || ref.startsWith(RUN_REFS))) continue;
    const createdAt = toMilliseconds(created) ?? toMilliseconds(committed) ?? 0;
    const committedAt = toMilliseconds(committed);
    const proposal = findProposal(ref, proposals);
    refs.set(ref, {
      oid,
      target: target || oid,
      type: targetType || type,
      createdAt,
      ...(proposal !== undefined && { proposal }),
      ...(committedAt !== undefined && { committedAt }),
    });
  }
  return refs;
}

/** The refs of a repository that Cairn follows, or those of the given names; a tag of a tag means what it ends at. */
export async function listLocalRefs(
  run: (args: readonly string[]) => Promise<string>,
  objects: Pick<ObjectReader, "info">,
  names: readonly string[],
  { proposals = [] }: Pick<Upstream, "proposals"> = {},
): Promise<Map<string, LocalRef>> {
  const output = await run(["for-each-ref", `--format=${LOCAL_REF_FORMAT}`, "--", ...names]);
  const refs = readLocalRefs(output, proposals);
  for (const [ref, known] of refs) {
    const peeled = known.type === "tag" ? await objects.info(`${known.target}^{}`) : undefined;
    if (peeled === undefined) continue;
    const date = peeled.type === "commit" ? await run(["show", "--no-patch", "--format=%ct", peeled.oid]) : "";
    const committedAt = toMilliseconds(date.trim());
    refs.set(ref, {
      ...known,
      target: peeled.oid,
      type: peeled.type,
      ...(committedAt !== undefined && { committedAt }),
    });
  }
  return refs;
}

/** Dates of commits are whatever their author wrote; beyond what a date can hold there is none. */
export function toMilliseconds(seconds: string | undefined): number | undefined {
  const milliseconds = seconds ? Number(seconds) * 1000 : Number.NaN;
  return Math.abs(milliseconds) <= 253_402_300_799_000 ? milliseconds : undefined;
}

function isFollowed(ref: string, proposals: readonly string[]): boolean {
  if (ref.startsWith("refs/tags/")) return readTagName(ref.slice("refs/tags/".length)) !== undefined;
  return ref === "HEAD" || ref.startsWith("refs/heads/") || findProposal(ref, proposals) !== undefined;
}

function findProposal(ref: string, proposals: readonly string[]): number | undefined {
  for (const pattern of proposals) {
    const [before = "", after = ""] = pattern.split("*");
    if (!ref.startsWith(before) || !ref.endsWith(after)) continue;
    const number = ref.slice(before.length, -after.length || undefined);
    if (/^[1-9][0-9]{0,9}$/.test(number)) return Number(number);
  }
  return undefined;
}

/** A bare repository often has a HEAD that names no branch, because the first push chose another name. */
function findDefaultBranch(refs: ReadonlyMap<string, RemoteRef>): RemoteRef | undefined {
  const branches = [...refs].filter(([ref]) => ref.startsWith("refs/heads/"));
  return (
    refs.get("refs/heads/main") ??
    refs.get("refs/heads/master") ??
    (branches.length === 1 ? branches[0]?.[1] : undefined)
  );
}
