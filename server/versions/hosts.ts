/**
 * Checks that `allowed` of a policy covers everything that `entry` of a tool's `egress` reaches. Both are `host`,
 * `host:port` or `*.domain`, which means everything below the domain; no port means 443.
 */
export function allowsHost(allowed: string, entry: string): boolean {
  const [pattern = "", patternPort = "443"] = allowed.split(":");
  const [host = "", port = "443"] = entry.split(":");
  if (port !== patternPort) return false;
  return pattern === host || (pattern.startsWith("*.") && host.endsWith(pattern.slice(1)));
}
