// Keeps one comment on the pull request that says what the newest commit is like, instead of one comment for each.
import { readFileSync } from "node:fs";
import { argv, env } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { createGitHub, Refused } from "../github.mjs";

/** Characters that GitHub takes as a comment, less what is put around the report. */
const MAX_REPORT = 65_000;
const PAGE = 100;
const MAX_PAGES = 30;
const QUERY = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { id viewerDidAuthor } } }";

/**
 * Resolves with what was done: `created`, `updated` or `unchanged`. `path` is the folder of the agent, of which a repository may have
 * several; `graphql` is the address of GitHub's GraphQL interface, which knows whose the token is, a person's or a job's.
 */
export async function keepComment({ ask, graphql, repository, pullRequest, path = ".", report }) {
  // By this the comment is found again; it does not show.
  const mark = `<!-- cairn: validate${path === "." ? "" : ` ${encodeURIComponent(path)}`} -->`;
  const body = `${mark}\n${cut(report)}`;
  const comments = `/repos/${repository}/issues/${pullRequest}/comments`;

  const find = async () => {
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const listed = await ask("GET", `${comments}?per_page=${PAGE}&page=${page}`);
      const marked = listed.filter(({ body: text }) => text?.startsWith(mark));
      const own = marked.length === 0 ? undefined : await findOwn(marked);
      if (own !== undefined || listed.length < PAGE) return own;
    }
    return undefined;
  };

  /** Who writes the mark could otherwise have the report put under their own name, and change it there. */
  const findOwn = async (marked) => {
    const ids = marked.map(({ node_id: id }) => id);
    const { data, errors } = await ask("POST", graphql, { query: QUERY, variables: { ids } });
    if (data == null) throw new Refused("POST /graphql", 200, JSON.stringify(errors).slice(0, 300));
    const own = data.nodes.find((node) => node?.viewerDidAuthor === true);
    return marked.find(({ node_id: id }) => id === own?.id);
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

/** Cuts a report at the end of a line, and closes what folds. */
function cut(report) {
  if (report.length <= MAX_REPORT) return report;
  const begun = report.slice(0, MAX_REPORT);
  const lines = begun.slice(0, begun.lastIndexOf("\n") + 1) || begun;
  const isOpen = lines.lastIndexOf("<details>") > lines.lastIndexOf("</details>");
  return `${lines.toWellFormed()}${isOpen ? "\n</details>\n" : ""}\n... the job's summary has the rest.`;
}

async function main() {
  const ask = createGitHub({ base: env.GITHUB_API_URL, token: env.GITHUB_TOKEN, fetch, sleep });
  const report = readFileSync(env.CAIRN_REPORT, "utf8");
  try {
    const done = await keepComment({
      ask,
      graphql: env.GITHUB_GRAPHQL_URL,
      repository: env.GITHUB_REPOSITORY,
      pullRequest: env.PULL_REQUEST,
      path: env.AGENT_PATH,
      report,
    });
    console.log(`The comment on #${env.PULL_REQUEST} is ${done}.`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // Tokens of pull requests from forks may only read; the job's summary says the same as the comment would.
    console.log(`::warning title=No comment::${error.message.replaceAll("%", "%25").replaceAll(/[\r\n]+/g, " ")}`);
  }
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) await main();
