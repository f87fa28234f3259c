import { type BranchRules, needsReview } from "../rules/branch-rules.ts";
import type { Context, Pull } from "../context.ts";
import { loadReview, type Review } from "../rules/review.ts";
import { MAX_BODY, neutralise } from "../neutralise.ts";
import { applyOwners, nameOwner, type OwnedFiles } from "./owned-files.ts";

/** Somebody who is not asked, and why. */
interface Refused {
  readonly name: string;
  readonly reason: string;
}

/** No permission: each would be refused for it. */
const FORBIDDEN = 403;

/**
 * Asks for the reviews that a pull request lacks, where rules want some: whom the settings name, who owns what it changes,
 * and whose approval a push has taken back. Says on the pull request who could not be asked.
 */
export async function askForReviews(
  context: Context,
  pull: Pull,
  rules: BranchRules,
  owned: OwnedFiles | undefined,
): Promise<void> {
  if (pull.state !== "open" || !needsReview(applyOwners(rules, owned))) return;
  const review = await loadReview(context, pull.number);
  if (review.decision === "APPROVED") return;
  const owners = owned?.owned.flatMap((group) => group.owners) ?? [];
  const approved = review.opinions.filter(({ state }) => state === "APPROVED").map(({ login }) => login);
  const wanted = [...context.reviewers, ...owners, ...listDismissed(review)];
  await sayRefused(context, pull, await ask(context, pull, without(wanted, approved)));
}

/** Asks those again whose approval was taken back: GitHub does so some time after the push. Returns the pull request as it then is. */
export async function askAgain(context: Context, pull: Pull, review: Review): Promise<Pull> {
  const { api, owner, repo } = context;
  const dismissed = without(listDismissed(review), listRequested(pull));
  if (review.decision !== "REVIEW_REQUIRED" || dismissed.length === 0) return pull;
  await sayRefused(context, pull, await ask(context, pull, dismissed));
  return api.read(`read pull request ${pull.number}`, () =>
    api.octokit.rest.pulls.get({ owner, repo, pull_number: pull.number }),
  );
}

function listDismissed({ opinions }: Review): readonly string[] {
  return opinions.filter(({ state }) => state === "DISMISSED").map(({ login }) => login);
}

function listRequested(pull: Pull): readonly string[] {
  return [
    ...(pull.requested_reviewers ?? []).map(({ login }) => login),
    ...(pull.requested_teams ?? []).map(({ slug }) => `${pull.base.repo.owner.login}/${slug}`),
  ];
}

/** Each name once, but for some; GitHub does not tell large letters from small ones. */
function without(names: readonly string[], others: readonly string[]): readonly string[] {
  const seen = new Set(others.map((name) => name.toLowerCase()));
  return names.filter((name) => seen.size < seen.add(name.toLowerCase()).size);
}

/** Asks whom it can, and returns the others. */
async function ask(context: Context, pull: Pull, names: readonly string[]): Promise<readonly Refused[]> {
  const missing = without(names, listRequested(pull));
  const refused = missing.flatMap((name) => findReason(context, pull, name) ?? []);
  const able = without(
    missing,
    refused.map(({ name }) => name),
  );
  if (able.length === 0) return refused;
  const all = await request(context, pull, able);
  if (all === undefined) return refused;
  // GitHub asks nobody of a list of which it refuses one.
  if (able.length === 1 || all.status === FORBIDDEN) {
    return [...refused, ...able.map((name) => ({ name, reason: all.words }))];
  }
  for (const name of able) {
    const alone = await request(context, pull, [name]);
    if (alone !== undefined) refused.push({ name, reason: alone.words });
  }
  return refused;
}

/** Finds why somebody cannot be asked, where that is known beforehand. */
function findReason({ owner }: Context, pull: Pull, name: string): Refused | undefined {
  if (name.includes("@")) return { name, reason: "GitHub alone knows whose address this is" };
  if (name.toLowerCase() === pull.user.login.toLowerCase()) return { name, reason: "the pull request is theirs" };
  const isElsewhere = name.includes("/") && !name.toLowerCase().startsWith(`${owner.toLowerCase()}/`);
  return isElsewhere ? { name, reason: `it is no team of \`${owner}\`` } : undefined;
}

/** Asks all of some or none; returns GitHub's refusal. */
async function request({ api, owner, repo }: Context, { number }: Pull, names: readonly string[]) {
  const reviewers = names.filter((name) => !name.includes("/"));
  const teams = names.filter((name) => name.includes("/")).map((name) => name.slice(name.indexOf("/") + 1));
  const asked = await api.write(
    `ask for reviews of pull request ${number}`,
    () =>
      api.octokit.rest.pulls.requestReviewers({
        owner,
        repo,
        pull_number: number,
        reviewers,
        team_reviewers: teams,
      }),
    { refusals: [FORBIDDEN, 422] },
  );
  return asked.ok ? undefined : asked;
}

async function sayRefused(
  { api, owner, repo }: Context,
  { number, body }: Pull,
  refused: readonly Refused[],
): Promise<void> {
  const names = refused.map(({ name, reason }) => `${nameOwner(name)} (${reason.replace(/\.$/, "")})`);
  const words = neutralise(`Cairn could not ask for a review: ${names.join(", ")}.`);
  const now = body ?? "";
  if (refused.length === 0 || now.includes(words) || now.length + words.length + 2 > MAX_BODY) return;
  await api.write(`describe pull request ${number}`, () =>
    api.octokit.rest.pulls.update({ owner, repo, pull_number: number, body: `${now}\n\n${words}` }),
  );
}
