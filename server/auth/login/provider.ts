import * as oauth from "oauth4webapi";
import type { OAuthConfig } from "../../config/config-auth.ts";
import type { LoginConfig } from "../../config/config-login.ts";
import { loadReferencedSecret } from "../../config/secret-reference.ts";
import { type AskIssuer, createUnreachable, type Fetch, readLimited, toReason } from "../ask-issuer.ts";
import { toBasic } from "../basic.ts";
import { discoverLogin, isEndpoint } from "../issuer-metadata.ts";
import { CLOCK_SKEW } from "../verified.ts";
import type { AttemptSecrets } from "./attempt.ts";

/** Tokens of one reader, as the authorization server gave them. Times are milliseconds since 1970. */
export interface Tokens {
  /** The `sub` of the ID token. */
  readonly subject: string;
  readonly accessToken: string;
  /** Time from which on it is refreshed, while it is still valid. */
  readonly refreshAt: number;
  readonly expiresAt: number;
  /** Absent: the session ends with the access token. */
  readonly refreshToken?: string;
  readonly idToken?: string;
}

/** The authorization server, as a client of OpenID Connect sees it. All but `authorize` and `leave` reject with errors of `oauth4webapi`, too. */
export interface Provider {
  /** Makes the address at which the reader's browser signs in. */
  authorize(secrets: AttemptSecrets): Promise<string>;
  /** Exchanges the answer that the browser came back with. */
  exchange(answer: URLSearchParams, secrets: AttemptSecrets): Promise<Tokens>;
  refresh(tokens: Tokens): Promise<Tokens>;
  /** Takes back the refresh token, or the access token where there is none. */
  revoke(tokens: Tokens): Promise<void>;
  /** Makes the address at which the reader's browser signs out; `undefined` where there is none. */
  leave(idToken: string | undefined): Promise<string | undefined>;
}

export interface ProviderOptions {
  readonly config: OAuthConfig;
  readonly login: LoginConfig;
  readonly fetch: Fetch;
  readonly ask: AskIssuer;
  readonly warn: (reason: string) => void;
  readonly now: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly uptime: () => number;
}

/** Milliseconds until an answer must be there as a whole: a reader waits for it. */
const TIMEOUT = 5_000;
/** Milliseconds for which the provider's metadata holds. */
const METADATA_AGE = 10 * 60_000;
/** Lifetime in seconds of an access token whose provider does not say (RFC 6749, section 5.1, recommends that it does). */
const DEFAULT_LIFETIME = 300;
/** Milliseconds before the end of an access token from which on it is refreshed, and the part of its lifetime if that is less. */
const REFRESH_AHEAD = 60_000;
const REFRESH_PART = 1 / 4;

const CALLBACK_PATH = "/console/login/callback";
/** Page to which the provider leads back from signing out. */
const LEFT_PATH = "/";

/** Creates the client: authorization code with PKCE (RFC 9700, section 2.1.1), and ID tokens by OpenID Connect Core. */
export function createProvider({ config, login, fetch, ask, warn, now, uptime }: ProviderOptions): Provider {
  const redirectUri = config.origin + CALLBACK_PATH;
  const client: oauth.Client = { client_id: login.clientId, [oauth.clockTolerance]: CLOCK_SKEW / 1000 };
  const options = { [oauth.customFetch]: createBoundedFetch(fetch, warn), [oauth.allowInsecureRequests]: true };
  const named = login.audience === "none" ? {} : { [login.audience]: config.origin };
  // At the token endpoint only RFC 8707 has a parameter for it.
  const forToken = login.audience === "resource" ? { additionalParameters: { resource: config.origin } } : {};
  const authenticate = createClientAuth(login);
  const find = createDiscovery(config.issuer, { ask, warn, uptime });

  return Object.freeze<Provider>({
    async authorize({ state, nonce, challenge }) {
      const url = new URL(String((await find()).authorization_endpoint));
      const parameters = {
        client_id: login.clientId,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: ["openid", ...login.scopes].join(" "),
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: "S256",
        ...named,
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },
    async exchange(answer, { state, nonce, verifier }) {
      const server = await find();
      // Checks `iss` (RFC 9207), too: the answer of another provider is not sent to this one (mix-up).
      const checked = oauth.validateAuthResponse(server, client, answer, state);
      const asking = { ...options, ...forToken };
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authenticate,
        checked,
        redirectUri,
        verifier,
        asking,
      );
      const expected = { expectedNonce: nonce, requireIdToken: true };
      const found = await oauth.processAuthorizationCodeResponse(server, client, response, expected);
      const claims = oauth.getValidatedIdTokenClaims(found);
      assertParty(claims, login.clientId);
      await oauth.validateApplicationLevelSignature(server, response, options);
      return toTokens(found, String(claims?.sub), now());
    },
    async refresh(tokens) {
      const server = await find();
      const asking = { ...options, ...forToken };
      const given = tokens.refreshToken ?? "";
      const response = await oauth.refreshTokenGrantRequest(server, client, authenticate, given, asking);
      const found = await oauth.processRefreshTokenResponse(server, client, response);
      const claims = oauth.getValidatedIdTokenClaims(found);
      assertParty(claims, login.clientId);
      if (claims !== undefined) await oauth.validateApplicationLevelSignature(server, response, options);
      if (claims !== undefined && claims.sub !== tokens.subject) {
        throw new oauth.OperationProcessingError("the refreshed tokens are another subject's");
      }
      // Without rotation the refresh token goes on, and an ID token need not come again.
      return { ...tokens, ...toTokens(found, tokens.subject, now()) };
    },
    async revoke({ accessToken, refreshToken = accessToken }) {
      const server = await find();
      if (!isEndpoint(server.revocation_endpoint)) return;
      const response = await oauth.revocationRequest(server, client, authenticate, refreshToken, options);
      await oauth.processRevocationResponse(response);
    },
    async leave(idToken) {
      const { end_session_endpoint: endpoint } = await find();
      if (!isEndpoint(endpoint)) return undefined;
      const url = new URL(endpoint);
      url.searchParams.set("client_id", login.clientId);
      url.searchParams.set("post_logout_redirect_uri", config.origin + LEFT_PATH);
      if (idToken !== undefined) url.searchParams.set("id_token_hint", idToken);
      return url.href;
    },
  });
}

/**
 * Refuses an ID token that the provider made for another client, though this one is among its audiences (OpenID Connect Core,
 * section 3.1.3.7, number 5). `oauth4webapi` compares `azp` only where there are several audiences.
 */
function assertParty(claims: oauth.IDToken | undefined, clientId: string): void {
  const party = claims?.azp;
  if (party === undefined || party === clientId) return;
  throw new oauth.OperationProcessingError("the ID token is another client's, by its `azp`");
}

/** Creates how the client shows who it is at the token endpoint: by its secret, which is read again each time, where it has one. */
function createClientAuth(login: LoginConfig): oauth.ClientAuth {
  return async (server, { client_id: id }, body, headers) => {
    if (login.secret === undefined) return void body.set("client_id", id);
    const secret = await loadReferencedSecret("CAIRN_OAUTH_LOGIN_CLIENT_SECRET", login.secret);
    const { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] } = server;
    if (methods.includes("client_secret_basic")) return headers.set("authorization", toBasic(id, secret));
    body.set("client_id", id);
    body.set("client_secret", secret);
  };
}

function toTokens(found: oauth.TokenEndpointResponse, subject: string, now: number): Tokens {
  const lifetime = (found.expires_in ?? DEFAULT_LIFETIME) * 1000;
  return {
    subject,
    accessToken: found.access_token,
    refreshAt: now + lifetime - Math.min(REFRESH_AHEAD, lifetime * REFRESH_PART),
    expiresAt: now + lifetime,
    ...(found.refresh_token === undefined ? {} : { refreshToken: found.refresh_token }),
    ...(found.id_token === undefined ? {} : { idToken: found.id_token }),
  };
}

/** Discovers the provider when it is first needed, once for all who ask; the last metadata is better than none. */
function createDiscovery(
  issuer: string,
  { ask, warn, uptime }: Pick<ProviderOptions, "ask" | "warn" | "uptime">,
): () => Promise<oauth.AuthorizationServer> {
  let known: oauth.AuthorizationServer | undefined;
  let until = -Infinity;
  let pending: Promise<oauth.AuthorizationServer> | undefined;
  const discover = async () => {
    const start = uptime();
    known = { ...(await discoverLogin(issuer, ask, warn)), issuer };
    until = start + METADATA_AGE;
    return known;
  };
  return async () => {
    if (known !== undefined && uptime() < until) return known;
    pending ??= discover().finally(() => (pending = undefined));
    return pending.catch((error: unknown) => {
      if (known === undefined) throw error;
      return known;
    });
  };
}

/**
 * Sends the client's requests. Redirects are not followed: they would take a code or a secret elsewhere. What does not answer in
 * time, in so many bytes, or with a failure of its own, is UNAVAILABLE, with the reason for `warn` only.
 */
function createBoundedFetch(fetch: Fetch, warn: (reason: string) => void) {
  return async (
    url: string,
    { method, headers, body }: oauth.CustomFetchOptions<string, unknown>,
  ): Promise<Response> => {
    try {
      const response = await fetch(url, {
        method,
        headers,
        ...(body === undefined || body === null ? {} : { body: String(body) }),
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT),
      });
      const text = await readLimited(response);
      if (response.status >= 500) throw new Error(`it answered ${response.status}`);
      const type = response.headers.get("content-type");
      return new Response(text === "" ? null : text, {
        status: response.status,
        headers: type === null ? {} : { "content-type": type },
      });
    } catch (error) {
      warn(`${url}: ${toReason(error)}`);
      throw createUnreachable();
    }
  };
}
