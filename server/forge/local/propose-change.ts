import { PROPOSAL_BRANCHES } from "../check-names.ts";
import { CairnError } from "../../errors.ts";
import type { Change, Proposal } from "../forge.ts";
import { branchRef, toChange } from "./change-book.ts";
import type { Parts } from "./parts.ts";
import { writeTree } from "./write-tree.ts";

export async function proposeChange({ repository, changes }: Parts, proposal: Proposal): Promise<Change> {
  const { key, from, base } = proposal;
  const known = await changes.find(key);
  if (known !== undefined) return toChange(known);
  const [baseRef, branch] = [`refs/heads/${base}`, branchRef(key)];
  const refs = await repository.readRefs([baseRef, branch]);
  const tip = refs.get(baseRef)?.oid;
  if (tip === undefined || base.startsWith(PROPOSAL_BRANCHES)) {
    throw new CairnError("NOT_FOUND", `There is no branch \`${base}\` that changes could land on.`);
  }
  if (from !== tip && !(await repository.hasCommit(from))) {
    throw new CairnError("NOT_FOUND", `There is no commit \`${from}\`.`);
  }
  if (from !== tip && !(await repository.isAncestor(from, tip))) {
    // Its history would land, too, and nobody has asked for that.
    throw new CairnError("CONFLICT", `The branch \`${base}\` does not have the commit \`${from}\`.`);
  }
  const tree = await writeTree(repository, from, proposal.files);
  const left = refs.get(branch)?.oid;
  if (left === undefined) {
    const args = ["commit-tree", "--no-gpg-sign", "-p", from, "-F", "-", tree];
    const commit = (await repository.run(args, { input: proposal.message, author: proposal.author })).trim();
    await changes.open(proposal, commit, { hasBranch: false });
  } else {
    // What a loss of power left; anything else is somebody's own.
    const made = await repository.run(["log", "--max-count=1", "--format=%T %P", left]);
    if (made.trim() !== `${tree} ${from}`) {
      throw new CairnError(
        "CONFLICT",
        `There is a branch \`${PROPOSAL_BRANCHES}${key}\` already, which no proposal has made.`,
      );
    }
    await changes.open(proposal, left, { hasBranch: true });
  }
  return toChange({ key, record: { base } });
}
