import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { type AtEnd, temporaryFolder } from "../../helpers/temporary.ts";
import { workflowRoutes } from "./workflow-routes.ts";
import { checkRoutes } from "./check-routes.ts";
import { createCredentials, type Credentials } from "./credentials.ts";
import { createFaults, fail, type Faults } from "./faults.ts";
import { followRefs } from "./follow-refs.ts";
import { gitRoutes } from "./git-routes.ts";
import { answerGraphql } from "./graphql.ts";
import { GITHUB_INTERFACE } from "./interface.ts";
import { paged } from "./paged.ts";
import { createPlumbing } from "./plumbing.ts";
import { readPullPage } from "./pull-page.ts";
import { pullRoutes } from "./pull-routes.ts";
import { type Actor, refuse, type Reply, toReply } from "./reply.ts";
import { repositoryRoutes } from "./repository-routes.ts";
import { createRouter } from "./router.ts";
import { answerGit, installHook } from "./smart-http.ts";
import type { State } from "./state.ts";
import { writeText } from "./write-text.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";

/** A host of one repository that behaves like GitHub, over real git. */
export interface GitHubHost {
  /** Of the REST interface; git is at `<url>/<owner>/<repo>.git`. */
  readonly url: string;
  readonly state: State;
  readonly credentials: Credentials;
  readonly webhooks: Webhooks;
  readonly faults: Faults;
  /** By route, what happens once before the next request of it is looked at: a moment that nobody can foresee. */
  readonly before: Map<string, () => Promise<unknown>>;
  /** The route of each request, in their order: `GET /repos/{owner}/{repo}/pulls`, `git POST /git-receive-pack`. */
  readonly requests: string[];
  /** Where a request or an answer was not as GitHub describes it. Checked at the end, too. */
  readonly violations: readonly string[];
  /** Asks as a user, or as the app with an installation token. The body of a good answer. */
  ask(token: string, route: string, body?: unknown): Promise<unknown>;
}

const RATE_LIMIT = 5_000;
const DEFAULT_BRANCH = "main";

/** Hosts a repository that is empty at first. */
export async function startGitHubHost(atEnd: AtEnd = onTestFinished): Promise<GitHubHost> {
  const [owner, repo] = ["acme", "tools"];
  const gitDir = join(await temporaryFolder(atEnd), "host.git");
  const git = createPlumbing(gitDir);
  await git.git(["init", "--quiet", "--bare", `--initial-branch=${DEFAULT_BRANCH}`]);
  await git.git(["config", "http.receivepack", "true"]);
  await installHook(gitDir);

  const app = { id: 4711, slug: "cairn-test", installation: 815 };
  const credentials = createCredentials(app);
  const webhooks = createWebhooks();
  const faults = createFaults();
  const before = new Map<string, () => Promise<unknown>>();
  const requests: string[] = [];
  const violations: string[] = [];
  let [ids, used] = [1000, 0];
  const state: State = {
    owner,
    repo,
    url: "",
    defaultBranch: DEFAULT_BRANCH,
    git,
    github: GITHUB_INTERFACE,
    app,
    allowAutoMerge: false,
    methods: new Set(["merge", "squash"]),
    signed: new Set(),
    beforeMerge: undefined,
    pulls: [],
    checks: [],
    statuses: [],
    workflows: [],
    mayUseActions: true,
    knowsMergeQueues: true,
    protections: new Map(),
    rulesets: [],
    refs: await git.refs(),
    nextId: () => ++ids,
    emit: (event, payload, actor) => {
      const repository = {
        name: repo,
        full_name: `${owner}/${repo}`,
        owner: { login: owner },
        default_branch: DEFAULT_BRANCH,
      };
      webhooks.emit(event, { ...payload, repository, sender: { login: actor.login } });
    },
  };
  const find = createRouter({
    ...repositoryRoutes(state, credentials.issueInstallationToken),
    ...gitRoutes(state),
    ...pullRoutes(state),
    ...checkRoutes(state),
    ...workflowRoutes(state),
    "POST /graphql": async ({ body, actor }) => {
      const { wrong, ...answer } = await answerGraphql(state, body, actor);
      if (wrong !== undefined) violations.push(`POST /graphql: ${wrong}`);
      return { status: 200, body: answer };
    },
  });

  /** One at a time: what a request finds does not change under it. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", state.url);
    const method = request.method ?? "GET";
    const page = method === "GET" ? readPullPage(state, url.pathname) : undefined;
    if (page !== undefined) {
      return void response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(page);
    }
    const gitPath = url.pathname.startsWith(`/${owner}/${repo}.git/`)
      ? url.pathname.slice(`/${owner}/${repo}.git`.length)
      : undefined;
    // An Enterprise server has its interface beneath a path.
    const path = url.pathname.replace(/^\/api\/v3(?=\/)/, "").replace(/^\/api\/graphql$/, "/graphql");
    const match = gitPath === undefined ? find(method, path) : undefined;
    const route = gitPath === undefined ? (match?.route ?? `${method} ${path}`) : "git";
    requests.push(route === "git" ? `git ${method} ${gitPath}` : route);
    const work = before.get(route);
    before.delete(route);
    await work?.();
    const fault = faults.take(route);
    const headers = {
      "x-ratelimit-limit": String(RATE_LIMIT),
      "x-ratelimit-remaining": String(RATE_LIMIT - used),
      "x-ratelimit-used": String(used),
      "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 3600),
      "x-ratelimit-resource": "core",
      "x-github-request-id": `STANDIN:${requests.length}`,
    };
    if (fault !== undefined && fault.done !== true) {
      request.resume();
      return fail(response, fault, headers);
    }
    if (gitPath !== undefined) return handleGit(request, response, gitPath, url.search.slice(1));

    const raw = method === "GET" ? "" : await readText(request);
    const reply = await inTurn(async (): Promise<Reply> => {
      const actor = credentials.identify(request.headers.authorization);
      if (match === undefined) throw refuse(501, `The stand-in has no ${route}.`);
      checkActor(actor, match.route);
      const body = raw === "" ? {} : (JSON.parse(raw) as Record<string, unknown>);
      const wrong = state.github.checkRequest(match.route, raw === "" ? undefined : body);
      if (wrong !== undefined) {
        violations.push(wrong);
        throw refuse(422, wrong);
      }
      const param = (name: string) => match.params.get(name) ?? "";
      if (match.params.has("owner") && `${param("owner")}/${param("repo")}` !== `${owner}/${repo}`)
        throw refuse(404, "Not Found");
      // Tests push into the repository by other ways, too.
      await followRefs(state, actor);
      const done = await match.handler({ param, query: url.searchParams, body, actor });
      if (method !== "GET") await followRefs(state, actor);
      return done;
    }).catch((error: unknown) => toReply(error));

    const { links, body } = paged(reply, url);
    const text = body === undefined ? "" : JSON.stringify(body);
    const wrong = state.github.checkAnswer(route, reply.status, body === undefined ? undefined : JSON.parse(text));
    if (wrong !== undefined) violations.push(wrong);
    if (reply.status === 500) violations.push(`${route}: ${text}`);
    if (fault !== undefined) return fail(response, fault, headers);

    if (!writeText(request, response, { status: reply.status, text, headers: { ...headers, ...links } })) used += 1;
    return undefined;
  }

  async function handleGit(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: string,
  ): Promise<void> {
    let actor: Actor;
    try {
      actor = credentials.identify(request.headers.authorization);
    } catch {
      request.resume();
      return void response.writeHead(401, { "www-authenticate": 'Basic realm="GitHub"' }).end();
    }
    await inTurn(async () => {
      await answerGit(state, request, response, path, query, actor.login);
      if (path === "/git-receive-pack") await followRefs(state, actor);
    });
    return void response.end();
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // Whoever was killed in the middle of a request has broken no rule.
      if (request.complete) violations.push(String(error));
      response.destroy();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  atEnd(async () => {
    await webhooks.settled();
    server.closeAllConnections();
    server.close();
    await turn;
    if (violations.length > 0) throw new Error(`Not as GitHub describes it:\n${violations.join("\n")}`);
  });

  async function ask(token: string, route: string, body?: unknown): Promise<unknown> {
    const [method = "GET", path] = route.split(" ");
    const response = await fetch(`${state.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${route}: ${response.status} ${text}`);
    return text === "" ? undefined : (JSON.parse(text) as unknown);
  }
  return { url: state.url, state, credentials, webhooks, faults, before, requests, violations, ask };
}

/** An app vouches for itself only where it asks for tokens, and nobody else may ask there. */
function checkActor({ kind }: Actor, route: string): void {
  const isForApps = /^\w+ \/app\b|\/installation$/.test(route);
  if (isForApps && kind !== "app") throw refuse(401, "A JSON web token could not be decoded");
  if (!isForApps && kind === "app") throw refuse(401, "Bad credentials");
}
