import { VERSIONS_READ } from "../../auth/scopes.ts";

/**
 * Metadata of a protected resource (RFC 9728): of one MCP server, or of the service. It follows from the address alone,
 * so nobody learns from it which versions exist.
 */
export function toProtectedResource(
  { origin, issuer }: { readonly origin: string; readonly issuer: string },
  endpoint?: { readonly version: string; readonly server: string },
) {
  const common = { authorization_servers: [issuer], bearer_methods_supported: ["header"] };
  if (endpoint === undefined) {
    return {
      resource: origin,
      ...common,
      scopes_supported: [VERSIONS_READ],
      resource_name: "Cairn",
      resource_documentation: `${origin}/versions`,
    };
  }
  const { version, server } = endpoint;
  const agent = `${origin}/agent/${version}`;
  return {
    resource: `${agent}/${server}`,
    ...common,
    // The least that makes it useful; clients ask for more when they are told to.
    scopes_supported: [server],
    resource_name: `${server}, version ${version}`,
    resource_documentation: agent,
  };
}
