import { LRUCache } from "lru-cache";
import { type Octokit, RequestError } from "octokit";
import type { GitHubAccess } from "./access.ts";
import { configureOctokit, type GitHubRepository } from "./configure-octokit.ts";

export function openGitHub(place: GitHubRepository, access: GitHubAccess): Octokit {
  const octokit = new (configureOctokit(place))();
  sendToken(octokit, access);
  makeConditional(octokit);
  return octokit;
}

/** Sends a token with each request. One whose sender GitHub does not know had no effect, so it is repeated with a new token. */
function sendToken(octokit: Octokit, access: GitHubAccess): void {
  octokit.hook.wrap("request", async (request, options) => {
    const ask = (token: string) => {
      options.headers.authorization = `token ${token}`;
      return request(options);
    };
    const token = await access.loadToken();
    try {
      return await ask(token);
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 401) throw error;
      const next = await access.loadToken(token);
      if (next === token) throw error;
      return ask(next);
    }
  });
}

interface Kept {
  readonly etag: string;
  readonly data: unknown;
  /** Address of the next page, which an answer without changes may leave out. */
  readonly link: string | undefined;
}

const MAX_KEPT = 500;

/**
 * Lets reading ask only for what is new: an answer that nothing has changed does not count against the limits that
 * GitHub sets. And refuses an answer that broke off, which octokit would hand on as text.
 */
function makeConditional(octokit: Octokit): void {
  const kept = new LRUCache<string, Kept>({ max: MAX_KEPT });
  octokit.hook.wrap("request", async (request, options) => {
    const { url } = octokit.request.endpoint.parse(options);
    const known = options.method === "GET" ? kept.get(url) : undefined;
    if (known !== undefined) options.headers["if-none-match"] = known.etag;
    try {
      const response = await request(options);
      const isJson = response.headers["content-type"]?.startsWith("application/json") ?? false;
      if (isJson && typeof response.data === "string") {
        throw new RequestError("the answer broke off", 500, { request: octokit.request.endpoint.parse(options) });
      }
      const { etag } = response.headers;
      if (options.method === "GET" && etag !== undefined) {
        // Whoever gets it may change it.
        kept.set(url, { etag, data: structuredClone(response.data), link: response.headers.link });
      }
      return response;
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 304 || known === undefined) throw error;
      const headers = { ...error.response?.headers, ...(known.link !== undefined && { link: known.link }) };
      return { status: 200, url, headers, data: structuredClone(known.data) };
    }
  });
}
