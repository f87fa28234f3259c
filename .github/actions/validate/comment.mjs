// Keeps one comment on the pull request that says what the newest commit is like, instead of one comment for each.
import { readFileSync } from "node:fs";
import { argv, env } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { createGitHub, Refused } from "../github.mjs";

/** By this the comment is found again; it does not show. */
const MARK = "<!-- cairn: validate -->";
/** Characters that GitHub takes as a comment, less what is put around the report. */
const MAX_REPORT = 65_000;
const PAGE = 100;
const MAX_PAGES = 30;

/** Resolves with what was done: `created`, `updated` or `unchanged`. */
export async function keepComment({ ask, repository, pullRequest, report }) {
  const whole =
    report.length <= MAX_REPORT ? report : `${report.slice(0, MAX_REPORT)}\n\n... the job's summary has the rest.`;
  const body = `${MARK}\n${whole}`;
  const comments = `/repos/${repository}/issues/${pullRequest}/comments`;

  const find = async () => {
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const listed = await ask("GET", `${comments}?per_page=${PAGE}&page=${page}`);
      // What people write stays theirs, whatever it begins with.
      const own = listed.find(({ body: text, user }) => text?.startsWith(MARK) && user?.type === "Bot");
      if (own !== undefined || listed.length < PAGE) return own;
    }
    return undefined;
  };

  const known = await find();
  if (known === undefined) {
    // A request whose answer was lost may have been done.
    await ask("POST", comments, { body }, find);
    return "created";
  }
  if (known.body === body) return "unchanged";
  await ask("PATCH", `/repos/${repository}/issues/comments/${known.id}`, { body });
  return "updated";
}

async function main() {
  const ask = createGitHub({ base: env.GITHUB_API_URL, token: env.GITHUB_TOKEN, fetch, sleep });
  const report = readFileSync(env.CAIRN_REPORT, "utf8");
  try {
    const done = await keepComment({ ask, repository: env.GITHUB_REPOSITORY, pullRequest: env.PULL_REQUEST, report });
    console.log(`The comment on #${env.PULL_REQUEST} is ${done}.`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // Tokens of pull requests from forks may only read; the job's summary says the same as the comment would.
    console.log(`::warning title=No comment::${error.message.replaceAll("%", "%25").replaceAll(/[\r\n]+/g, " ")}`);
  }
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) await main();
