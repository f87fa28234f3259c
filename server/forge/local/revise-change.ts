import { CairnError } from "../../errors.ts";
import { PROPOSAL_BRANCHES } from "../check-names.ts";
import type { Refreshed, Revision } from "../forge.ts";
import type { KnownChange } from "./change-book.ts";
import { mergeTrees } from "./merge-trees.ts";
import type { Parts } from "./parts.ts";
import { writeTree } from "./write-tree.ts";

/** Commits other content on top of a change's head, so that no commit which somebody has seen, or has pushed, is replaced. */
export async function reviseChange(
  { repository, changes, checks }: Parts,
  change: KnownChange,
  { expectHead, from, files, message, author, title, body }: Revision,
): Promise<void> {
  const { key, state, head, at } = change;
  if (state !== "open")
    throw new CairnError("CONFLICT", `The change \`${key}\` is ${state}, so its branch stays as it is.`);
  if (head !== expectHead) throw moved(key);
  if (at.base === undefined || !(await repository.isAncestor(from, at.base)))
    throw new CairnError("CONFLICT", `The branch \`${change.record.base}\` does not have the commit \`${from}\`.`);
  const place = await repository.findCheckout([change.refs.branch]);
  if (place !== undefined)
    throw new CairnError("CONFLICT", `The branch of \`${key}\` is checked out at \`${place}\`; leave it there first.`);
  const tree = await writeTree(repository, from, files);
  const before = (await repository.run(["rev-parse", `${head}^{tree}`])).trim();
  if (before === tree) throw new CairnError("CONFLICT", `The change \`${key}\` is so already; there is nothing to do.`);
  const further = (await repository.isAncestor(from, head)) ? [] : ["-p", from];
  const args = ["commit-tree", "--no-gpg-sign", "-p", head, ...further, "-F", "-", tree];
  const commit = (await repository.run(args, { input: message, author })).trim();
  await checks.disarm(head, key);
  await changes.revise(change, commit, { title, body }).catch(async (cause: unknown) => {
    if ((await changes.find(key))?.head === head) throw cause;
    throw moved(key, cause);
  });
}

/** Merges the base of a change into it, so that no commit which somebody has seen, or has pushed, is replaced by another. */
export async function refreshChange({ repository, changes, checks }: Parts, change: KnownChange): Promise<Refreshed> {
  const { key, state, head, refs, at, record } = change;
  const branch = `${PROPOSAL_BRANCHES}${key}`;
  if (state !== "open")
    throw new CairnError("CONFLICT", `The change \`${key}\` is ${state}, so its branch stays as it is.`);
  if (at.base === undefined) throw new CairnError("CONFLICT", `The branch \`${record.base}\` is gone.`);
  if (await repository.isAncestor(at.base, head)) return { outcome: "same", head };
  const merged = await mergeTrees(repository, head, at.base);
  if (!merged.ok) return { outcome: "conflict", paths: merged.paths };
  const place = await repository.findCheckout([refs.branch]);
  if (place !== undefined) {
    throw new CairnError("CONFLICT", `The branch \`${branch}\` is checked out at \`${place}\`; leave it there first.`);
  }
  const args = ["commit-tree", "--no-gpg-sign", "-p", head, "-p", at.base, "-F", "-", merged.tree];
  const commit = (await repository.run(args, { input: `Merge branch '${record.base}' into ${branch}\n` })).trim();
  await checks.disarm(head, key);
  await repository.updateRefs([{ ref: refs.branch, from: head, to: commit }]).catch(async (cause: unknown) => {
    if ((await changes.find(key))?.head === head) throw cause;
    throw new CairnError("CONFLICT", `Somebody has pushed to the branch \`${branch}\` meanwhile.`, { cause });
  });
  return { outcome: "updated", head: commit };
}

function moved(key: string, cause?: unknown): CairnError {
  return new CairnError("CONFLICT", `Somebody has pushed to the branch of \`${key}\` meanwhile.`, { cause });
}
