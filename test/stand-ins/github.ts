import { createServer } from "node:http";
import { once } from "node:events";
import { json } from "node:stream/consumers";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string; readonly type: "Bot" | "User" };
}

/** The part of GitHub's interfaces that the actions ask, on loopback, with faults to order. */
export interface GitHubStandIn {
  readonly url: string;
  readonly comments: Comment[];
  readonly releases: { readonly tag_name: string; readonly body: string; readonly prerelease: boolean }[];
  /** `METHOD path` of each request, in their order. */
  readonly requests: string[];
  /** Answers of the next requests: `done` does what was asked first, as when only the answer gets lost. */
  readonly faults: { readonly status: number; readonly headers?: Record<string, string>; readonly done?: boolean }[];
}

export const TOKEN = "ghs_standin";
const REPOSITORY = "/repos/acme/tools";

function toNodeId({ id }: Comment): string {
  return `IC_${id}`;
}

/** `owner` is whom the token belongs to: the job, or a person. */
export async function startGitHub(
  owner: Comment["user"] = { login: "github-actions[bot]", type: "Bot" },
): Promise<GitHubStandIn> {
  const comments: Comment[] = [];
  const releases: GitHubStandIn["releases"] = [];
  const requests: string[] = [];
  const faults: GitHubStandIn["faults"] = [];

  function answer(method: string, url: URL, body: Record<string, unknown>): readonly [status: number, body: unknown] {
    const path = url.pathname.replace(REPOSITORY, "");
    if (method === "POST" && path === "/graphql") {
      // The one query of the actions: which of these comments are by the owner of the token.
      const { ids } = body["variables"] as { readonly ids: readonly string[] };
      const nodes = ids.map((id) => {
        const comment = comments.find((one) => toNodeId(one) === id);
        return comment === undefined ? null : { id, viewerDidAuthor: comment.user.login === owner.login };
      });
      return [200, { data: { nodes } }];
    }
    if (method === "GET" && path === "/issues/7/comments") {
      const size = Number(url.searchParams.get("per_page") ?? 30);
      const from = (Number(url.searchParams.get("page") ?? 1) - 1) * size;
      return [200, comments.slice(from, from + size).map((one) => ({ ...one, node_id: toNodeId(one) }))];
    }
    if (method === "POST" && path === "/issues/7/comments") {
      comments.push({ id: comments.length + 1, body: String(body["body"]), user: owner });
      return [201, comments.at(-1)];
    }
    const [, id] = /^\/issues\/comments\/(\d+)$/.exec(path) ?? [];
    const comment = comments.find((one) => String(one.id) === id);
    if (method === "PATCH" && comment !== undefined) {
      comment.body = String(body["body"]);
      return [200, comment];
    }
    const [, tag] = /^\/releases\/tags\/(.+)$/.exec(path) ?? [];
    if (method === "GET" && tag !== undefined) {
      const release = releases.find(({ tag_name }) => tag_name === decodeURIComponent(tag));
      return release === undefined ? [404, { message: "Not Found" }] : [200, release];
    }
    if (method === "POST" && path === "/releases") {
      const name = String(body["tag_name"]);
      if (releases.some(({ tag_name }) => tag_name === name)) return [422, { message: "already_exists" }];
      releases.push({ tag_name: name, body: String(body["body"]), prerelease: body["prerelease"] === true });
      return [201, releases.at(-1)];
    }
    return [501, { message: `the stand-in has no ${method} ${path}` }];
  }

  const server = createServer(async (request, response) => {
    const method = request.method ?? "";
    const url = new URL(request.url ?? "", "http://x");
    requests.push(`${method} ${url.pathname.replace(REPOSITORY, "")}`);
    const body = method === "GET" ? {} : ((await json(request)) as Record<string, unknown>);
    const fault = faults.shift();
    const isKnown = request.headers.authorization === `Bearer ${TOKEN}`;
    const [status, value] = !isKnown
      ? [401, { message: "Bad credentials" }]
      : fault === undefined || fault.done === true
        ? answer(method, url, body)
        : [fault.status, { message: "ordered" }];
    response.writeHead(fault?.status ?? status, { "content-type": "application/json", ...fault?.headers });
    response.end(JSON.stringify(value));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, comments, releases, requests, faults };
}
