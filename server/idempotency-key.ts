import { CairnError } from "./errors.ts";

/** Visible ASCII but for what would need escapes in a header's string, or separate two of them. */
const FORM = /^[!#-+\--[\]-~]{1,128}$/;

/**
 * The key under which a call is done once, from the places where it may stand; undefined when it stands nowhere. A header
 * has it as a string of RFC 8941 (`"…"`, as draft-ietf-httpapi-idempotency-key-header asks) or bare. BAD_REQUEST when it
 * has another form, or differs between its places: a proxy might have judged by one, and the service would act by the
 * other.
 */
export function readIdempotencyKey(header: unknown, member?: unknown): string | undefined {
  const bare = typeof header === "string" && /^".*"$/.test(header) ? header.slice(1, -1) : header;
  const keys = [bare, member].filter((key) => key !== undefined);
  const [key] = keys;
  if (key === undefined) return undefined;
  if (keys.some((other) => typeof other !== "string" || !FORM.test(other))) {
    throw new CairnError(
      "BAD_REQUEST",
      'An idempotency key has 1 to 128 visible ASCII characters other than `"`, `\\` and `,`, for example a UUID; the header `Idempotency-Key` stands once.',
    );
  }
  if (keys.some((other) => other !== key)) {
    throw new CairnError("BAD_REQUEST", "The header `Idempotency-Key` and the key in the body differ.");
  }
  return key as string;
}
