import type { AuthConfig } from "../config/config-auth.ts";
import type { Store } from "../store/store.ts";
import { isApiToken } from "./api-token.ts";
import { createVerifyApiToken, hasApiTokens } from "./api-tokens.ts";
import { createAuthenticate } from "./authenticate.ts";
import { type Authenticate, type Credentials, LOCAL_CALLER, toLocalPerson } from "./caller.ts";
import type { IssuerOptions } from "./open-verify-oauth.ts";
import { refuseOthers } from "./verified.ts";

export interface AuthenticationOptions extends IssuerOptions {
  readonly config: AuthConfig;
  readonly store: Store;
}

export interface Authentication {
  readonly authenticate: Authenticate;
  /** True if callers need no token at the start. */
  readonly isOpen: boolean;
}

/** Puts together the ways in which callers can show who they are. Rejects when the client's secret cannot be had. */
export async function openAuthentication(options: AuthenticationOptions): Promise<Authentication> {
  const { config, store, now, uptime } = options;
  const { mode, oauth } = config;
  const verifyApiToken = createVerifyApiToken(store, now);
  // Loaded only where there is an authorization server.
  const verifyOAuth =
    oauth === undefined ? refuseOthers : await (await import("./open-verify-oauth.ts")).openVerifyOAuth(oauth, options);
  const authenticate = createAuthenticate({
    // Our own tokens are never shown to an issuer.
    verify: (token, address) => (isApiToken(token) ? verifyApiToken : verifyOAuth)(token, address),
    uptime,
  });
  if (mode === "tokens" || oauth !== undefined) return { authenticate, isOpen: false };
  const hasTokens = () => hasApiTokens(store);
  return { authenticate: openUntilToken({ hasTokens, authenticate, uptime }), isOpen: !(await hasTokens()) };
}

export interface OpenUntilTokenOptions {
  readonly hasTokens: () => Promise<boolean>;
  /** Authenticates callers once there are tokens. */
  readonly authenticate: Authenticate;
  /** Milliseconds of a clock that never goes back. */
  readonly uptime: () => number;
}

/** Milliseconds after which the first token, made by whichever process, shuts everybody else out at the latest. */
const LOOK_INTERVAL = 1_000;

/** Opens the service to every caller until the first token is made, and never again after it. */
export function openUntilToken({ hasTokens, authenticate, uptime }: OpenUntilTokenOptions): Authenticate {
  let isShut = false;
  let lookedAt = -Infinity;
  const local = ({ person }: Credentials) => (person === undefined ? LOCAL_CALLER : toLocalPerson(person));
  return (credentials) => {
    if (isShut) return authenticate(credentials);
    const moment = uptime();
    if (moment - lookedAt < LOOK_INTERVAL) return local(credentials);
    return hasTokens().then((has) => {
      isShut ||= has;
      lookedAt = moment;
      return isShut ? authenticate(credentials) : local(credentials);
    });
  };
}
