import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { defined } from "../../server/json/defined.ts";
import { type AtEnd, temporaryFolder } from "../helpers/temporary.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [key: string]: unknown;
}

/** A package as npm publishes it. Source: https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md */
interface Publication {
  readonly name: string;
  readonly versions: Readonly<Record<string, Manifest>>;
  readonly "dist-tags": Readonly<Record<string, string>>;
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
}

export interface NpmRegistry {
  readonly url: string;
  /** Names of the packages whose tarballs were fetched, in order, without repetitions. */
  readonly fetched: () => readonly string[];
}

const PACK = promisify(execFile);
/**
 * A release that npm's registry has, most of whose packages for platforms it lacks: what a project locks with it, `npm ci` refuses
 * ("Missing: ... from lock file").
 */
const PARTIAL = { name: "msgpackr-extract", version: "3.0.7", platforms: ["linux-x64", "linux-arm64"] };
const TARBALL = /^\/((?:@[\w.-]+\/)?[\w.-]+)\/-\/(.+)\.tgz$/;

/**
 * A registry of npm packages on loopback. It takes publications, and has besides every package that this checkout locks, packed
 * anew from its folder: so npm installs everything from nothing, without the network. Of packages for other platforms it has the
 * description alone. One package has a newer release besides, published in part (`PARTIAL`).
 */
export async function startNpmRegistry(atEnd: AtEnd): Promise<NpmRegistry> {
  const locked = await findLocked();
  addPartialRelease(locked);
  const published = new Map<string, Publication>();
  const packed = new Map<string, Promise<Buffer>>();
  const folder = await temporaryFolder(atEnd);
  const fetched = new Set<string>();

  const load = (key: string, path: string): Promise<Buffer> => {
    const known = packed.get(key) ?? pack(path, join(folder, `${encodeURIComponent(key)}.tgz`));
    packed.set(key, known);
    return known;
  };
  const find = (name: string, version: string): Promise<Buffer> | undefined => {
    const publication = published.get(name);
    if (publication !== undefined) {
      const { _attachments: tarballs } = publication;
      const { data } = tarballs[`${name}-${version}.tgz`] ?? {};
      return data === undefined ? undefined : Promise.resolve(Buffer.from(data, "base64"));
    }
    const path = locked.get(name)?.get(version)?.path;
    return path === undefined ? undefined : load(`${name}@${version}`, path);
  };
  const describe = (name: string, base: string): object | undefined => {
    const publication = published.get(name);
    const versions: (readonly [string, Manifest])[] = publication
      ? Object.entries(publication.versions)
      : [...(locked.get(name) ?? [])].map(([version, { manifest }]) => [version, manifest]);
    const latest = versions.at(-1)?.[0];
    if (latest === undefined) return undefined;
    const withTarballs = versions.map(([version, manifest]) => {
      const dist = { ...(manifest["dist"] as object | undefined), tarball: `${base}/${name}/-/${version}.tgz` };
      return [version, { ...manifest, dist }];
    });
    return { name, "dist-tags": { latest }, versions: Object.fromEntries(withTarballs) };
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = decodeURIComponent((request.url ?? "").split("?")[0] ?? "");
    if (request.method === "PUT") {
      const publication = JSON.parse(await text(request)) as Publication;
      published.set(publication.name, publication);
      return send(response, 201, { ok: true });
    }
    const [, name = "", version = ""] = TARBALL.exec(path) ?? [];
    const tarball = find(name, version);
    if (tarball !== undefined) {
      const bytes = await tarball;
      fetched.add(name);
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(bytes);
      return undefined;
    }
    const document = describe(path.slice(1), `http://${request.headers.host}`);
    return document === undefined ? send(response, 404, { error: "not_found" }) : send(response, 200, document);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => send(response, 500, { error: String(error) }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, fetched: () => [...fetched] };
}

/** A locked package; without a path it is for another platform, and not installed. */
interface Locked {
  readonly path?: string;
  readonly manifest: Manifest;
}

/** The locked packages, by name and version; links and aliases by the name in their own manifest. */
async function findLocked(): Promise<ReadonlyMap<string, Map<string, Locked>>> {
  const { packages } = JSON.parse(await readFile("package-lock.json", "utf8")) as {
    packages: Record<string, { version: string; os?: readonly string[]; cpu?: readonly string[] }>;
  };
  const found = new Map<string, Map<string, Locked>>();
  for (const [path, { version, os, cpu }] of Object.entries(packages)) {
    if (path === "") continue;
    const file = join(path, "package.json");
    const locked: Locked = existsSync(file)
      ? { path: resolve(path), manifest: JSON.parse(await readFile(file, "utf8")) as Manifest }
      : { manifest: { name: path.split("node_modules/").at(-1) ?? "", version, ...defined({ os, cpu }) } };
    const { name } = locked.manifest;
    found.set(name, (found.get(name) ?? new Map<string, Locked>()).set(locked.manifest.version, locked));
  }
  return found;
}

function addPartialRelease(locked: ReadonlyMap<string, Map<string, Locked>>): void {
  const { name, version, platforms } = PARTIAL;
  const [last] = [...(locked.get(name)?.values() ?? [])].slice(-1);
  if (last === undefined) throw new Error(`Nothing locks ${name} any more: the stand-in needs no release of it.`);
  const wanted = Object.entries(last.manifest["optionalDependencies"] as Record<string, string>).map(
    ([platform, published]) => [platform, platforms.some((there) => platform.endsWith(there)) ? published : version],
  );
  const manifest = { ...last.manifest, version, optionalDependencies: Object.fromEntries(wanted) };
  locked.get(name)?.set(version, { ...last, manifest });
}

async function pack(path: string, target: string): Promise<Buffer> {
  const content = ["--exclude=./node_modules", "--transform=s,^\\.,package,", "-C", path, "."];
  await PACK("tar", ["-I", "gzip -1", "-cf", target, ...content]);
  return readFile(target);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
