import { ERRORS, type ErrorBody } from "../errors.ts";
import { toJsonDocument } from "./document.ts";
import type { Reply } from "./reply.ts";

/** Seconds after which what was UNAVAILABLE is worth another try. */
export const RETRY_AFTER = "5";

/** The error as problem details (RFC 9457), with the dual code and `extra` as extension members. */
export function toProblem(
  body: ErrorBody,
  extra: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Reply {
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
  // What was not read of the request would otherwise be waited for.
  const end = status === 413 ? { connection: "close" } : {};
  return {
    document: toJsonDocument(problem, "application/problem+json"),
    status,
    headers: { ...headers, ...retry, ...end },
  };
}
