import type { OAuthConfig } from "../config/config-auth.ts";
import { loadReferencedSecret } from "../config/secret-reference.ts";
import type { Log } from "../log/log.ts";
import { createAskIssuer, createUnreachable, type Fetch } from "./ask-issuer.ts";
import { createIntrospection } from "./introspection.ts";
import { createIssuerKeys } from "./issuer-keys.ts";
import { discoverJwksUri } from "./issuer-metadata.ts";
import { createVerifyJwt, isJwt } from "./jwt.ts";
import { refuseOthers, type Verify } from "./verified.ts";

/** Means by which an authorization server is asked. */
export interface IssuerOptions {
  readonly fetch: Fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly uptime: () => number;
  readonly log: Log;
}

/** Opens the verification of tokens of an authorization server. Rejects when the client's secret cannot be had. */
export async function openVerifyOAuth(config: OAuthConfig, options: IssuerOptions): Promise<Verify> {
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
