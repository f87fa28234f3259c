import { isSecureUrl } from "../config/secure-url.ts";
import { type AskIssuer, createUnreachable } from "./ask-issuer.ts";

/**
 * Discovers the address of the issuer's keys from its metadata (RFC 8414 §3, OpenID Connect Discovery §4). UNAVAILABLE
 * when there is no metadata, or when it names another issuer (RFC 8414 §3.3: mix-up).
 */
export async function discoverJwksUri(issuer: string, ask: AskIssuer, warn: (reason: string) => void): Promise<string> {
  for (const url of toMetadataUrls(issuer)) {
    const metadata = await ask(url);
    if (metadata === undefined) continue;
    const uri = metadata["jwks_uri"];
    if (metadata["issuer"] === issuer && typeof uri === "string" && isSecureUrl(uri)) return uri;
    warn(`${url}: it is not the metadata of ${issuer} with a \`jwks_uri\` over https`);
    throw createUnreachable();
  }
  warn(`${issuer} has no metadata; CAIRN_OAUTH_JWKS_URI can say where its keys are`);
  throw createUnreachable();
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
