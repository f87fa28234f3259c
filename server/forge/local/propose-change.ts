import { PROPOSAL_BRANCHES } from "../check-names.ts";
import { CairnError } from "../../errors.ts";
import type { Change, Proposal } from "../forge.ts";
import { toChange } from "./change-book.ts";
import type { Parts } from "./parts.ts";
import { writeTree } from "./write-tree.ts";

export async function proposeChange({ repository, changes }: Parts, proposal: Proposal): Promise<Change> {
  const { key, from, base } = proposal;
  const found = await changes.findOrPlace(key, base);
  if (found.state !== "none") return toChange(found);
  const { base: tip, branch: left } = found.at;
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
  if (left === undefined) {
    const { message, author } = proposal;
    const commit = await repository.writeCommit({ tree, parent: from, message, author });
    await changes.open(proposal, commit, { hasBranch: false });
    return toChange({ key, record: { base } });
  }
  // What a loss of power left; anything else is somebody's own.
  const made = await repository.run(["log", "--max-count=1", "--format=%T %P", left]);
  if (made.trim() !== `${tree} ${from}`) {
    throw new CairnError(
      "CONFLICT",
      `There is a branch \`${PROPOSAL_BRANCHES}${key}\` already, which no proposal has made.`,
    );
  }
  await changes.open(proposal, left, { hasBranch: true });
  return toChange({ key, record: { base } });
}
