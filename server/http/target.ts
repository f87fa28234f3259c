/** Scheme and authority that a proxy may put before the path (RFC 9112 §3.2.2), and the rest. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is;

/**
 * Returns the path and query of a request's target. Of a whole URL, whose authority counts in place of Host, only where the two are
 * one: else a proxy could have let pass the one, and this service answer for the other. Undefined: they differ.
 */
export function toOriginForm(target: string, host: string | undefined): string | undefined {
  if (target.startsWith("/")) return target;
  const [, authority, rest = ""] = ABSOLUTE.exec(target) ?? [];
  if (authority === undefined) return target;
  if (authority.toLowerCase() !== host?.toLowerCase()) return undefined;
  return rest.startsWith("/") ? rest : `/${rest}`;
}
