import { CairnError } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import { type Git, SERVE_LOCALLY } from "../../versions/git/git.ts";
import { quote } from "../../capabilities/workspace/check-path.ts";
import { checkCheckName, checkKey, checkOid, checkTagName } from "../check-names.ts";
import { createSerial, type Serial } from "../../serial.ts";
import { checkMessage, checkProposal } from "../check-proposal.ts";
import type { Change, ChangeStatus, CheckResult, Forge, ForgeRules, Proposal, Revision } from "../forge.ts";
import { type KnownChange, createChangeBook, toChange } from "./change-book.ts";
import { createCheckBook } from "./check-book.ts";
import { landChange } from "./land-change.ts";
import { openLocalRepository } from "./local-repository.ts";
import { mergeTrees } from "./merge-trees.ts";
import { type Parts, readChecks } from "./parts.ts";
import { proposeChange } from "./propose-change.ts";
import { refreshChange, reviseChange } from "./revise-change.ts";

export interface LocalForgeOptions {
  readonly git: Git;
  /** Holds how checks came out; the rest is in the repository. */
  readonly store: Store;
  /** The path of the repository, bare or not. */
  readonly path: string;
  /** The bare repository from which others read commits of changes. */
  readonly copy: string;
  /** The checks without which nothing lands: at least one. */
  readonly required: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * A forge of a git repository on this machine, for where there is no other: branches `proposal/<key>`, checks as they are
 * reported, and landing by moving the base forward to exactly the commit that was checked. No work tree is touched.
 */
export async function openLocalForge(options: LocalForgeOptions): Promise<Forge> {
  const { git, store, path, copy, required, now } = options;
  if (required.length === 0) {
    throw new CairnError("BAD_REQUEST", "No check is required; then anything would land, so name at least one.");
  }
  for (const name of required) checkCheckName(name);
  const repository = await openLocalRepository(git, path, now);
  const [changes, checks] = [createChangeBook(repository), createCheckBook(store)];
  const parts: Parts = { repository, changes, checks, required };
  // Of what this process does, nothing is refused because something else of it came first.
  const inTurn = createSerial();

  return Object.freeze<Forge>({
    sync: async (commits: readonly string[]) => {
      for (const oid of commits) await checkCommit(parts, oid);
      if (commits.length === 0) return;
      const quiet = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
      await git.run([`--git-dir=${copy}`, "fetch", ...quiet, SERVE_LOCALLY, "--", path, ...commits]);
    },
    propose: async (proposal: Proposal) => {
      checkProposal(proposal);
      return inTurn(() => proposeChange(parts, proposal));
    },
    find: async (key: string) => {
      checkKey(key);
      const known = await changes.find(key);
      return known && toChange(known);
    },
    revise: async ({ key, base }: Change, revision: Revision) => {
      checkProposal({ ...revision, key, base });
      checkOid(revision.expectHead);
      await inTurn(async () => reviseChange(parts, await know(parts, key, base), revision));
    },
    status: async ({ key, base }: Change) => toStatus(parts, await know(parts, key, base)),
    checks: async (oid: string) => {
      await checkCommit(parts, oid);
      return checks.read(oid);
    },
    report: (head: string, check: string, result: CheckResult) => report(parts, inTurn, head, check, result),
    land: async ({ key, base }: Change, how: { readonly expectHead: string; readonly mode: "now" | "when-green" }) => {
      checkOid(how.expectHead);
      return inTurn(async () => landChange(parts, await know(parts, key, base), how));
    },
    refresh: ({ key, base }: Change) => inTurn(async () => refreshChange(parts, await know(parts, key, base))),
    // Checks are what was reported: nothing here runs them.
    rerun: async () => ({ outcome: "final" }),
    abandon: async ({ key, base }: Change, reason: string) => {
      checkMessage("reason", reason);
      await inTurn(async () => abandonChange(parts, await know(parts, key, base), reason));
    },
    inspect: async () => describeRequired(required),
    isOpen: async () => true,
    tag: async (name: string, oid: string, message: string) => {
      checkTagName(name);
      checkMessage("message", message);
      return inTurn(() => tag(parts, name, oid, message));
    },
  });
}

/** Describes the required checks as rules. */
export function describeRequired(required: readonly string[]): ForgeRules {
  return { rules: required.map((name) => `the check \`${name}\` has to pass`), problems: [] };
}

/** Keeps how a check came out, and lands the changes that waited for it. */
async function report(parts: Parts, inTurn: Serial, head: string, check: string, result: CheckResult): Promise<void> {
  const { checks } = parts;
  checkCheckName(check);
  if (result.status === "completed") checkMessage("summary", result.summary);
  await checkCommit(parts, head);
  await inTurn(async () => {
    await checks.write(head, check, result);
    if ((await readChecks(parts, head)).checks !== "green") return;
    for (const key of await checks.armed(head)) {
      const landing = await landChange(parts, await know(parts, key), { expectHead: head, mode: "now" });
      // What is behind or at another head never lands as this commit; a checkout that is in the way may go.
      if (landing.outcome !== "blocked") await checks.disarm(head, key);
    }
  });
}

async function know(parts: Parts, key: string, base?: string): Promise<KnownChange> {
  checkKey(key);
  const known = await parts.changes.find(key, base);
  if (known !== undefined) return known;
  throw new CairnError("NOT_FOUND", `There is no change \`${key}\`.`);
}

async function checkCommit(parts: Parts, oid: string): Promise<void> {
  checkOid(oid);
  if (!(await parts.repository.hasCommit(oid))) throw new CairnError("NOT_FOUND", `There is no commit \`${oid}\`.`);
}

async function tag(parts: Parts, name: string, oid: string, message: string): Promise<"created" | "same" | "taken"> {
  await checkCommit(parts, oid);
  const ref = `refs/tags/${name}`;
  const to = await parts.repository.writeTag(name, oid, message);
  try {
    await parts.repository.updateRefs([{ ref, to }]);
    return "created";
  } catch (cause) {
    // Most often there is none, so it is looked for only now.
    const there = (await parts.repository.readRefs([ref])).get(ref);
    if (there === undefined) throw cause;
    return there.target === oid ? "same" : "taken";
  }
}

async function toStatus(parts: Parts, { state, head, made, at, record }: KnownChange): Promise<ChangeStatus> {
  const isAsProposed = state === "open" && head === made;
  const status = {
    head,
    state,
    isAsProposed,
    ...(record.state === "closed" ? { isAbandoned: true } : {}),
    required: parts.required,
    ...(await readChecks(parts, head)),
  };
  if (state === "merged") return { ...status, mergeable: "unknown", merged: head };
  if (state === "closed" || at.base === undefined) return { ...status, mergeable: "unknown" };
  if (await parts.repository.isAncestor(at.base, head)) return { ...status, mergeable: "yes" };
  const { ok } = await mergeTrees(parts.repository, head, at.base);
  return { ...status, mergeable: ok ? "behind" : "conflict" };
}

async function abandonChange(
  { repository, changes, checks }: Parts,
  change: KnownChange,
  reason: string,
): Promise<void> {
  const { key, state, refs, at } = change;
  if (state === "merged")
    throw new CairnError("CONFLICT", `The change ${quote(key)} has landed; it can be taken back by another.`);
  // What somebody has pushed since, or a loss of power left, is kept and taken away as well.
  if (change.record.state === "closed" && at.branch === undefined) return;
  const place = await repository.findCheckout([refs.branch]);
  if (place !== undefined) {
    throw new CairnError(
      "CONFLICT",
      `The branch of ${quote(key)} is checked out at \`${place}\`; leave it there first.`,
    );
  }
  await changes.close({ ...change, head: at.branch ?? change.head }, { state: "closed", reason });
  await checks.disarm(change.head, key);
}
