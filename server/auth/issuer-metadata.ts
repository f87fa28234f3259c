import { isSecureUrl } from "../config/secure-url.ts";
import { type AskIssuer, createUnreachable } from "./ask-issuer.ts";

type Metadata = Readonly<Record<string, unknown>>;

/**
 * Discovers the address of the issuer's keys from its metadata (RFC 8414 §3, OpenID Connect Discovery §4). UNAVAILABLE
 * when there is no metadata, or when it names another issuer (RFC 8414 §3.3: mix-up).
 */
export async function discoverJwksUri(issuer: string, ask: AskIssuer, warn: (reason: string) => void): Promise<string> {
  const advice = "; CAIRN_OAUTH_JWKS_URI can say where its keys are";
  const { jwks_uri: uri } = await discover(toMetadataUrls(issuer), ["jwks_uri"], { issuer, ask, warn, advice });
  return String(uri);
}

/** Endpoints without which nobody can sign in. */
const LOGIN_ENDPOINTS = ["authorization_endpoint", "token_endpoint", "jwks_uri"];

/** Discovers what it takes to sign in at the issuer. Rejects as `discoverJwksUri` does. */
export async function discoverLogin(issuer: string, ask: AskIssuer, warn: (reason: string) => void): Promise<Metadata> {
  // That of OpenID Connect first: the other kind may leave out what only sign-in needs.
  return discover(toMetadataUrls(issuer).toReversed(), LOGIN_ENDPOINTS, { issuer, ask, warn, advice: "" });
}

/** The first metadata that is there, which must have the `needed` addresses. */
async function discover(
  urls: readonly string[],
  needed: readonly string[],
  given: { readonly issuer: string; readonly ask: AskIssuer; warn(reason: string): void; readonly advice: string },
): Promise<Metadata> {
  const { issuer, ask, warn, advice } = given;
  for (const url of urls) {
    const metadata = await ask(url);
    if (metadata === undefined) continue;
    if (metadata["issuer"] === issuer && needed.every((name) => isEndpoint(metadata[name]))) return metadata;
    const names = needed.map((name) => `\`${name}\``).join(", ");
    warn(`${url}: it is not the metadata of ${issuer} with ${names} over https`);
    throw createUnreachable();
  }
  warn(`${issuer} has no metadata${advice}`);
  throw createUnreachable();
}

/** Checks that a member of metadata is an address that may be asked. */
export function isEndpoint(value: unknown): value is string {
  return typeof value === "string" && isSecureUrl(value);
}

function toMetadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(urls)];
}
