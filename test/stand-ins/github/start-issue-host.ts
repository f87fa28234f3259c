import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { AtEnd } from "../../helpers/temporary.ts";
import { createCredentials, type Credentials } from "./credentials.ts";
import { createFaults, fail, type Faults } from "./faults.ts";
import { GITHUB_INTERFACE } from "./interface.ts";
import { type Issue, issueRoutes, type IssueRepository } from "./issue-routes.ts";
import { paged } from "./paged.ts";
import { refuse, type Reply, toReply } from "./reply.ts";
import { createRouter } from "./router.ts";
import { writeText } from "./write-text.ts";

/** The issues of repositories on GitHub, without their git: many repositories, people and tokens. */
export interface IssueHost {
  readonly url: string;
  readonly credentials: Credentials;
  readonly faults: Faults;
  readonly repositories: IssueRepository[];
  /** New names of repositories, by their old ones. */
  readonly renamed: Map<string, string>;
  /** `login METHOD path` of each request that a token was good for, in their order. */
  readonly requests: string[];
  addRepository(name: string, rights: Pick<IssueRepository, "readers" | "writers"> & { hasIssues?: boolean }): void;
  addIssue(name: string, title: string, more?: Partial<Issue>): void;
}

/** Address that the host believes to have, which its links and redirects name. */
const PUBLIC_URL = "https://api.github.com";
const HOUR_S = 3600;

export async function startIssueHost(atEnd: AtEnd = onTestFinished): Promise<IssueHost> {
  const credentials = createCredentials({ id: 4712, slug: "unused" });
  const faults = createFaults();
  const repositories: IssueRepository[] = [];
  const renamed = new Map<string, string>();
  const requests: string[] = [];
  const violations: string[] = [];
  const byName = (name: string) => repositories.find((one) => one.name === name);
  const find = createRouter(issueRoutes(GITHUB_INTERFACE, "https://github.com", byName));

  /** By its number, a repository is found under any name. */
  function toPath(pathname: string): string {
    return pathname.replace(/^\/repositories\/(\d+)/, (_, id) => {
      return `/repos/${repositories.find((one) => String(one.id) === id)?.name ?? "no/where"}`;
    });
  }

  function findMoved(method: string, { pathname, search }: URL): Reply | undefined {
    const [, name = "", rest = ""] = /^\/repos\/([^/]+\/[^/]+)(.*)$/.exec(pathname) ?? [];
    const target = byName(renamed.get(name) ?? "");
    if (target === undefined) return undefined;
    const location = `${PUBLIC_URL}/repositories/${target.id}${rest}${search}`;
    const isRead = method === "GET";
    const body = {
      message: isRead ? "Moved Permanently" : "Temporary Redirect",
      url: location,
      documentation_url: "https://docs.github.com/rest",
    };
    return { status: isRead ? 301 : 307, headers: { location }, body };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", PUBLIC_URL);
    const method = request.method ?? "GET";
    const raw = await readText(request);
    const match = find(method, toPath(url.pathname));
    const route = match?.route ?? `${method} ${url.pathname}`;
    const headers = {
      "x-ratelimit-limit": "5000",
      "x-ratelimit-remaining": String(5000 - requests.length),
      "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + HOUR_S),
      "x-github-request-id": `STANDIN:${requests.length}`,
    };
    let reply: Reply;
    try {
      if (request.headers["user-agent"] === undefined) throw refuse(403, "Request forbidden by administrative rules.");
      const actor = credentials.identify(request.headers.authorization);
      requests.push(`${actor.login} ${method} ${url.pathname}`);
      if (match === undefined) throw refuse(404, "Not Found");
      const fault = faults.take(match.route);
      if (fault !== undefined && fault.done !== true) return fail(response, fault, headers);
      const body = raw === "" ? {} : (JSON.parse(raw) as Record<string, unknown>);
      const wrong = GITHUB_INTERFACE.checkRequest(match.route, raw === "" ? undefined : body);
      if (wrong !== undefined) throw refuse(422, `Invalid request.\n\n${wrong}`);
      const param = (name: string) => match.params.get(name) ?? "";
      reply = findMoved(method, url) ?? (await match.handler({ param, query: url.searchParams, body, actor }));
      if (fault !== undefined) return fail(response, fault, headers);
    } catch (error) {
      reply = toReply(error);
    }
    const { links, body } = paged(reply, url);
    // GitHub describes 307 for all of its interface at once.
    const wrong = reply.status === 307 ? undefined : GITHUB_INTERFACE.checkAnswer(route, reply.status, body);
    if (wrong !== undefined || reply.status === 500) violations.push(wrong ?? JSON.stringify(body));
    writeText(request, response, {
      status: reply.status,
      text: body === undefined ? "" : JSON.stringify(body),
      headers: { ...headers, ...links, ...reply.headers },
    });
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      violations.push(String(error));
      response.destroy();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
    if (violations.length > 0) throw new Error(`Not as GitHub describes it:\n${violations.join("\n")}`);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials,
    faults,
    repositories,
    renamed,
    requests,
    addRepository: (name, { hasIssues = true, ...rights }) =>
      void repositories.push({ id: repositories.length + 1, name, hasIssues, issues: [], ...rights }),
    addIssue(name, title, more = {}) {
      const issues = byName(name)?.issues ?? [];
      const given = { author: "octo", body: "", state: "open", reason: null, isPull: false, isDeleted: false } as const;
      issues.push({ number: issues.length + 1, title, labels: [], comments: [], ...given, ...more });
    },
  };
}
