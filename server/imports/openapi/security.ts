import { type Node, nodeOf, type OpenApiDocument, textOf } from "./document.ts";
import type { Operation } from "./list-operations.ts";
import type { Refusal } from "./plan-input.ts";

/** One credential of an API, and how requests carry it. */
export interface Credential {
  /** Name of its security scheme; undefined for one that a person named. */
  readonly scheme?: string;
  /** Header or parameter of the query that carries it. */
  readonly header?: string;
  readonly query?: string;
  /** Value with `{}` in the place of the secret. */
  readonly format?: string;
}

/** A secret of a tool's manifest: Cairn adds it to requests to `hosts`, and no handler sees it. */
export interface SecretNeed extends Credential {
  readonly name: string;
}

/** Way to send credentials that a person names where the document is silent: `bearer`, `basic`, `header:<name>` or `none`. */
export type GivenAuth = string | undefined;

/** Finds the credentials that an operation needs, of the first alternative that requests can carry; a token before a password. */
export function findCredentials(
  operation: Operation,
  { root, resolve }: OpenApiDocument,
  auth: GivenAuth,
): { readonly credentials: readonly Credential[] } | Refusal {
  if (auth !== undefined) return { credentials: toGiven(auth) };
  const alternatives = operation.security ?? [];
  if (alternatives.length === 0 || alternatives.some((one) => Object.keys(one).length === 0))
    return { credentials: [] };
  const components = nodeOf(nodeOf(root["components"])["securitySchemes"]);
  const found = alternatives.map((one) => {
    const carried = Object.keys(one).map((scheme) => toCredential(resolve(components[scheme]) ?? {}, scheme));
    const places = new Set(carried.map((credential) => credential?.header ?? credential?.query));
    // A request has one header of a name, so two secrets cannot share one.
    if (places.has(undefined) || places.size < carried.length) return undefined;
    return carried.flatMap((credential) => credential ?? []);
  });
  const fitting = found.filter((one) => one !== undefined);
  const chosen = fitting.find((one) => !one.some(({ format }) => format === BASIC)) ?? fitting[0];
  if (chosen !== undefined) return { credentials: chosen };
  const schemes = alternatives.flatMap((one) => Object.keys(one)).map((name) => `\`${name}\``);
  return { refused: `credentials that no request of a tool can carry (${[...new Set(schemes)].join(", ")})` };
}

/**
 * Names a secret for each scheme: `prefix` where there is one scheme, else with the scheme's name behind it. So no value is sent as
 * a credential that it is not. `known` are the names that an earlier import gave; they stay. `taken` are those of other imports.
 */
export function nameSecrets(
  schemes: ReadonlySet<string>,
  {
    prefix,
    known,
    taken,
  }: { readonly prefix: string; readonly known: ReadonlyMap<string, string>; readonly taken: ReadonlySet<string> },
): ReadonlyMap<string, string> {
  const names = new Map(known);
  const isAlone = new Set([...known.keys(), ...schemes]).size === 1;
  for (const scheme of schemes) {
    if (names.has(scheme)) continue;
    const own = [prefix, toConstant(scheme)].filter((part) => part !== "").join("_");
    names.set(scheme, findFree(isAlone ? prefix : own.slice(0, MAX_NAME), new Set([...names.values(), ...taken])));
  }
  return names;
}

/** Characters of a secret's name, besides a number that may follow; manifests take 64. */
const MAX_NAME = 60;

/** Finds a name that is free, by a number at the end. */
export function findFree(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}_${count}`;
  return free;
}

const BASIC = "Basic {}";

function toCredential(node: Node, scheme: string): Credential | undefined {
  const type = node["type"];
  const carrier = textOf(node["name"]);
  if (type === "oauth2" || type === "openIdConnect") return { scheme, header: "Authorization", format: "Bearer {}" };
  if (type === "http") return toHttpCredential(scheme, String(node["scheme"]));
  if (type !== "apiKey" || carrier === undefined) return undefined;
  if (node["in"] === "header") return { scheme, header: carrier };
  if (node["in"] === "query") return { scheme, query: carrier };
  return node["in"] === "cookie" ? { scheme, header: "Cookie", format: `${carrier}={}` } : undefined;
}

function toHttpCredential(scheme: string, way: string): Credential | undefined {
  if (/^bearer$/i.test(way)) return { scheme, header: "Authorization", format: "Bearer {}" };
  return /^basic$/i.test(way) ? { scheme, header: "Authorization", format: BASIC } : undefined;
}

function toGiven(auth: string): readonly Credential[] {
  if (auth === "none") return [];
  if (auth.startsWith("header:")) return [{ header: auth.slice("header:".length) }];
  return [{ header: "Authorization", format: auth === "basic" ? BASIC : "Bearer {}" }];
}

/** Says whether a text names a way to send credentials. */
export function isAuth(text: string): boolean {
  return /^(?:bearer|basic|none|header:[A-Za-z0-9-]+)$/.test(text);
}

/** Writes a name in capitals: `clientId` becomes `CLIENT_ID`. */
export function toConstant(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
}
