import { createHash } from "node:crypto";
import type { RandomBytes } from "../../identifiers.ts";
import { createRecordReader } from "../../json/stored.ts";
import { loginSessionKey, loginSessionsOf } from "../../store/login-keys.ts";
import { seal, unseal } from "../../store/seal.ts";
import type { Key, Store } from "../../store/store.ts";
import type { Tokens } from "./provider.ts";

/** Stored record of a session; `schemas/login-session-record.schema.json` describes each member. */
interface SessionRecord {
  readonly schemaVersion: 1;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly refreshingUntil?: number;
  readonly sealed: string;
}

/** A session as it was when it was read. */
export interface LoginSession {
  readonly key: Key;
  readonly secret: string;
  readonly tokens: Tokens;
  readonly record: SessionRecord;
  readonly rev: number;
}

/** Sessions of readers who signed in with the provider. Writers that find another revision change nothing. */
export interface LoginSessions {
  /** Begins a session and gives its id, which is its secret as well. */
  create(tokens: Tokens): Promise<string>;
  /** `undefined` for an unknown id, and for a session that is over. */
  find(id: string): Promise<LoginSession | undefined>;
  /** Says whether the refreshing of its tokens is the caller's alone until that time, in milliseconds since 1970. */
  claim(session: LoginSession, until: number): Promise<boolean>;
  /** Replaces its tokens, and ends the claim. */
  replace(id: string, tokens: Tokens): Promise<void>;
  /** Ends the claim of the caller, so that the next one may try. */
  release(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface LoginSessionsOptions {
  readonly store: Store;
  readonly issuer: string;
  readonly randomBytes: RandomBytes;
  readonly now: () => number;
}

/** Milliseconds after which a reader signs in again, however often the tokens were refreshed: a working day. */
const SESSION_AGE = 12 * 3_600_000;
/** Sessions of one account; the oldest makes room for the next. Each browser needs one, and the store must not fill with others. */
const ACCOUNT_LIMIT = 10;
const SECRET_BYTES = 32;
/** Characters of the digest that stands for an account. */
const ACCOUNT_LENGTH = 22;
/** `cairn_` has scanners for leaked secrets and our own masks know it. */
const PREFIX = "cairn_session_";
const FORM = /^cairn_session_([\w-]{22})_([\w-]{43})$/;

const readRecord = createRecordReader<SessionRecord>("login-session-record");

/** Checks that a token claims to be the id of a session; such a token is never sent to another service. */
export function isLoginSession(token: string): boolean {
  return token.startsWith(PREFIX);
}

/**
 * Opens the sessions in the store. A record is found by the digest of the id's secret, and its tokens are encrypted by the secret
 * itself: who reads the data folder or a backup can use neither.
 */
export function createLoginSessions({ store, issuer, randomBytes, now }: LoginSessionsOptions): LoginSessions {
  async function read(id: string): Promise<LoginSession | undefined> {
    const [, account, secret] = FORM.exec(id) ?? [];
    if (account === undefined || secret === undefined) return undefined;
    const key = loginSessionKey(account, digest(secret));
    const entry = await store.get(key);
    if (entry === undefined) return undefined;
    const record = readRecord(entry.value);
    if (record.expiresAt <= now()) return undefined;
    // Nothing but `seal` under this secret can have made it.
    const tokens = unseal(record.sealed, secret, key) as unknown as Tokens;
    return { key, secret, tokens, record, rev: entry.rev };
  }

  async function write({ key, rev }: LoginSession, record: SessionRecord): Promise<boolean> {
    const set = [{ key, value: { ...record }, ttl: record.expiresAt - now() }];
    return (await store.commit({ check: [{ key, rev }], set })).ok;
  }

  /** Finds those for which an account has no more room once it has another one. */
  async function findOldest(account: string): Promise<readonly Key[]> {
    const all = await Array.fromAsync(store.scan({ prefix: loginSessionsOf(account) }), ({ key, value }) => ({
      key,
      createdAt: readRecord(value).createdAt,
    }));
    return all
      .sort((one, other) => other.createdAt - one.createdAt)
      .slice(ACCOUNT_LIMIT - 1)
      .map(({ key }) => key);
  }

  return Object.freeze<LoginSessions>({
    async create(tokens) {
      const account = digest(`${issuer} ${tokens.subject}`).slice(0, ACCOUNT_LENGTH);
      const secret = Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url");
      const key = loginSessionKey(account, digest(secret));
      const createdAt = now();
      const expiresAt = createdAt + SESSION_AGE;
      const record = { schemaVersion: 1, createdAt, expiresAt, sealed: seal({ ...tokens }, secret, key) } as const;
      await store.commit({ set: [{ key, value: record, ttl: SESSION_AGE }], del: await findOldest(account) });
      return `${PREFIX}${account}_${secret}`;
    },
    find: read,
    claim: (session, until) => write(session, { ...session.record, refreshingUntil: until }),
    async replace(id, tokens) {
      const session = await read(id);
      // Signed out meanwhile: it stays so.
      if (session === undefined) return;
      const { schemaVersion, createdAt, expiresAt } = session.record;
      const sealed = seal({ ...tokens }, session.secret, session.key);
      await write(session, { schemaVersion, createdAt, expiresAt, sealed });
    },
    async release(id) {
      const session = await read(id);
      if (session !== undefined) await write(session, { ...session.record, refreshingUntil: 0 });
    },
    async remove(id) {
      const session = await read(id);
      if (session !== undefined) await store.commit({ del: [session.key] });
    },
  });
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
