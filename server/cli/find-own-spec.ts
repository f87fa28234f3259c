import { execFile } from "node:child_process";
import { readFile, realpath } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { isObject } from "../json/is-object.ts";

/** The name of this package in a registry. */
export const PACKAGE_NAME = "cairn-gitops";
const FOLDER = `node_modules/${PACKAGE_NAME}`;
/** Members of package.json that may name Cairn; a project of tools has it among those for developers. */
const KINDS = ["dependencies", "devDependencies", "optionalDependencies"];
const run = promisify(execFile);

/** A dependency on the Cairn that runs, as package.json has it. */
export interface OwnSpec {
  readonly spec: string;
  /** True if the specification holds on this machine alone. */
  readonly isLocal: boolean;
}

/**
 * Finds how npm can install the Cairn that runs: the version or address that it was installed by, or the commit of a checkout,
 * when its origin has that. Otherwise a path, relative to `target`, the folder of the dependent package.
 */
export async function findOwnSpec(root: string, target: string, version: string): Promise<OwnSpec> {
  const folder = await realpath(root);
  const at = folder.replaceAll("\\", "/").lastIndexOf(`/${FOLDER}/`);
  if (at >= 0) return findInstalled(folder.slice(0, at), target, version);
  const published = await findPublishedCommit(folder);
  if (published !== undefined) return { spec: published, isLocal: false };
  return { spec: toPath(folder, target), isLocal: true };
}

/** Finds what npm noted in `prefix`, which holds the node_modules. npm notes nothing of global installations; others never do. */
async function findInstalled(prefix: string, target: string, version: string): Promise<OwnSpec> {
  const [lock, manifest] = await Promise.all([
    readJson(join(prefix, "node_modules/.package-lock.json")),
    readJson(join(prefix, "package.json")),
  ]);
  const wanted = KINDS.map((kind) => String(member(member(manifest, kind), PACKAGE_NAME) ?? "")).find(Boolean) ?? "";
  const resolved = String(member(member(member(lock, "packages"), FOLDER), "resolved") ?? "");
  if (resolved.startsWith("git+")) {
    return { spec: withoutCredentials(resolved), isLocal: resolved.startsWith("git+file:") };
  }
  if (resolved.startsWith("file:")) {
    return { spec: toPath(resolve(prefix, resolved.slice(5)), target), isLocal: true };
  }
  // A registry's tarballs have addresses, too: what was asked for tells them from a tarball's own.
  return { spec: /^https?:/.test(wanted) ? withoutCredentials(wanted) : version, isLocal: false };
}

/** Finds a git URL of the checked out commit; `undefined` where it is changed, or its origin is not known to have it. */
async function findPublishedCommit(folder: string): Promise<string | undefined> {
  const git = async (...args: string[]) => (await run("git", ["-C", folder, ...args])).stdout.trim();
  try {
    const [url, commit, changes, branches] = await Promise.all([
      git("remote", "get-url", "origin").then(toNpmUrl),
      git("rev-parse", "HEAD"),
      git("status", "--porcelain", "--untracked-files=no"),
      // The branches of another remote, such as a fork, are not at this address.
      git("branch", "--remotes", "--contains", "HEAD", "--list", "origin/*"),
    ]);
    return url === undefined || changes !== "" || branches === "" ? undefined : `${url}#${commit}`;
  } catch {
    // No git, no repository, or no origin.
    return undefined;
  }
}

/** An address of git in npm's form, without credentials; `undefined` for one of this machine. */
export function toNpmUrl(remote: string): string | undefined {
  const [, user, host, path] = /^(?:([\w.-]+)@)?([\w.-]+):(?!\/\/)(.+)$/.exec(remote) ?? [];
  if (host !== undefined && host.length > 1) return `git+ssh://${user ?? "git"}@${host}/${path?.replace(/^\/+/, "")}`;
  const url = URL.canParse(remote) ? new URL(remote) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "ssh:") return undefined;
  return withoutCredentials(`git+${url.href}`);
}

/** Drops passwords, and tokens in the place of a user: in a committed package.json, everybody could read them. */
function withoutCredentials(address: string): string {
  return address
    .replace(/^((?:git\+)?https?:\/\/)[^/#]*@/, "$1")
    .replace(/^((?:git\+)?ssh:\/\/[^/#:@]*):[^/#@]*@/, "$1@");
}

function toPath(path: string, target: string): string {
  return `file:${relative(target, path).replaceAll("\\", "/")}`;
}

function member(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined;
  }
}
