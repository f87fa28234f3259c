import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { CairnError, type ErrorName } from "../errors.ts";
import { isObject } from "../json/is-object.ts";

/** Name of the header by which nodes know each other. A request that has it is never passed on to a third node. */
export const NODE_HEADER = "cairn-node";

/** A request from one node to another; only the holder of the shared key can make its token. */
export interface NodeRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly from: string;
  readonly to: string;
  /** Milliseconds since 1970, by the database's clock. */
  readonly at: number;
  /** SHA-256 of the body in hexadecimal. */
  readonly digest: string;
}

/** Milliseconds that a token may be old. */
const FRESH_MS = 30_000;

export function toBodyDigest(body: string | Uint8Array): string {
  return hash("sha256", body);
}

export function createNodeToken(key: Uint8Array, { method, path, ...said }: NodeRequest): string {
  const payload = Buffer.from(JSON.stringify(said)).toString("base64url");
  return `${payload}.${toMac(key, method, path, payload)}`;
}

/**
 * Reads the token of a request that arrived here, `to` this node. Named attack: a client that pretends to be a node, or repeats
 * the request of one elsewhere, later or with another body.
 *
 * @throws UNAUTHENTICATED; MISDIRECTED where another node was meant, whose address leads here
 */
export function readNodeToken(
  key: Uint8Array,
  token: string,
  { method, path, to, now }: Pick<NodeRequest, "method" | "path" | "to"> & { readonly now: number },
): Pick<NodeRequest, "from" | "digest"> {
  const [payload = "", mac = ""] = token.split(".");
  const right = Buffer.from(toMac(key, method, path, payload));
  const given = Buffer.from(mac);
  if (right.length !== given.length || !timingSafeEqual(right, given)) throw refusal("does not");
  const said: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
  if (!isObject(said)) throw refusal("does not");
  const { from, to: meant, at, digest } = said;
  if (typeof from !== "string" || typeof digest !== "string" || typeof at !== "number") throw refusal("does not");
  if (meant !== to) throw refusal("was meant for another one", "MISDIRECTED");
  if (Math.abs(now - at) > FRESH_MS) throw refusal("is too old");
  return { from, digest };
}

function toMac(key: Uint8Array, method: string, path: string, payload: string): string {
  return createHmac("sha256", key).update(`${method}\n${path}\n${payload}`).digest("base64url");
}

function refusal(what: string, name: ErrorName = "UNAUTHENTICATED"): CairnError {
  return new CairnError(name, `The request says that it comes from a node of this service, and ${what}.`);
}
