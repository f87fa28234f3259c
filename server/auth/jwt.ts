import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from "jose";
import { CairnError } from "../errors.ts";
import { toPaths } from "./audience.ts";
import { type ClaimRules, toCaller } from "./claims.ts";
import { CLOCK_SKEW, createInvalidToken, type Verified, type Verify } from "./verified.ts";

/** Signatures that only the issuer can make: no `none`, and no HS*, whose key would be the public one (RFC 8725 §2.1). */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "Ed25519",
  "EdDSA",
];
/** Types of access tokens. Others, such as those of logout, must not be taken for one (RFC 8725 §3.11). */
const TYPES = new Set(["at+jwt", "application/at+jwt", "jwt", "application/jwt"]);
/** Claims that ID tokens alone have (OpenID Connect Core §3.1.3.6 and §3.3.2.11), or events such as a logout. */
const OF_ID_TOKENS = ["at_hash", "c_hash", "s_hash", "events"];
const OTHER_KINDS = new Set(["id", "refresh", "offline", "logout"]);
/** Keys that are tried on a token that names none: each costs a signature's check, of tokens that anyone can make up. */
const KEYS_TRIED = 10;
/** Milliseconds: how long a token goes on after its key was withdrawn. */
const TTL = 60_000;

export interface JwtOptions {
  readonly issuer: string;
  /** Base URL of this service, as its resource identifier. */
  readonly origin: string;
  readonly keys: JWTVerifyGetKey;
  readonly rules: ClaimRules;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Checks that a token has the form of a signed JWT, as opposed to one that only its issuer can read. */
export function isJwt(token: string): boolean {
  return token.startsWith("ey") && JWT.test(token);
}

/** Checks access tokens that are signed JWTs, by RFC 9068 §4 and RFC 8725. */
export function createVerifyJwt({ issuer, origin, keys, rules, now }: JwtOptions): Verify {
  return async (token) => {
    if (!isCanonical(token)) throw createInvalidToken("The token is not well-formed.");
    const { payload, protectedHeader } = await verifyWithAny(token, keys, {
      issuer,
      algorithms: ALGORITHMS,
      requiredClaims: ["exp", "aud", "sub"],
      clockTolerance: CLOCK_SKEW / 1000,
      currentDate: new Date(now()),
    }).catch((error: unknown) => {
      throw toRefusal(error);
    });
    if (!isAccessToken(protectedHeader.typ, payload)) {
      throw createInvalidToken("The token is of another type than an access token.");
    }
    return toVerified(payload, { origin, rules, now: now() }, TTL);
  };
}

/**
 * Checks that a token may be an access token. Many issuers leave `typ` out of the header or write `JWT`, so ID and
 * refresh tokens are also recognised by claims that only they have: hashes of OpenID Connect, and the claims by which
 * Keycloak and Cognito name the kind. The header is JSON, regardless of its type.
 */
function isAccessToken(typ: unknown, payload: JWTPayload): boolean {
  if (typ !== undefined && !(typeof typ === "string" && TYPES.has(typ.toLowerCase()))) return false;
  if (OF_ID_TOKENS.some((claim) => Object.hasOwn(payload, claim))) return false;
  const kinds = [payload["typ"], payload["token_use"]];
  return !kinds.some((kind) => typeof kind === "string" && OTHER_KINDS.has(kind.toLowerCase()));
}

/** Verifies with the key that the token names; with each that may be meant where it names none (RFC 7515, section 4.1.4). */
async function verifyWithAny(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions) {
  try {
    return await jwtVerify(token, keys, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    let tried = 0;
    for await (const key of error) {
      if (++tried > KEYS_TRIED) {
        throw createInvalidToken(`The token names no key (\`kid\`), and its issuer has more than ${KEYS_TRIED}.`);
      }
      try {
        return await jwtVerify(token, key, options);
      } catch (failed) {
        if (!(failed instanceof errors.JWSSignatureVerificationFailed)) throw failed;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/** Converts verified claims; UNAUTHENTICATED when they are not meant for this service. */
export function toVerified(
  claims: JWTPayload,
  { origin, rules, now }: { readonly origin: string; readonly rules: ClaimRules; readonly now: number },
  ttl: number,
): Verified {
  const paths = toPaths(claims.aud, origin);
  if (paths.length === 0) {
    throw createInvalidToken(`The token was issued for another service; its audience must be ${origin} or below.`);
  }
  // It is bound to a key that the caller would have to prove, which this service does not ask for (RFC 9449, RFC 8705).
  if (claims["cnf"] !== undefined)
    throw createInvalidToken("The token is bound to a key; this service takes Bearer only.");
  const left = claims.exp === undefined ? ttl : claims.exp * 1000 + CLOCK_SKEW - now;
  return { caller: toCaller(claims, rules), paths, ttl: Math.min(ttl, left) };
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Base64url lets several spellings mean the same bytes; only one of them is the token that was issued. */
function isCanonical(token: string): boolean {
  return token.split(".").every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
}

/** Says what is wrong, but nothing of what the token holds. */
function toRefusal(error: unknown): unknown {
  if (error instanceof CairnError) return error;
  if (error instanceof errors.JWTExpired) return createInvalidToken("The token has expired.");
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason } = error;
    if (claim === "nbf") return createInvalidToken("The token is not valid yet.");
    if (claim === "iss") return createInvalidToken("The token is of another issuer than this service takes tokens of.");
    return createInvalidToken(`The claim \`${claim}\` of the token is ${reason === "missing" ? "missing" : "wrong"}.`);
  }
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported) {
    return createInvalidToken("The token is signed in a way that is not taken.");
  }
  if (error instanceof errors.JWKSNoMatchingKey) return createInvalidToken("The token's key is not one of its issuer.");
  if (error instanceof errors.JOSEError)
    return createInvalidToken("The token is not well-formed, or not its issuer's.");
  return error;
}
