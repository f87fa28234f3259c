import type { AuthConfig } from "../config/config-auth.ts";
import { defined } from "../json/defined.ts";
import type { Store } from "../store/store.ts";
import { isApiToken } from "./api-token.ts";
import { createVerifyApiToken, hasApiTokens } from "./api-tokens.ts";
import { createAuthenticate } from "./authenticate.ts";
import { type Authenticate, type Credentials, LOCAL_CALLER, toLocalPerson } from "./caller.ts";
import type { RandomBytes } from "../identifiers.ts";
import type { Login } from "./login/login.ts";
import { isLoginSession } from "./login/sessions.ts";
import type { IssuerOptions } from "./open-verify-oauth.ts";
import { refuseOthers, type Verify } from "./verified.ts";

export interface AuthenticationOptions extends IssuerOptions {
  readonly config: AuthConfig;
  readonly store: Store;
  readonly randomBytes: RandomBytes;
}

export interface Authentication {
  readonly authenticate: Authenticate;
  /** Absent: readers of the console sign in with a token. */
  readonly login?: Login;
  /** True if callers need no token at the start. */
  readonly isOpen: boolean;
}

/** Puts together the ways in which callers can show who they are. Rejects when the client's secret cannot be had. */
export async function openAuthentication(options: AuthenticationOptions): Promise<Authentication> {
  const { config, store, now, uptime } = options;
  const { mode, oauth } = config;
  const verifyApiToken = createVerifyApiToken(store, now);
  const { verifyOAuth, verifySession, login } = await openOAuth(options);
  const toVerify = (token: string): Verify => {
    if (isLoginSession(token)) return verifySession;
    return isApiToken(token) ? verifyApiToken : verifyOAuth;
  };
  const authenticate = createAuthenticate({
    // Our own tokens are never shown to an issuer.
    verify: (token, address) => toVerify(token)(token, address),
    uptime,
  });
  if (mode === "tokens" || oauth !== undefined) return { authenticate, isOpen: false, ...defined({ login }) };
  const hasTokens = () => hasApiTokens(store);
  return { authenticate: openUntilToken({ hasTokens, authenticate, uptime }), isOpen: !(await hasTokens()) };
}

/** Opens what an authorization server is for. Loaded only where there is one. */
async function openOAuth(options: AuthenticationOptions): Promise<{
  readonly verifyOAuth: Verify;
  readonly verifySession: Verify;
  readonly login?: Login;
}> {
  const { oauth } = options.config;
  if (oauth === undefined) return { verifyOAuth: refuseOthers, verifySession: refuseOthers };
  const verify = await (await import("./open-verify-oauth.ts")).openVerifyOAuth(oauth, options);
  if (oauth.login === undefined) return { verifyOAuth: verify, verifySession: refuseOthers };
  const { openLogin } = await import("./login/open-login.ts");
  return { verifyOAuth: verify, ...(await openLogin(oauth, oauth.login, { ...options, verify })) };
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
