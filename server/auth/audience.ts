/**
 * The paths at and below which a token with the audience `audience` is good for the service at `origin`: its resource
 * identifiers (RFC 8707) are the origin itself and addresses below it. Whatever else the token is good for is not ours: a
 * token that was issued for another service must not be taken here (confused deputy).
 */
export function toPaths(audience: unknown, origin: string): readonly string[] {
  const all: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  return all.flatMap((one) => {
    // Taken apart without making dots and escapes plain, so that no path comes to mean another one.
    const [, base, path = ""] = (typeof one === "string" && RESOURCE.exec(one)) || [];
    return base !== undefined && URL.parse(base)?.origin === origin ? [path] : [];
  });
}

/** Checks that `path` is one of `paths` or lies below it. */
export function isWithin(path: string, paths: readonly string[]): boolean {
  for (const base of paths) {
    if (base === "" || path === base) return true;
    if (path.startsWith(base) && path.charAt(base.length) === "/") return true;
  }
  return false;
}

/** Scheme and host; path without a slash at the end. No user, query or fragment. */
const RESOURCE = /^(https?:\/\/[^/?#@\\]+)((?:\/[^/?#\\]+)*)\/?$/i;
