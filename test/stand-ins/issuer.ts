import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

/** What can go wrong with an authorization server, on demand. */
export type Trouble = "down" | "slow" | "redirect" | "huge" | "no-json" | "no-object" | "other-issuer";

export interface Issuer {
  readonly url: string;
  /** Path and body of every request so far. */
  readonly requests: { readonly path: string; readonly body: string; readonly authorization: string | undefined }[];
  /** From now on it signs with a new key, and its key set has only that one. */
  rotate(): Promise<void>;
  sign(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** From now on requests whose path starts with `path` go wrong; `undefined` makes all well again. */
  misbehave(trouble: Trouble | undefined, path?: string): void;
  /** What it says about tokens that it is asked about. */
  introspect: (token: string) => unknown;
  close(): Promise<void>;
}

/** The parts of an authorization server that a resource server sees: metadata, keys, introspection. */
export async function startIssuer(): Promise<Issuer> {
  let key = await createKey(0);
  let count = 0;
  let trouble: { readonly how: Trouble; readonly path: string } | undefined;

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const path = request.url ?? "";
      issuer.requests.push({ path, body, authorization: request.headers.authorization });
      if (trouble && path.startsWith(trouble.path)) return goWrong(response, trouble.how);
      if (path === "/.well-known/openid-configuration") {
        return json(response, { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` });
      }
      if (path === "/keys") return json(response, { keys: [key.jwk] });
      if (path === "/introspect")
        return json(response, issuer.introspect(new URLSearchParams(body).get("token") ?? ""));
      return response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer: Issuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    async rotate() {
      key = await createKey(++count);
    },
    sign: (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: key.jwk.kid, typ: "at+jwt" }).sign(key.privateKey),
    misbehave(how, path = "/") {
      trouble = how && { how, path };
    },
    introspect: () => ({ active: false }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return issuer;
}

async function createKey(count: number) {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: `key-${count}` } };
}

function goWrong(response: ServerResponse, how: Trouble): void {
  switch (how) {
    case "slow":
      // Never answers: whoever asked has to lose patience.
      return;
    case "redirect":
      response.writeHead(302, { location: "/elsewhere" }).end();
      return;
    case "huge":
      return json(response, { keys: [], padding: "x".repeat(300 * 1024) });
    case "no-json":
      response.end("planted-secret, no JSON");
      return;
    case "no-object":
      return json(response, [1]);
    case "other-issuer":
      return json(response, { issuer: "https://evil.example", jwks_uri: "https://evil.example/keys" });
    case "down":
      response.writeHead(500).end("planted-secret");
  }
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
