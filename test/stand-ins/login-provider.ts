import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";

/** What a provider does wrong, each as real ones have. Empty: nothing. */
export interface Wrongs {
  /** Claims that replace those of ID tokens. */
  idToken?: Readonly<Record<string, unknown>>;
  /** How ID tokens are signed instead. */
  signature?: "none" | "HS256" | "other-key";
  /** Claims that replace those of access tokens. */
  accessToken?: Readonly<Record<string, unknown>>;
  /** Says that there are no refresh tokens. */
  omitsRefreshToken?: boolean;
  /** Parameters that replace those of the answer to the browser. */
  answer?: Readonly<Record<string, string>>;
  /** What becomes of requests to this path: never answered, a 500, a redirect, or an error of OAuth. */
  at?: { readonly path: string; readonly how: "slow" | "down" | "redirect" | "invalid_grant" | "invalid_client" };
}

export interface LoginProvider {
  readonly issuer: string;
  /** Path and form of every request so far. */
  readonly requests: { readonly path: string; readonly form: URLSearchParams }[];
  /** Every access, refresh and ID token so far. */
  readonly issued: string[];
  wrongs: Wrongs;
  /** Seconds that access tokens live. */
  lifetime: number;
  /** Signs the reader in who was led to `url`, and gives the address that the browser is led back to. */
  visit(url: string): string;
  close(): Promise<void>;
}

/** The client that the provider knows. */
export const LOGIN_CLIENT = { id: "cairn-console", secret: "of-the-console" };
const KID = "first";

interface Grant {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string;
  readonly scope: string;
  readonly resource: string;
}

/** A provider of OpenID Connect with one client and one reader, `ada` of the tenant `acme`, that rotates refresh tokens. */
export async function startLoginProvider(now: () => number = Date.now): Promise<LoginProvider> {
  const [own, other] = await Promise.all([generateKeyPair("ES256"), generateKeyPair("ES256")]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: KID, alg: "ES256", use: "sig" };
  const codes = new Map<string, Grant>();
  const refreshTokens = new Map<string, Grant>();

  const server = createServer((request, response) => {
    void text(request).then((body) => answer(request, new URLSearchParams(body), response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, form: URLSearchParams, response: ServerResponse): Promise<void> {
    const [path = ""] = (request.url ?? "").split("?");
    provider.requests.push({ path, form });
    const { at } = provider.wrongs;
    if (at?.path === path) return goWrong(response, at.how);
    if (path === "/.well-known/openid-configuration") return json(response, toMetadata(issuer));
    if (path === "/keys") return json(response, { keys: [jwk] });
    if (path === "/revoke") {
      refreshTokens.delete(form.get("token") ?? "");
      return json(response, {});
    }
    if (path !== "/token") return void response.writeHead(404).end();
    const basic = `Basic ${Buffer.from(`${LOGIN_CLIENT.id}:${LOGIN_CLIENT.secret}`).toString("base64")}`;
    if (request.headers.authorization !== basic) return json(response, { error: "invalid_client" }, 401);
    const grant = take(form);
    return grant === undefined
      ? json(response, { error: "invalid_grant", error_description: "planted \u001b[31m explanation" }, 400)
      : json(response, await toTokens(grant));
  }

  /** Uses a code or a refresh token up: each is good once. */
  function take(form: URLSearchParams): Grant | undefined {
    if (form.get("grant_type") === "refresh_token") {
      const token = form.get("refresh_token") ?? "";
      const grant = refreshTokens.get(token);
      refreshTokens.delete(token);
      return grant;
    }
    const code = form.get("code") ?? "";
    const grant = codes.get(code);
    codes.delete(code);
    const verifier = form.get("code_verifier") ?? "";
    const isMeant = createHash("sha256").update(verifier).digest("base64url") === grant?.challenge;
    return isMeant && form.get("redirect_uri") === grant?.redirectUri ? grant : undefined;
  }

  async function toTokens(grant: Grant) {
    const time = Math.floor(now() / 1000);
    const refreshToken = `refresh-${randomUUID()}`;
    refreshTokens.set(refreshToken, grant);
    const common = { iss: issuer, sub: "ada", iat: time, exp: time + provider.lifetime };
    const rights: Readonly<Record<string, unknown>> = {
      aud: grant.resource,
      client_id: LOGIN_CLIENT.id,
      tenant: "acme",
      scope: grant.scope,
      roles: ["reader"],
    };
    const tokens = {
      access_token: await sign({ ...common, ...rights, jti: randomUUID(), ...provider.wrongs.accessToken }, "at+jwt"),
      token_type: "Bearer",
      expires_in: provider.lifetime,
      ...(provider.wrongs.omitsRefreshToken === true ? {} : { refresh_token: refreshToken }),
      id_token: await signId({
        ...common,
        aud: LOGIN_CLIENT.id,
        nonce: grant.nonce,
        exp: time + 300,
        ...provider.wrongs.idToken,
      }),
    };
    provider.issued.push(tokens.access_token, refreshToken, tokens.id_token);
    return tokens;
  }

  const sign = (claims: Readonly<Record<string, unknown>>, typ: string, key = own.privateKey) =>
    new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: KID, typ }).sign(key);

  function signId(claims: Readonly<Record<string, unknown>>): Promise<string> | string {
    switch (provider.wrongs.signature) {
      case "none":
        return new UnsecuredJWT(claims).encode();
      case "HS256":
        return new SignJWT(claims)
          .setProtectedHeader({ alg: "HS256", kid: KID })
          .sign(new TextEncoder().encode(LOGIN_CLIENT.secret.padEnd(32, "-")));
      case "other-key":
        return sign(claims, "JWT", other.privateKey);
      default:
        return sign(claims, "JWT");
    }
  }

  const provider: LoginProvider = {
    issuer,
    requests: [],
    issued: [],
    wrongs: {},
    lifetime: 600,
    visit(url) {
      const query = new URL(url).searchParams;
      const get = (name: string) => query.get(name) ?? "";
      const code = `code-${randomUUID()}`;
      codes.set(code, {
        redirectUri: get("redirect_uri"),
        challenge: get("code_challenge"),
        nonce: get("nonce"),
        scope: get("scope"),
        resource: get("resource"),
      });
      const back = new URL(get("redirect_uri"));
      const parameters = { code, state: get("state"), iss: issuer, ...provider.wrongs.answer };
      for (const [name, value] of Object.entries(parameters)) if (value !== "") back.searchParams.set(name, value);
      return back.href;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}

function toMetadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    revocation_endpoint: `${issuer}/revoke`,
    end_session_endpoint: `${issuer}/leave`,
    // A careless provider that lists all it could do.
    id_token_signing_alg_values_supported: ["ES256", "HS256", "none"],
    authorization_response_iss_parameter_supported: true,
  };
}

function goWrong(response: ServerResponse, how: NonNullable<Wrongs["at"]>["how"]): void {
  switch (how) {
    case "slow":
      // Never answers: who asked has to lose patience.
      return;
    case "down":
      return void response.writeHead(500).end("planted-secret");
    case "redirect":
      return void response.writeHead(302, { location: "/elsewhere" }).end();
    default:
      return json(response, { error: how }, 400);
  }
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
