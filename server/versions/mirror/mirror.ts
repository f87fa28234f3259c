import { mkdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../../errors.ts";
import { createInPlace } from "../git/create-in-place.ts";
import { type Git, SERVE_LOCALLY } from "../git/git.ts";
import { type ObjectReader, openObjectReader } from "../git/object-reader.ts";
import { runRemote } from "../git/run-remote.ts";
import {
  LABELS_REF,
  listLocalRefs,
  REVOKED_REF,
  type LocalRef,
  RUN_REFS,
  type RemoteRef,
  readDefaultBranch,
  readRemoteRefs,
} from "./refs.ts";
import { type DatedCommit, isAncestor, listChanges } from "../git/history.ts";
import { removeStaleLocks } from "../git/stale-locks.ts";
import { type CheckSignatures, createCheckSignatures } from "./signatures.ts";
import type { WantedRef } from "./sync-plan.ts";
import { type Upstream, unreadable } from "../git/upstream.ts";

/**
 * Cairn's own bare copy of the repository, the only one that versions are read from. Its tags are only ever created, so
 * git itself remembers what each tag meant when it was first seen, and keeps what it needs.
 */
export interface Mirror {
  readonly path: string;
  readonly objects: ObjectReader;
  /** Lists the refs of the upstream. HEAD of the mirror names its default branch afterwards. */
  listUpstream(): Promise<Map<string, RemoteRef>>;
  /** All refs, or those of the given names that there are. */
  listRefs(names?: readonly string[]): Promise<ReadonlyMap<string, LocalRef>>;
  /** Copies objects from the upstream with everything they need, or nothing; no ref changes. */
  fetch(oids: readonly string[]): Promise<void>;
  /** All or nothing. `create` fails when the ref exists. */
  writeRefs(action: "create" | "update", refs: readonly WantedRef[]): Promise<void>;
  removeRefs(refs: readonly string[]): Promise<void>;
  /** Checks that a commit belongs to the history of any ref whose commits users may name. */
  isReachable(commit: string): Promise<boolean>;
  /** Checks that one commit is in the history of another. */
  isAncestor(older: string, newer: string): Promise<boolean>;
  /** Names of the tags that have a commit in their history, or of those in its own history. */
  listTags(which: "containing" | "below", commit: string): Promise<readonly string[]>;
  /** Commits of a branch's first parents, newest first, that changed something at a path. */
  listChanges(commit: string, path: string, limit: number): Promise<readonly DatedCommit[]>;
  /** Those of some commits that are in the history of none of the others. */
  findOutside(commits: readonly string[], others: readonly string[]): Promise<ReadonlySet<string>>;
  /** The ids of all objects, of any type, that begin so. */
  listObjects(prefix: string): Promise<readonly string[]>;
  /** Makes refs writable again after a git that was killed. */
  unlock(): Promise<void>;
  /** Packs what has piled up; does nothing most of the time. Not to be run beside `fetch`. */
  tidy(): Promise<void>;
  close(): void;
}

export interface MirrorOptions {
  readonly git: Git;
  readonly path: string;
  readonly upstream: Upstream;
  readonly limits: { readonly listMs: number; readonly fetchMs: number };
  /** Path of the allowed signers of tags; absent: tags need no signature. */
  readonly signers?: string | undefined;
}

const TIDY_MS = 30 * 60_000;
/** Refs written at once beyond which reading them one file each becomes slow. */
const PACK_REFS_FROM = 200;

export async function openMirror(options: MirrorOptions): Promise<Mirror> {
  const { git, path, upstream, limits } = options;
  await prepare(options);
  if (options.signers !== undefined && (await stat(options.signers).catch(() => undefined)) === undefined) {
    throw new CairnError("BAD_REQUEST", `There are no allowed signers of tags at \`${options.signers}\`.`);
  }
  const objects = openObjectReader(git, path);
  const stop = new AbortController();
  const own = (args: readonly string[], input?: string, timeoutMs?: number) =>
    git.run([`--git-dir=${path}`, ...args], {
      signal: stop.signal,
      ...(input !== undefined && { input }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  const serve = serving(upstream);
  const check: CheckSignatures =
    options.signers === undefined ? async (refs) => refs : createCheckSignatures(git, path, options.signers);

  let defaultBranch = await readHead(path);
  /** HEAD of the mirror is what it is upstream, so that its name is known without it. */
  async function listUpstream(): Promise<Map<string, RemoteRef>> {
    const listing = await listRemote(options, stop.signal);
    const branch = readDefaultBranch(listing);
    if (branch !== undefined && branch !== defaultBranch) await own(["symbolic-ref", "HEAD", branch]);
    defaultBranch = branch;
    return readRemoteRefs(listing, upstream);
  }

  async function updateRefs(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    await own(["update-ref", "--stdin", "-z", "--no-deref"], lines.join(""));
    if (lines.length >= PACK_REFS_FROM) await own(["pack-refs", "--all"]);
  }

  return Object.freeze({
    path,
    objects,
    listUpstream,
    listRefs: async (names: readonly string[] = []) => check(await listLocalRefs(own, objects, names, upstream)),
    fetch: async (oids: readonly string[]) => {
      const quiet = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
      const args = ["fetch", ...quiet, "--update-shallow", ...serve, "--stdin", "--", upstream.address];
      const how = { input: `${oids.join("\n")}\n`, timeoutMs: limits.fetchMs, signal: stop.signal };
      await runRemote(git, upstream, [`--git-dir=${path}`, ...args], how);
    },
    writeRefs: (action: "create" | "update", refs: readonly WantedRef[]) =>
      updateRefs(
        refs.map(({ ref, oid }) => (action === "create" ? `create ${ref}\0${oid}\0` : `update ${ref}\0${oid}\0\0`)),
      ),
    removeRefs: (refs: readonly string[]) => updateRefs(refs.map((ref) => `delete ${ref}\0\0`)),
    isReachable: async (commit: string) => {
      // Prints the commit unless one of the refs leads to it; what the default branch said once may have been pushed away, and
      // what runs commit is nobody's to call before it is reviewed.
      const hidden = [LABELS_REF, REVOKED_REF, `${RUN_REFS}*`].map((ref) => `--exclude=${ref}`);
      const known = ["--not", ...hidden, "--all"];
      return (await own(["rev-list", "--max-count=1", commit, ...known])) === "";
    },
    isAncestor: (older: string, newer: string) => isAncestor(own, older, newer),
    listTags: async (which: "containing" | "below", commit: string) => {
      const filter = which === "containing" ? `--contains=${commit}` : `--merged=${commit}`;
      return toLines(await own(["for-each-ref", "--format=%(refname:lstrip=2)", filter, "refs/tags/"]));
    },
    listChanges: (tip: string, place: string, limit: number) => listChanges(own, tip, place, limit),
    findOutside: async (commits: readonly string[], others: readonly string[]) => {
      const input = [...commits, ...others.map((oid) => `^${oid}`)].map((line) => `${line}\n`).join("");
      const outside = new Set(toLines(await own(["rev-list", "--stdin"], input)));
      return new Set(commits.filter((commit) => outside.has(commit)));
    },
    listObjects: async (prefix: string) => toLines(await own(["rev-parse", `--disambiguate=${prefix}`])),
    unlock: () => removeStaleLocks(path),
    tidy: async () => {
      await own(["-c", "gc.auto=6700", "-c", "gc.autoDetach=false", "gc", "--auto", "--quiet"], undefined, TIDY_MS);
    },
    close: () => {
      stop.abort();
      objects.close();
    },
  });
}

/** Makes sure that there is a repository at `path`; one that cannot be read is left for a person to look at. */
async function prepare(options: MirrorOptions): Promise<void> {
  const { git, path, upstream } = options;
  if ((await stat(path).catch(() => undefined)) === undefined) {
    return createInPlace(path, async (unfinished) => {
      await copyWhole(options, unfinished).catch(async (error: unknown) => {
        if (error instanceof CairnError && error.name === "UPSTREAM_TIMEOUT") throw unreadable(upstream, error);
        await listRemote(options).catch((cause: unknown) => {
          throw unreadable(upstream, cause);
        });
        // It is there, with something damaged in it: that will be left out by whoever brings in one ref after another.
        await rm(unfinished, { recursive: true, force: true });
        await mkdir(unfinished, { mode: 0o700 });
        await git.run(["init", "--quiet", "--bare", "--template=", "--", unfinished]);
      });
    });
  }
  await git.run([`--git-dir=${path}`, "rev-parse", "--is-bare-repository"]).catch((cause: unknown) => {
    const message =
      `The copy of the repository at \`${path}\` cannot be read. Restore it from a backup; or remove that folder to ` +
      "have it copied anew, which forgets what tags that were moved meant before.";
    throw new CairnError("INTERNAL_ERROR", message, { cause });
  });
}

/**
 * Cloning is the one way in which git writes many refs into one file. It goes through the transport also for a folder of
 * this machine: files shared with the upstream would share its damage, borrowed ones would be lost with it.
 */
async function copyWhole({ git, upstream, limits }: MirrorOptions, path: string): Promise<void> {
  const fetched = ["refs/tags/v*", ...(upstream.proposals ?? [])];
  const config = fetched.map((refs) => `--config=remote.origin.fetch=+${refs}:${refs}`);
  const how = ["--quiet", "--bare", "--no-local", "--no-tags", "--template=", "--origin=origin", ...serving(upstream)];
  const args = ["clone", ...how, ...config, "--", upstream.address, path];
  await runRemote(git, upstream, args, { timeoutMs: limits.fetchMs });
  // It holds the address, so perhaps a password.
  await git.run([`--git-dir=${path}`, "config", "--remove-section", "remote.origin"]);
}

/** Lists the refs of an upstream as `git ls-remote --symref` prints them, within `limits.listMs` milliseconds. */
export function listRemote(
  { git, upstream, limits }: Pick<MirrorOptions, "git" | "upstream"> & { readonly limits: { readonly listMs: number } },
  signal?: AbortSignal,
): Promise<string> {
  const args = ["ls-remote", "--symref", ...serving(upstream), "--", upstream.address];
  return runRemote(git, upstream, args, { timeoutMs: limits.listMs, signal });
}

/** The branch that HEAD of a repository names. Undefined where it cannot be read from its file. */
async function readHead(path: string): Promise<string | undefined> {
  const head = await readFile(join(path, "HEAD"), "utf8").catch(() => "");
  return /^ref: (refs\/heads\/\S+)$/m.exec(head)?.[1];
}

function toLines(output: string): readonly string[] {
  return output.split("\n").filter((line) => line !== "");
}

function serving(upstream: Upstream): readonly string[] {
  return upstream.path === undefined ? [] : [SERVE_LOCALLY];
}
