import { ERRORS, type ErrorBody } from "../errors.ts";

/** Seconds after which what was UNAVAILABLE is worth another try. */
const RETRY_AFTER = "5";

/** The error as problem details (RFC 9457), with the dual code and `extra` as extension members. */
export function toProblem(
  body: ErrorBody,
  extra: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { status, meaning } = ERRORS[body.name];
  const { code, name, message, details } = body;
  const problem = {
    type: `urn:cairn:error:${name}`,
    title: meaning,
    status,
    detail: message,
    code,
    name,
    ...(details === undefined ? {} : { details }),
    ...extra,
  };
  const retry = name === "UNAVAILABLE" ? { "retry-after": RETRY_AFTER } : {};
  return Response.json(problem, {
    status,
    headers: { ...headers, ...retry, "content-type": "application/problem+json" },
  });
}
