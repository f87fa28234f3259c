import type { Key } from "./store.ts";

/** Sessions of readers who signed in with a provider; whose they are, only the records say. */
const LOGIN_SESSIONS = "login-session";

/** Prefix of the sessions of one account at the provider, by the digest of its issuer and subject. */
export function loginSessionsOf(account: string): Key {
  return [LOGIN_SESSIONS, account];
}

/** Key of a session, by the digest of the secret that only the reader's browser has. */
export function loginSessionKey(account: string, digest: string): Key {
  return [LOGIN_SESSIONS, account, digest];
}
