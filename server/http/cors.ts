/** Headers that pages of an allowed origin may read. */
const EXPOSED =
  "cairn-commit, cairn-version, cairn-tool-version, cairn-unverified, cairn-conversation-id, cairn-feedback, cairn-logs, cairn-run, etag, link, location, mcp-session-id, preference-applied, retry-after, www-authenticate, x-request-id";

/** The answer to a browser's question whether a page may send its request; the guard has let the origin through. */
export function answerPreflight(request: Request): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, HEAD, POST, PUT, DELETE",
      "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "",
      "access-control-max-age": "600",
    },
  });
}

/** Lets the page that asked read the answer: the guard has refused all pages but those of allowed origins. */
export function allowOrigin(response: Response, request: Request): Response {
  const pairs = toCorsHeaders(request.headers.get("origin") ?? undefined);
  for (let at = 0; at < pairs.length; at += 2) response.headers.append(pairs[at] ?? "", pairs[at + 1] ?? "");
  return response;
}

/** Lists the headers of CORS as names and values in turn; none for callers that are no page. */
export function toCorsHeaders(origin: string | undefined): readonly string[] {
  if (origin === undefined) return [];
  return ["access-control-allow-origin", origin, "access-control-expose-headers", EXPOSED, "vary", "origin"];
}
