import { createHash, createHmac } from "node:crypto";
import type { RandomBytes } from "../../identifiers.ts";

/** One reader's way to the provider and back, which only the reader's browser remembers. */
export interface Attempt {
  /** 256 random bits in base64url. */
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Path of the console to go on at. */
  readonly returnTo: string;
}

/** Values that tie the provider's answer to one attempt. */
export interface AttemptSecrets {
  /** Comes back in the address: an answer to nobody's attempt, or to another browser's, signs nobody in (login CSRF). */
  readonly state: string;
  /** Comes back in the ID token: a code or token of another attempt is refused (code injection, replay). */
  readonly nonce: string;
  /** Goes to the provider with the code, which is of no use to those who do not have it (PKCE, RFC 7636). */
  readonly verifier: string;
  readonly challenge: string;
}

/** Milliseconds that a reader may take at the provider. */
export const ATTEMPT_AGE = 10 * 60_000;
const SECRET_BYTES = 32;
const FORM = /^([0-9a-z]{1,9})\.([\w-]{43})\.([\w-]*)$/;
/** Characters of a path to return to: the cookie with it must stay small. */
const PATH_LIMIT = 600;
const HOME = "/";

/** Begins an attempt that returns to a path of the console. */
export function createAttempt(returnTo: string, randomBytes: RandomBytes, now: number): Attempt {
  return {
    secret: Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url"),
    startedAt: now,
    returnTo: toReturnPath(returnTo),
  };
}

/** Writes an attempt as the value of a cookie. */
export function writeAttempt({ secret, startedAt, returnTo }: Attempt): string {
  return `${startedAt.toString(36)}.${secret}.${Buffer.from(returnTo).toString("base64url")}`;
}

/** Reads what `writeAttempt` wrote; `undefined` for all else. */
export function readAttempt(text: string): Attempt | undefined {
  const [, time, secret, path] = FORM.exec(text) ?? [];
  if (time === undefined || secret === undefined || path === undefined) return undefined;
  return { secret, startedAt: parseInt(time, 36), returnTo: toReturnPath(Buffer.from(path, "base64url").toString()) };
}

/** Derives the values of an attempt. Time and path are part of each, so that neither can be exchanged on the way. */
export function toAttemptSecrets(attempt: Attempt): AttemptSecrets {
  const derive = (use: string) =>
    createHmac("sha256", attempt.secret)
      .update(`${use}.${writeAttempt(attempt)}`)
      .digest("base64url");
  const verifier = derive("verifier");
  return {
    state: derive("state"),
    nonce: derive("nonce"),
    verifier,
    challenge: createHash("sha256").update(verifier).digest("base64url"),
  };
}

/** Keeps only paths of the console, as browsers read them: nobody is led elsewhere by signing in (open redirect). */
function toReturnPath(text: string): string {
  const base = "http://console.invalid";
  const url = URL.parse(text, base);
  if (url === null || url.origin !== base) return HOME;
  const { pathname, search } = url;
  return /^\/console\/(?!login(?:\/|$))/.test(pathname) && pathname.length + search.length <= PATH_LIMIT
    ? pathname + search
    : HOME;
}
