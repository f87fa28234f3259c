import { createHash, createHmac } from "node:crypto";
import type { HostFunctions } from "../guest/guest-host.ts";

/** Hashes by their names in WebCrypto. */
const HASHES: Readonly<Record<string, string>> = {
  "SHA-1": "sha1",
  "SHA-256": "sha256",
  "SHA-384": "sha384",
  "SHA-512": "sha512",
};

const MEMBERS = [
  "hash",
  "host",
  "hostname",
  "href",
  "origin",
  "password",
  "pathname",
  "port",
  "protocol",
  "search",
  "username",
] as const;

/** Functions of Node.js for isolates. None of it sees the machine, and each answers from its arguments alone. */
export const HOST_FUNCTIONS: HostFunctions = {
  parseUrl(url, base) {
    const parsed = URL.parse(url, base);
    return parsed === null ? undefined : showUrl(parsed);
  },
  changeUrl(url, member, value) {
    const parsed = URL.parse(url);
    if (parsed === null || !MEMBERS.some((known) => known === member)) return undefined;
    Reflect.set(parsed, member, value);
    return showUrl(parsed);
  },
  readForm: (text) => JSON.stringify([...new URLSearchParams(text)]),
  writeForm: (pairs) => new URLSearchParams(JSON.parse(pairs)).toString(),
  encode: (text) => new Uint8Array(new TextEncoder().encode(text)).buffer,
  decode: (bytes, encoding, fatal, ignoreBOM) =>
    attempt(() => new TextDecoder(encoding, { fatal, ignoreBOM }).decode(bytes)),
  nameEncoding: (label) => attempt(() => new TextDecoder(label).encoding),
  toBase64: (text) => attempt(() => btoa(text)),
  fromBase64: (text) => attempt(() => atob(text)),
  digest: (hash, bytes) => toBuffer(createHash(toName(hash)).update(bytes).digest()),
  sign: (hash, key, bytes) => toBuffer(createHmac(toName(hash), key).update(bytes).digest()),
};

function showUrl(url: URL): string {
  return JSON.stringify(Object.fromEntries(MEMBERS.map((member) => [member, url[member]])));
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

function toName(hash: string): string {
  const name = HASHES[hash];
  if (name === undefined) throw new TypeError("There is no such hash.");
  return name;
}

function toBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
