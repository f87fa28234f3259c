import { CairnError } from "../../errors.ts";
import { checkOid, checkTagName } from "../check-names.ts";
import { checkMessage } from "../check-proposal.ts";
import { accepted, type Context } from "./context.ts";

/** Tags may tag tags. */
const MAX_DEPTH = 5;

export async function tag(
  context: Context,
  name: string,
  oid: string,
  message: string,
): Promise<"created" | "same" | "taken"> {
  checkTagName(name);
  checkOid(oid);
  checkMessage("message of the tag", message);
  const { api, owner, repo } = context;
  const { git } = api.octokit.rest;
  const there = await findTag(context, name);
  if (there !== undefined) return there.commit === oid ? "same" : "taken";
  const commit = await api.find(`read the commit \`${oid}\``, () => git.getCommit({ owner, repo, commit_sha: oid }));
  if (commit === undefined) throw new CairnError("NOT_FOUND", `GitHub has no commit \`${oid}\` to tag \`${name}\`.`);
  const made = accepted(
    await api.write(`make the tag \`${name}\``, () =>
      git.createTag({ owner, repo, tag: name, message, object: oid, type: "commit" }),
    ),
  );
  const placed = await api.write(
    `place the tag \`${name}\``,
    () => git.createRef({ owner, repo, ref: `refs/tags/${name}`, sha: made.sha }),
    { refusals: [422] },
  );
  if (placed.ok) return "created";
  // Somebody was first: perhaps this very call, whose answer was lost.
  const now = await findTag(context, name);
  if (now === undefined) throw new CairnError("CONFLICT", `GitHub does not take the tag \`${name}\`: ${placed.words}`);
  if (now.sha === made.sha) return "created";
  return now.commit === oid ? "same" : "taken";
}

/** Finds what a tag's ref holds, and the commit it leads to. */
async function findTag({ api, owner, repo }: Context, name: string) {
  const { git } = api.octokit.rest;
  const ref = await api.find(`look for the tag \`${name}\``, () => git.getRef({ owner, repo, ref: `tags/${name}` }));
  if (ref === undefined) return undefined;
  let target: { readonly sha: string; readonly type: string } = ref.object;
  for (let depth = 0; target.type === "tag" && depth < MAX_DEPTH; depth++) {
    const query = { owner, repo, tag_sha: target.sha };
    target = (await api.read(`read the tag \`${name}\``, () => git.getTag(query))).object;
  }
  return { sha: ref.object.sha, commit: target.sha };
}
