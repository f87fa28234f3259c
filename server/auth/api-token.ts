import { createHash, timingSafeEqual } from "node:crypto";
import { type RandomBytes, toHex } from "../identifiers.ts";
import { createRecordReader } from "../json/stored.ts";

/** Stored record of an API token; `schemas/token-record.schema.json` describes each member. */
export interface TokenRecord {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly name: string;
  readonly tenant: string;
  readonly actor: string;
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  readonly salt: string;
  readonly digest: string;
}

/** Properties that the creator of a token chooses. */
export type TokenGrant = Pick<TokenRecord, "name" | "tenant" | "actor" | "roles" | "scopes" | "expiresAt">;

/** The token is `cairn_<id>_<secret>`: scanners for leaked secrets can know it, and its record is found without the secret. */
const FORM = /^cairn_([0-9a-f]{16})_([\w-]{43})$/;
const PREFIX = "cairn_";
const ID_BYTES = 8;
const SECRET_BYTES = 32;
const SALT_BYTES = 16;

export const readTokenRecord = createRecordReader<TokenRecord>("token-record");

/** Checks that a token claims to be one of ours; such a token is never sent to another service. */
export function isApiToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

export function parseApiToken(token: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = FORM.exec(token) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** A new token, to be shown once, and its record. */
export function createApiToken(
  grant: TokenGrant,
  randomBytes: RandomBytes,
  now: number,
): { readonly token: string; readonly record: TokenRecord } {
  const id = toHex(randomBytes(ID_BYTES));
  const secret = Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url");
  const salt = Buffer.from(randomBytes(SALT_BYTES)).toString("base64url");
  const digest = digestOf(salt, secret).toString("base64url");
  return {
    token: `${PREFIX}${id}_${secret}`,
    record: { schemaVersion: 1, id, ...grant, createdAt: now, salt, digest },
  };
}

/** Checks that the record was made with `secret`. */
export function matchesSecret({ salt, digest }: TokenRecord, secret: string): boolean {
  return timingSafeEqual(digestOf(salt, secret), Buffer.from(digest, "base64url"));
}

/**
 * One round of SHA-256 is enough here: slow hashes (Argon2, PBKDF2) make up for passwords that can be guessed, and nobody
 * guesses 256 random bits. The secret is taken as text, so that only one spelling of it is right.
 */
function digestOf(salt: string, secret: string): Buffer {
  return createHash("sha256").update(salt).update(".").update(secret).digest();
}
