/** Where a repository is on GitHub, or on a server like it. */
export interface GitHubPlace {
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
}

/** Reads `https://host/owner/repo.git`, `ssh://git@host/owner/repo` or `git@host:owner/repo.git`; else `undefined`. */
export function readGitHubPlace(address: string): GitHubPlace | undefined {
  const short = /^[^/\s@:]+@([^/\s:]+):(?!\/\/)(.+)$/.exec(address);
  const url = short === null ? URL.parse(address) : null;
  if (url !== null && !/^(?:https?|ssh):$/.test(url.protocol)) return undefined;
  const host = short?.[1] ?? url?.hostname ?? "";
  const path = short?.[2] ?? url?.pathname ?? "";
  const [, owner, repo] = /^\/?([A-Za-z0-9][A-Za-z0-9_-]*)\/((?!\.+$)[A-Za-z0-9._-]+?)(?:\.git)?\/?$/.exec(path) ?? [];
  if (host === "" || owner === undefined || repo === undefined) return undefined;
  return { host: host.toLowerCase(), owner, repo };
}
