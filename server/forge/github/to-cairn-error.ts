import { RequestError } from "octokit";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { SHAPES_ONLY } from "../../log/redact.ts";

const MAX_WORDS = 500;

/** A refusal of GraphQL, which comes in a good answer. */
export interface GraphqlError extends Error {
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly errors: readonly { readonly type?: string; readonly message: string }[];
}

export function isGraphqlError(error: unknown): error is GraphqlError {
  return (
    error instanceof Error &&
    error.name === "GraphqlResponseError" &&
    "headers" in error &&
    "errors" in error &&
    Array.isArray(error.errors)
  );
}

/**
 * Converts the failure of a request into an error for people. GitHub's explanation is shown without anything that has the form of a
 * credential; the request itself, which carries some, is not kept.
 */
export function toCairnError(error: unknown, what: string): CairnError {
  if (error instanceof CairnError) return error;
  if (!(error instanceof RequestError)) {
    const isTimeout = error instanceof Error && /^(?:Abort|Timeout)Error$/.test(error.name);
    return isTimeout ? tooSlow(what) : new CairnError("UPSTREAM_ERROR", `${what} failed: ${toWords(error)}.`);
  }
  if (error.cause instanceof Error && error.cause.name === "TimeoutError") return tooSlow(what);
  const words = toWords(error);
  if (error.response === undefined)
    return new CairnError("UPSTREAM_ERROR", `GitHub could not be reached to ${what}: ${words}`);
  if (error.status === 401) {
    return new CairnError("UPSTREAM_ERROR", `GitHub does not take the credentials that it was asked with to ${what}.`);
  }
  if (error.status === 404) {
    return new CairnError(
      "NOT_FOUND",
      `GitHub was asked to ${what}, and has no such thing, or does not show it to these credentials.`,
    );
  }
  const name = error.status === 409 ? "CONFLICT" : "UPSTREAM_ERROR";
  return new CairnError(name, `GitHub was asked to ${what} and answered ${error.status}: ${words}`);
}

/** GitHub's own explanation, with the messages of the single faults. */
export function toWords(error: unknown): string {
  if (isGraphqlError(error)) {
    return SHAPES_ONLY.text(error.errors.map(({ message }) => message).join("; ")).slice(0, MAX_WORDS);
  }
  const data: unknown = error instanceof RequestError ? error.response?.data : undefined;
  const message =
    isObject(data) && typeof data["message"] === "string" ? data["message"] : String((error as Error).message);
  const errors: readonly unknown[] = isObject(data) && Array.isArray(data["errors"]) ? data["errors"] : [];
  const details = errors.map((one) => (isObject(one) ? (one["message"] ?? one["field"]) : one));
  const words = [message, ...details.filter((one) => typeof one === "string")].join("; ");
  return SHAPES_ONLY.text(words).slice(0, MAX_WORDS);
}

function tooSlow(what: string): CairnError {
  return new CairnError("UPSTREAM_TIMEOUT", `GitHub did not answer in time when it was asked to ${what}.`);
}
