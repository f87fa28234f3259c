import type { Config } from "../config/config.ts";
import { CairnError } from "../errors.ts";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Refuses requests that a web page could have made without its user's knowledge. Host: a page whose name was rebound to
 * this machine's address still sends its own name (DNS rebinding). Origin: browsers say where a script came from.
 */
export function createGuard({
  host,
  allowedHosts,
  allowedOrigins,
}: Pick<Config, "host" | "allowedHosts" | "allowedOrigins">) {
  const hosts = new Set([...LOOPBACK, host, ...allowedHosts].map((name) => name.toLowerCase()));
  const origins = new Set(allowedOrigins);
  return (hostHeader: string | undefined, origin: string | undefined): void => {
    const name = hostName(hostHeader ?? "");
    if (!hosts.has(name)) {
      throw new CairnError(
        "FORBIDDEN",
        `This service does not answer as \`${name}\`; the operator can allow the name with CAIRN_ALLOWED_HOSTS.`,
      );
    }
    if (origin !== undefined && !origins.has(origin) && !LOOPBACK.includes(URL.parse(origin)?.hostname ?? "")) {
      throw new CairnError(
        "FORBIDDEN",
        `Pages from \`${origin.slice(0, 200)}\` may not call this service; the operator can allow them with CAIRN_ALLOWED_ORIGINS.`,
      );
    }
  };
}

function hostName(header: string): string {
  return header.toLowerCase().replace(/:\d+$/, "");
}
