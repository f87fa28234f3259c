import { CairnError } from "../errors.ts";
import { TOKENS, tokenKey } from "../store/keys.ts";
import type { Commit, Store } from "../store/store.ts";
import { isApiToken, matchesSecret, parseApiToken, readTokenRecord, type TokenRecord } from "./api-token.ts";
import { createInvalidToken, type Verified, type Verify } from "./verified.ts";

/** Milliseconds after which a token that was revoked, in whichever process, is refused at the latest. */
const REVOCATION_DELAY = 1_000;

/** Checks API tokens against their records, each of which is read again once in REVOCATION_DELAY. */
export function createVerifyApiToken(store: Store, now: () => number): Verify {
  return async (token) => {
    const parsed = parseApiToken(token);
    if (parsed === undefined) throw createUnknown();
    const value = (await store.get(tokenKey(parsed.id)))?.value;
    if (value === undefined) throw createUnknown();
    const record = readTokenRecord(value);
    if (!matchesSecret(record, parsed.secret)) throw createUnknown();
    return toVerified(record, now());
  };
}

/** Checks that a token was ever made: records stay when tokens are revoked, so revoking the last one opens nothing. */
export async function hasApiTokens(store: Store): Promise<boolean> {
  for await (const _ of store.scan({ prefix: TOKENS, limit: 1 })) return true;
  return false;
}

/** Every one, the newest first. */
export async function listApiTokens(store: Store): Promise<readonly TokenRecord[]> {
  const records = await Array.fromAsync(store.scan({ prefix: TOKENS }), ({ value }) => readTokenRecord(value));
  return records.sort((one, other) => other.createdAt - one.createdAt);
}

/** Audit entry written together with a token's record, when it is made or revoked. */
export type TokenNote = (record: TokenRecord) => Required<Pick<Commit, "set" | "append">>;

export async function saveApiToken(store: Store, record: TokenRecord, toNote: TokenNote): Promise<void> {
  const key = tokenKey(record.id);
  const { set, append } = toNote(record);
  const { ok } = await store.commit({ check: [{ key, rev: 0 }], set: [{ key, value: { ...record } }, ...set], append });
  if (!ok) throw new CairnError("CONFLICT", `There is a token \`${record.id}\` already.`);
}

/** `id` is a token's, or the token itself; revoking one twice is no error. NOT_FOUND when there is none. */
export async function revokeApiToken(store: Store, id: string, now: number, toNote: TokenNote): Promise<TokenRecord> {
  const found = (isApiToken(id) ? parseApiToken(id)?.id : id) ?? "";
  const key = tokenKey(found);
  const entry = await store.get(key);
  if (entry === undefined) {
    // It may be a secret after all, so it is not repeated.
    throw new CairnError("NOT_FOUND", "There is no such token; `cairn token list` has their ids.");
  }
  const record = readTokenRecord(entry.value);
  if (record.revokedAt !== undefined) return record;
  const revoked = { ...record, revokedAt: now };
  const { set, append } = toNote(revoked);
  const { ok } = await store.commit({
    check: [{ key, rev: entry.rev }],
    set: [{ key, value: revoked }, ...set],
    append,
  });
  if (!ok) throw new CairnError("CONFLICT", "Somebody else changed the token at this moment; try again.");
  return revoked;
}

function toVerified(record: TokenRecord, now: number): Verified {
  const { tenant, actor, roles, scopes, expiresAt = Infinity, revokedAt } = record;
  if (revokedAt !== undefined) throw createInvalidToken("The token was revoked.");
  if (expiresAt <= now) throw createInvalidToken("The token has expired.");
  const caller = Object.freeze({ tenant, actor, roles: Object.freeze([...roles]), scopes: new Set(scopes) });
  return { caller, paths: EVERYWHERE, ttl: Math.min(REVOCATION_DELAY, expiresAt - now) };
}

const EVERYWHERE = [""];

/** Creates one error for made-up ids and wrong secrets alike. */
function createUnknown(): CairnError {
  return createInvalidToken("The token is not known here.");
}
