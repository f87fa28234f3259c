import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";

export interface AuthorizationServerOptions {
  readonly format?: "jwt" | "opaque";
  /** More claims of every token. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

export interface AuthorizationServer {
  readonly issuer: string;
  /** A client that may ask about tokens, and get tokens of its own. */
  readonly client: { readonly id: string; readonly secret: string };
  /** Every request so far: method and path. */
  readonly requests: readonly string[];
  /** An access token for a program. */
  issue(request: { readonly resource: string; readonly scope: string }): Promise<string>;
  close(): Promise<void>;
}

const CLIENT = { id: "cairn", secret: "introspection-secret" };
/** A client that needs no registration: an app of someone's. */
export const APP = { id: "app", callback: "http://127.0.0.1:1/callback" };
const SCOPES = "runner tuner versions:read versions:refresh";

/** A real authorization server, for any resource, whose only user, `ada`, is always signed in and agrees to everything. */
export async function startAuthorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const { format = "jwt", claims = {} } = options;
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split("?")[0]}`);
    if (request.url?.startsWith("/interaction/")) {
      void provider.interactionFinished(request, response, { login: { accountId: "ada" }, consent: {} });
    } else {
      void handle(request, response);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: "first" }] },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
      },
      {
        client_id: APP.id,
        token_endpoint_auth_method: "none",
        redirect_uris: [APP.callback],
        grant_types: ["authorization_code"],
      },
    ],
    cookies: { keys: ["of a stand-in"] },
    scopes: ["openid", "offline_access", ...SCOPES.split(" ")],
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    extraTokenClaims: () => ({ ...claims }),
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    async loadExistingGrant({ oidc }) {
      const { client, session, params } = oidc;
      const grant = new provider.Grant({ clientId: client?.clientId ?? "", accountId: session?.accountId ?? "" });
      const scope = String(params?.["scope"] ?? "");
      grant.addOIDCScope(scope);
      for (const resource of [params?.["resource"]].flat()) grant.addResourceScope(String(resource), scope);
      await grant.save();
      return grant;
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      registration: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo(_, resource) {
          return { scope: SCOPES, audience: resource, accessTokenFormat: format, accessTokenTTL: 600 };
        },
      },
    },
  });
  const handle = provider.callback();

  return {
    issuer,
    client: CLIENT,
    requests,
    async issue({ resource, scope }) {
      const response = await fetch(`${issuer}/token`, {
        method: "POST",
        headers: { authorization: `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString("base64")}` },
        body: new URLSearchParams({ grant_type: "client_credentials", resource, scope }),
      });
      const body = (await response.json()) as { access_token?: string };
      if (body.access_token === undefined) throw new Error(JSON.stringify(body));
      return body.access_token;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
