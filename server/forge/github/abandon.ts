import { CairnError } from "../../errors.ts";
import { checkMessage } from "../check-proposal.ts";
import type { Change } from "../forge.ts";
import { type Context, loadPull } from "./context.ts";
import { neutralise } from "./neutralise.ts";

/** By which a comment is known that an earlier attempt made. */
const MARK = "<!-- cairn: abandoned -->";

export async function abandon(context: Context, change: Change, reason: string): Promise<void> {
  checkMessage("reason", reason);
  const { api, owner, repo } = context;
  const { issues, pulls, git } = api.octokit.rest;
  const { number, merged, state, head } = await loadPull(context, change);
  if (merged) throw new CairnError("CONFLICT", `The change \`${change.key}\` has landed.`);
  if (state === "open") {
    if (!(await isMarked(context, number))) {
      const body = `${MARK}\n${neutralise(reason)}`;
      await api.write(
        `say why pull request ${number} is closed`,
        () => issues.createComment({ owner, repo, issue_number: number, body }),
        { once: true },
      );
    }
    await api.write(`close pull request ${number}`, () =>
      pulls.update({ owner, repo, pull_number: number, state: "closed" }),
    );
  }
  // 404 and 422: it is gone already.
  await api.write(
    `take the branch \`${head.ref}\` away`,
    () => git.deleteRef({ owner, repo, ref: `heads/${head.ref}` }),
    { refusals: [404, 422] },
  );
}

/** Says whether `abandon` has closed a pull request, or has begun to. */
export async function isMarked({ api, owner, repo }: Context, number: number): Promise<boolean> {
  const { issues } = api.octokit.rest;
  const query = { owner, repo, issue_number: number, per_page: 100 };
  const comments = await api.read(`read the comments of pull request ${number}`, async () => ({
    data: await api.octokit.paginate(issues.listComments, query),
  }));
  return comments.some(({ body }) => body?.startsWith(MARK) === true);
}
