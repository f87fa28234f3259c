/** Headers that pages of an allowed origin may read. */
const EXPOSED = "cairn-commit, cairn-version, cairn-conversation-id, cairn-logs, link, mcp-session-id";

/** The answer to a browser's question whether a page may send its request; the guard has let the origin through. */
export function answerPreflight(request: Request): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, HEAD, POST",
      "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "",
      "access-control-max-age": "600",
    },
  });
}

/** Lets the page that asked read the answer: the guard has refused all pages but those of allowed origins. */
export function allowOrigin(response: Response, request: Request): Response {
  const origin = request.headers.get("origin");
  if (origin === null) return response;
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set("access-control-expose-headers", EXPOSED);
  response.headers.append("vary", "origin");
  return response;
}
