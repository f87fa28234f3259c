import { hash } from "node:crypto";
import { CairnError } from "../../errors.ts";
import type { Change, ChangeStatus, Forge } from "../../forge/forge.ts";
import { describeDrift } from "./describe-drift.ts";
import type { Drift, DriftFiles, ImportName } from "./drift.ts";

/** Fate of the change of an import on the forge. */
export interface Settled {
  /** `left`: a person has made it theirs. `refused`: a person closed it, or took it back, and the source has not changed since. */
  readonly outcome: "proposed" | "revised" | "open" | "left" | "refused" | "closed" | "none";
  readonly change?: Change;
}

/** Commits of changes, read from a copy of the repository that the forge has brought up to date. */
export interface ChangeReader {
  /** Message of the last commit that is not only a merge of its base, with that commit. */
  loadOwn(head: string, base: string): Promise<{ readonly commit: string; readonly message: string }>;
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
}

const AUTHOR = { name: "Cairn", email: "cairn@localhost" };
/** Trailers of commits: what the source had, and what the commit holds. */
const DRIFT = "Cairn-Drift";
const FILES = "Cairn-Files";
/** Forges work out in the background whether a change can be merged: so often they are asked, so far apart. */
const LOOKS = 10;
const LOOK_MS = 500;
/** Changes of one import that have come to an end, beyond which nobody looks. */
const MAX_ENDED = 1_000;

/**
 * Brings the one change of an import on the forge to where it should be: there is one while the source differs, and none once it does
 * not. Nothing is remembered but what the forge has, so it may run anywhere. A branch to which a person has pushed is left alone.
 */
export async function settleChange(
  options: SettleOptions,
  about: ImportName,
  drift: Drift | undefined,
): Promise<Settled> {
  const { forge } = options;
  let last: Found | undefined;
  for (let attempt = 1; attempt <= MAX_ENDED; attempt++) {
    const key = toKey(about, attempt);
    const change = await forge.find(key);
    if (change === undefined) return drift === undefined ? { outcome: "none" } : propose(options, key, drift, last);
    const status = await loadStatus(options, change);
    if (status.state === "open") return follow(options, { change, status }, drift);
    last = { change, status };
  }
  throw new CairnError("CONFLICT", `There have been ${MAX_ENDED} changes of the import \`${about.name}\`.`);
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

async function propose(options: SettleOptions, key: string, drift: Drift, last: Found | undefined): Promise<Settled> {
  const { forge, from, base } = options;
  // What was closed here because the source was again as before is proposed again; what a person closed is not.
  if (last !== undefined && last.status.isAbandoned !== true && (await isAbout(options, last, drift)))
    return { outcome: "refused", change: last.change };
  const { title, body, message } = toWords(drift);
  const words = { title, body, message, author: AUTHOR, isLeftToPeople: true };
  const change = await forge.propose({ key, from, base, files: drift.files, labels: ["cairn"], ...words });
  return { outcome: "proposed", change };
}

/** Follows up an open change. */
async function follow(options: SettleOptions, found: Found, drift: Drift | undefined): Promise<Settled> {
  const { forge, from } = options;
  const { change, status } = found;
  if (!(await isOurs(options, found))) return { outcome: "left", change };
  if (drift === undefined) {
    await forge.abandon(change, "The source is again as it was imported, so there is nothing to renew.");
    return { outcome: "closed", change };
  }
  if (status.mergeable !== "conflict" && (await isAbout(options, found, drift))) return { outcome: "open", change };
  try {
    const words = { ...toWords(drift), author: AUTHOR, isLeftToPeople: true };
    await forge.revise(change, { ...words, from, files: drift.files, expectHead: status.head });
  } catch (error) {
    // Somebody has pushed since it was looked at.
    if (error instanceof CairnError && error.name === "CONFLICT" && (await forge.status(change)).head !== status.head)
      return { outcome: "left", change };
    throw error;
  }
  return { outcome: "revised", change };
}

function toWords(drift: Drift): { readonly title: string; readonly body: string; readonly message: string } {
  const { title, body, message } = describeDrift(drift);
  const trailers = `${DRIFT}: ${drift.fingerprint}\n${FILES}: ${digestFiles(drift.files)}`;
  return { title, body, message: `${message}\n\n${trailers}\n` };
}

/** Says whether a change was made for what the source has now. */
async function isAbout({ reader, base }: SettleOptions, { status }: Found, drift: Drift): Promise<boolean> {
  const { message } = await reader.loadOwn(status.head, base);
  return findTrailer(message, DRIFT) === drift.fingerprint;
}

/** Says whether the branch has what was proposed and nothing of a person: also an amended commit is a person's. */
async function isOurs({ reader, base }: SettleOptions, { status }: Found): Promise<boolean> {
  if (status.isAsProposed === true) return true;
  const { commit, message } = await reader.loadOwn(status.head, base);
  const said = findTrailer(message, FILES);
  return said !== undefined && said === digestFiles(await reader.loadFiles(commit, base));
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
