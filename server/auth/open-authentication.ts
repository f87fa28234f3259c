import type { AuthConfig, OAuthConfig } from "../config/config-auth.ts";
import { loadReferencedSecret } from "../config/secret-reference.ts";
import type { Log } from "../log/log.ts";
import type { Store } from "../store/store.ts";
import { isApiToken } from "./api-token.ts";
import { createVerifyApiToken, hasApiTokens } from "./api-tokens.ts";
import { createAskIssuer, createUnreachable, type Fetch } from "./ask-issuer.ts";
import { createAuthenticate } from "./authenticate.ts";
import { type Authenticate, LOCAL_CALLER } from "./caller.ts";
import { createIntrospection } from "./introspection.ts";
import { createIssuerKeys } from "./issuer-keys.ts";
import { discoverJwksUri } from "./issuer-metadata.ts";
import { createVerifyJwt, isJwt } from "./jwt.ts";
import { createInvalidToken, type Verify } from "./verified.ts";

export interface AuthenticationOptions {
  readonly config: AuthConfig;
  readonly store: Store;
  readonly fetch: Fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly uptime: () => number;
  readonly log: Log;
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
  const verifyOAuth = oauth === undefined ? refuseOthers : await openVerifyOAuth(oauth, options);
  const authenticate = createAuthenticate({
    // Our own tokens are never shown to an issuer.
    verify: (token, address) => (isApiToken(token) ? verifyApiToken : verifyOAuth)(token, address),
    uptime,
  });
  if (mode === "tokens" || oauth !== undefined) return { authenticate, isOpen: false };
  const hasTokens = () => hasApiTokens(store);
  return { authenticate: openUntilToken({ hasTokens, authenticate, uptime }), isOpen: !(await hasTokens()) };
}

async function openVerifyOAuth(config: OAuthConfig, options: AuthenticationOptions): Promise<Verify> {
  const { issuer, origin, jwksUri, introspection } = config;
  const { now, uptime, log } = options;
  const warn = (reason: string) => log.warn({ reason }, "the authorization server is of no use at this moment");
  const ask = createAskIssuer(options.fetch, warn);
  const keys = createIssuerKeys({
    load: async () => {
      const url = jwksUri ?? (await discoverJwksUri(issuer, ask, warn));
      const found = await ask(url);
      if (found !== undefined) return found;
      warn(`${url}: there is nothing`);
      throw createUnreachable();
    },
    uptime,
  });
  const verifyJwt = createVerifyJwt({ issuer, origin, keys, rules: config, now });
  if (introspection === undefined)
    return (token, address) => (isJwt(token) ? verifyJwt(token, address) : refuseOthers());
  const { secret, url, clientId } = introspection;
  const loadSecret = () => loadReferencedSecret("CAIRN_OAUTH_CLIENT_SECRET", secret);
  await loadSecret();
  const introspect = createIntrospection({
    url,
    clientId,
    loadSecret,
    issuer,
    origin,
    rules: config,
    ask,
    now,
    uptime,
  });
  return (token, address) => (isJwt(token) ? verifyJwt : introspect)(token, address);
}

async function refuseOthers(): Promise<never> {
  throw createInvalidToken("The token is of no kind that this service takes.");
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
  return (credentials) => {
    if (isShut) return authenticate(credentials);
    const moment = uptime();
    if (moment - lookedAt < LOOK_INTERVAL) return LOCAL_CALLER;
    return hasTokens().then((has) => {
      isShut ||= has;
      lookedAt = moment;
      return isShut ? authenticate(credentials) : LOCAL_CALLER;
    });
  };
}
