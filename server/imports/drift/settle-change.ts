import { hash } from "node:crypto";
import { CairnError } from "../../errors.ts";
import { CAIRN_AUTHOR } from "../../forge/cairn-author.ts";
import type { Change, ChangeStatus, Forge } from "../../forge/forge.ts";
import { describeDrift, type DriftWords } from "./describe-drift.ts";
import type { Drift, DriftFiles, ImportName } from "./drift.ts";

/** Fate of the change of an import on the forge. */
export interface Settled {
  /** `landed`: the commit that was looked at is older than that. `left`: a person has made it theirs. `refused`: a person closed it, or took it back, and the source has not changed since. */
  readonly outcome: "proposed" | "revised" | "open" | "left" | "refused" | "landed" | "closed" | "none";
  readonly change?: Change;
}

/** Commits of changes, read from a copy of the repository that the forge brings up to date. */
export interface ChangeReader {
  /** Says whether the copy has a commit. */
  has(commit: string): Promise<boolean>;
  /** Message of the last commit that is not only a merge of its base, with that commit. */
  loadOwn(head: string, base: string): Promise<{ readonly commit: string; readonly message: string }>;
  /** Says whether a commit is in the history of another; of one that is not in the copy, it is not. */
  isIn(commit: string, other: string): Promise<boolean>;
  /** The files that a commit has otherwise than the base it was made from. */
  loadFiles(commit: string, base: string): Promise<DriftFiles>;
}

export interface SettleOptions {
  readonly forge: Forge;
  readonly reader: ChangeReader;
  /** Branch that changes land on, and a commit of it, of which the drift is. */
  readonly base: string;
  readonly from: string;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Absent: as `cairn drift` describes it. */
  readonly words?: (drift: Drift) => DriftWords;
  /** Further trailers of the commit. */
  readonly trailers?: readonly string[];
  /** False where the service lands it once it is green; absent: people do. */
  readonly isLeftToPeople?: boolean;
}

/** Trailers of commits: what the source had, and what the commit holds. */
const DRIFT = "Cairn-Drift";
const FILES = "Cairn-Files";
/** Forges work out in the background whether a change can be merged: so often they are asked, so far apart. */
const LOOKS = 10;
const LOOK_MS = 500;
/** Changes of one import that have come to an end, beyond which nobody looks. */
const MAX_ENDED = 1_000;

/** Standing of the change of an import: settled, or a step of the forge is due. */
export type Standing =
  | { readonly due: "none"; readonly settled: Settled }
  | { readonly due: "propose"; readonly key: string }
  | { readonly due: "revise"; readonly found: Found }
  | { readonly due: "close"; readonly found: Found };

/**
 * Looks where the one change of an import stands on the forge, and changes nothing. `fingerprint` is of what the source has of the
 * import; undefined: it is as it was imported. Nothing is remembered but what the forge has, so it may run anywhere.
 */
export async function lookAtChange(
  options: SettleOptions,
  about: ImportName,
  fingerprint: string | undefined,
): Promise<Standing> {
  const { forge } = options;
  let last: Found | undefined;
  for (let attempt = 1; attempt <= MAX_ENDED; attempt++) {
    const key = toKey(about, attempt);
    const change = await forge.find(key);
    if (change === undefined) return lookAtEnded(options, key, fingerprint, last);
    const status = await loadStatus(options, change);
    if (status.state === "open") return lookAtOpen(options, { change, status }, fingerprint);
    last = { change, status };
  }
  throw new CairnError("CONFLICT", `There have been ${MAX_ENDED} changes of the import \`${about.name}\`.`);
}

/**
 * Brings the one change of an import on the forge to where it should be: there is one while the source differs, and none once it does
 * not. A branch to which a person has pushed is left alone.
 */
export async function settleChange(
  options: SettleOptions,
  about: ImportName,
  drift: Drift | undefined,
): Promise<Settled> {
  const { forge, from, base } = options;
  const standing = await lookAtChange(options, about, drift?.fingerprint);
  if (standing.due === "none") return standing.settled;
  if (standing.due === "close") {
    const { change } = standing.found;
    await forge.abandon(change, "The source is again as it was imported, so there is nothing to renew.");
    return { outcome: "closed", change };
  }
  if (drift === undefined) throw new TypeError("Nothing differs that could be proposed.");
  if (standing.due === "revise") return revise(options, standing.found, drift);
  const { key } = standing;
  const change = await forge.propose({
    key,
    from,
    base,
    files: drift.files,
    labels: ["cairn"],
    ...toWords(options, drift),
  });
  return { outcome: "proposed", change };
}

interface Found {
  readonly change: Change;
  readonly status: ChangeStatus;
}

/** Names a change: its branch stays the same until it has landed or was closed; the next one has another number. */
function toKey({ kind, name }: ImportName, attempt: number): string {
  const plain = name.replaceAll("_", "-").replace(/-+$/, "");
  const more = plain === name ? "" : `-${hash("sha256", name).slice(0, 6)}`;
  return `drift${attempt === 1 ? "" : attempt}-${kind}-${plain}${more}`;
}

/** Looks at a change that there is not yet, after the last one that has come to an end. */
async function lookAtEnded(
  options: SettleOptions,
  key: string,
  fingerprint: string | undefined,
  last: Found | undefined,
): Promise<Standing> {
  if (fingerprint === undefined) return { due: "none", settled: { outcome: "none" } };
  // A checkout from before it landed still has what it was made from: nobody has said no to it.
  const { merged } = last?.status ?? {};
  if (last !== undefined && merged !== undefined && !(await options.reader.isIn(merged, options.from)))
    return { due: "none", settled: { outcome: "landed", change: last.change } };
  // What was closed here because the source was again as before is proposed again; what a person closed is not.
  if (last !== undefined && last.status.isAbandoned !== true && (await isAbout(options, last, fingerprint)))
    return { due: "none", settled: { outcome: "refused", change: last.change } };
  return { due: "propose", key };
}

async function lookAtOpen(options: SettleOptions, found: Found, fingerprint: string | undefined): Promise<Standing> {
  const { change, status } = found;
  if (!(await isOurs(options, found))) return { due: "none", settled: { outcome: "left", change } };
  if (fingerprint === undefined) return { due: "close", found };
  if (status.mergeable === "conflict" || !(await isAbout(options, found, fingerprint))) return { due: "revise", found };
  return { due: "none", settled: { outcome: "open", change } };
}

async function revise(options: SettleOptions, { change, status }: Found, drift: Drift): Promise<Settled> {
  const { forge, from } = options;
  try {
    await forge.revise(change, { ...toWords(options, drift), from, files: drift.files, expectHead: status.head });
  } catch (error) {
    // Somebody has pushed since it was looked at.
    if (error instanceof CairnError && error.name === "CONFLICT" && (await forge.status(change)).head !== status.head)
      return { outcome: "left", change };
    throw error;
  }
  return { outcome: "revised", change };
}

function toWords({ words = describeDrift, trailers = [], isLeftToPeople = true }: SettleOptions, drift: Drift) {
  const { title, body, message } = words(drift);
  const all = [...trailers, `${DRIFT}: ${drift.fingerprint}`, `${FILES}: ${digestFiles(drift.files)}`];
  return { title, body, message: `${message}\n\n${all.join("\n")}\n`, author: CAIRN_AUTHOR, isLeftToPeople };
}

/** Says whether a change was made for what the source has now. */
async function isAbout(options: SettleOptions, { status }: Found, fingerprint: string): Promise<boolean> {
  const { message } = await loadOwn(options, status);
  return findTrailer(message, DRIFT) === fingerprint;
}

/** Says whether the branch has what was proposed and nothing of a person: also an amended commit is a person's. */
async function isOurs(options: SettleOptions, { status }: Found): Promise<boolean> {
  if (status.isAsProposed === true) return true;
  const { reader, base } = options;
  const { commit, message } = await loadOwn(options, status);
  const said = findTrailer(message, FILES);
  return said !== undefined && said === digestFiles(await reader.loadFiles(commit, base));
}

/** Loads the last commit of a change, whose branch people may have moved or taken away since the copy was looked at. */
async function loadOwn({ forge, reader, base }: SettleOptions, { head }: ChangeStatus) {
  if (!(await reader.has(head))) await forge.sync([head]);
  return reader.loadOwn(head, base);
}

function findTrailer(message: string, name: string): string | undefined {
  const line = message
    .trimEnd()
    .split("\n")
    .findLast((one) => one.startsWith(`${name}: `));
  return line?.slice(name.length + 2);
}

function digestFiles(files: DriftFiles): string {
  return hash("sha256", JSON.stringify([...files].toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

async function loadStatus({ forge, sleep }: SettleOptions, change: Change): Promise<ChangeStatus> {
  for (let look = 1; ; look++) {
    const status = await forge.status(change);
    if (status.state !== "open" || status.mergeable !== "unknown" || look === LOOKS) return status;
    await sleep(LOOK_MS);
  }
}
