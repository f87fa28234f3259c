import { Octokit } from "octokit";
import { defined } from "../../json/defined.ts";

/** One repository, and how its host is asked. */
export interface GitHubRepository {
  readonly owner: string;
  readonly repo: string;
  /** Of the REST interface, of an Enterprise server for example `https://github.example.com/api/v3`. Default: github.com. */
  readonly baseUrl?: string;
  /** Milliseconds for one request, all of its answer included. */
  readonly timeoutMs: number;
}

export function configureOctokit({ baseUrl, timeoutMs }: GitHubRepository): typeof Octokit {
  return Octokit.defaults({
    userAgent: "cairn",
    ...defined({ baseUrl }),
    // Its plugins wait by their own clock, repeat what must not be, and carry their counts from one call into the next.
    retry: { enabled: false },
    throttle: { enabled: false },
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    request: {
      fetch: (url: string, init: RequestInit) => fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) }),
    },
  });
}

function ignore(): void {}
