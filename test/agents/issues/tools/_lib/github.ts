import type { Context, FailName, FetchResponse } from "cairn-gitops/host-api";

export interface Place {
  readonly owner: string;
  readonly repo: string;
}

interface Request {
  readonly method?: "GET" | "POST" | "PATCH";
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Status that says that it was done; otherwise every good one does. */
  readonly expected?: number;
}

const HOST = "https://api.github.com";
const NAMES: Readonly<Record<number, FailName>> = {
  400: "BAD_REQUEST",
  409: "CONFLICT",
  410: "NOT_FOUND",
  422: "UNPROCESSABLE",
};

/** Path of a repository, or of what is below it. */
export function toPath({ owner, repo }: Place, ...parts: readonly (string | number)[]): string {
  return ["", "repos", owner, repo, ...parts].map((part) => encodeURIComponent(part)).join("/");
}

/** Asks GitHub. An answer that is neither good nor 304 is an error that says what GitHub said, and what to do. */
export async function send(ctx: Context, path: string, request: Request = {}): Promise<FetchResponse> {
  const { method = "GET", body, headers, expected } = request;
  // URLs leave such parts out, so the request would go to another operation.
  if (/\/\.{0,2}(?=\/|$)/.test(path.split("?")[0] ?? ""))
    throw ctx.fail("BAD_REQUEST", "An owner or a repository cannot be `.` or `..`.");
  const reply = await ctx.fetch(HOST + path, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      "user-agent": "issues-agent",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!reply.ok && reply.status !== 304) throw toError(ctx, reply);
  // After a redirect a POST may have become a GET, which creates nothing.
  if (expected !== undefined && reply.status !== expected)
    throw ctx.fail("CONFLICT", "The repository has moved, and nothing was written: use its new name.", {
      status: reply.status,
    });
  return reply;
}

/** Number of the next page by the header `Link`; absent on the last one. */
export function findNext(reply: FetchResponse): number | undefined {
  const [, address] = /<([^>]+)>;\s*rel="next"/.exec(reply.headers["link"] ?? "") ?? [];
  const page = address === undefined ? null : new URL(address).searchParams.get("page");
  return page === null ? undefined : Number(page);
}

interface Said {
  readonly message?: string;
  readonly errors?: readonly { readonly field?: string; readonly code?: string; readonly message?: string }[];
}

function toError(ctx: Context, reply: FetchResponse): Error {
  const { status, headers } = reply;
  const said = readSaid(reply);
  const details: Record<string, unknown> = { status };
  const text = said.message?.replace(/\.$/, "") ?? `it answered with ${status}`;
  const message = [text, ...listFaults(said)].join("; ");
  if (status >= 300 && status < 400)
    return ctx.fail("CONFLICT", `The repository or issue has moved: ${message}`, {
      ...details,
      location: headers["location"],
    });
  const isLimited = headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0";
  if (status === 429 || (status === 403 && isLimited)) {
    if (headers["retry-after"] !== undefined) details["retryAfter"] = Number(headers["retry-after"]);
    else if (headers["x-ratelimit-reset"] !== undefined) details["resetAt"] = Number(headers["x-ratelimit-reset"]);
    const when = details["retryAfter"] !== undefined ? ` Try again in ${details["retryAfter"]} seconds.` : "";
    return ctx.fail("UPSTREAM_ERROR", `GitHub limits how often you may ask: ${message}.${when}`, details);
  }
  if (status === 401)
    return ctx.fail(
      "FORBIDDEN",
      `GitHub does not take your token (${message}). Set another one as the secret GITHUB.`,
      details,
    );
  if (status === 403) return ctx.fail("FORBIDDEN", `Your token may not do this: ${message}.`, details);
  if (status === 404)
    return ctx.fail("NOT_FOUND", "There is no such repository or issue, or your token may not see it.", details);
  return ctx.fail(NAMES[status] ?? "UPSTREAM_ERROR", `GitHub answered with ${status}: ${message}`, details);
}

function readSaid(reply: FetchResponse): Said {
  try {
    return reply.json<Said>();
  } catch {
    return {};
  }
}

function listFaults({ errors = [] }: Said): readonly string[] {
  return errors.map(({ field, code, message }) => message ?? `\`${field}\` is ${code}`);
}
