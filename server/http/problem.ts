import { ERRORS, type ErrorBody } from "../errors.ts";
import { isObject } from "../json/is-object.ts";
import { toJsonDocument } from "./document.ts";
import type { Reply } from "./reply.ts";
import { defined } from "../json/defined.ts";

/** Seconds after which what was UNAVAILABLE is worth another try. */
export const RETRY_AFTER = 5;

/** The error as problem details (RFC 9457), with the dual code and `extra` as extension members. */
export function toProblem(
  body: ErrorBody,
  extra: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const { status } = ERRORS[body.name];
  const { name, details } = body;
  const seconds = name === "UNAVAILABLE" ? RETRY_AFTER : name === "RATE_LIMITED" ? toSeconds(details) : undefined;
  const retry = seconds === undefined ? {} : { "retry-after": String(seconds) };
  // A call that waits is answered with where its outcome will be.
  const waits = name === "APPROVAL_REQUIRED" && isObject(details) ? details["outcome"] : undefined;
  const location = typeof waits === "string" ? { location: waits } : {};
  const allow = name === "METHOD_NOT_ALLOWED" && isObject(details) ? details["allow"] : undefined;
  const allowed = Array.isArray(allow) ? { allow: allow.join(", ") } : {};
  // What was not read of the request would otherwise be waited for.
  const end = status === 413 ? { connection: "close" } : {};
  return {
    document: toJsonDocument({ ...toProblemBody(body), ...extra }, "application/problem+json"),
    status,
    headers: { ...headers, ...retry, ...location, ...allowed, ...end },
  };
}

/** The members of problem details that every error has. */
export function toProblemBody({ code, name, message, details }: ErrorBody) {
  const { status, meaning } = ERRORS[name];
  const type = `urn:cairn:error:${name}`;
  return { type, title: meaning, status, detail: message, code, name, ...defined({ details }) };
}

/** Limits say with their error when to try again. */
function toSeconds(details: unknown): number | undefined {
  const seconds = isObject(details) ? details["retryAfter"] : undefined;
  return typeof seconds === "number" && Number.isSafeInteger(seconds) && seconds >= 0 ? seconds : undefined;
}
