import { type InstallLinks, toEntryName, toInstallLinks } from "../install/install-links.ts";
import type { Described } from "../../versions/registry/resolve/describe.ts";
import type { Version } from "../../versions/version.ts";
import type { VersionRecord } from "../../versions/record.ts";
import { addressOf } from "./version-list.ts";

/** Finds the links to the servers of a version, by server. */
export type LinksOf = (described: Described, base: string, hasToken: boolean) => ReadonlyMap<string, InstallLinks>;

interface Made {
  /** Parts that the links were made of. */
  readonly parts: string;
  readonly links: ReadonlyMap<string, InstallLinks>;
}

const NONE: ReadonlyMap<string, InstallLinks> = new Map();

/**
 * Creates the memory of the links of versions, which are made once for each and its address. One set is kept for a version: without a
 * public address the base comes from requests, and a sender of many would fill the memory.
 */
export function createInstallations(): LinksOf {
  const known = new WeakMap<Version, Made>();
  return ({ record, version }, base, hasToken) => {
    if (version === undefined) return NONE;
    const parts = JSON.stringify([base, hasToken, record.tag, record.servers]);
    const made = known.get(version);
    if (made?.parts === parts) return made.links;
    const links = toLinksOf(record, version, base, hasToken);
    known.set(version, { parts, links });
    return links;
  };
}

/** Servers that answer no calls get none. */
function toLinksOf(
  record: VersionRecord,
  { agent, servers }: Version,
  base: string,
  hasToken: boolean,
): ReadonlyMap<string, InstallLinks> {
  const answering = [...servers.values()].filter(({ name }) => record.servers.includes(name));
  return new Map(
    answering.map(({ name, description }) => {
      const url = `${base}${addressOf(record)}/${name}`;
      return [name, toInstallLinks({ name: toEntryName(agent.name, name), description, url, hasToken })];
    }),
  );
}
