import { type Node, nodeOf, type OpenApiDocument, textOf } from "./document.ts";
import type { Operation } from "./list-operations.ts";
import type { Refusal } from "./plan-input.ts";

/** A secret of a tool's manifest: Cairn adds it to requests to `hosts`, and no handler sees it. */
export interface SecretNeed {
  readonly name: string;
  /** Header or parameter of the query that carries it. */
  readonly header?: string;
  readonly query?: string;
  /** Value with `{}` in the place of the secret. */
  readonly format?: string;
}

/** Way to send credentials that a person names where the document is silent: `bearer`, `basic`, `header:<name>` or `none`. */
export type GivenAuth = string | undefined;

/** Finds the secrets that an operation needs, of the first alternative that requests can carry; a token before a password. */
export function findSecrets(
  operation: Operation,
  { root, resolve }: OpenApiDocument,
  { prefix, auth }: { readonly prefix: string; readonly auth: GivenAuth },
): { readonly secrets: readonly SecretNeed[] } | Refusal {
  if (auth !== undefined) return { secrets: toGiven(auth, prefix) };
  const alternatives = operation.security ?? [];
  if (alternatives.length === 0 || alternatives.some((one) => Object.keys(one).length === 0)) return { secrets: [] };
  const components = nodeOf(nodeOf(root["components"])["securitySchemes"]);
  const found = alternatives.map((one) => {
    const names = Object.keys(one);
    const needs = names.map((name) =>
      toNeed(resolve(components[name]) ?? {}, toSecretName(prefix, name, names.length)),
    );
    const places = new Set(needs.map((need) => need?.header ?? need?.query));
    // A request has one header of a name, so two secrets cannot share one.
    return places.has(undefined) || places.size < needs.length ? undefined : needs.flatMap((need) => need ?? []);
  });
  const fitting = found.filter((one) => one !== undefined);
  const chosen = fitting.find((one) => !one.some(({ format }) => format === BASIC)) ?? fitting[0];
  if (chosen !== undefined) return { secrets: chosen };
  const schemes = alternatives.flatMap((one) => Object.keys(one)).map((name) => `\`${name}\``);
  return { refused: `credentials that no request of a tool can carry (${[...new Set(schemes)].join(", ")})` };
}

const BASIC = "Basic {}";

function toNeed(scheme: Node, name: string): SecretNeed | undefined {
  const type = scheme["type"];
  const carrier = textOf(scheme["name"]);
  if (type === "oauth2" || type === "openIdConnect") return { name, header: "Authorization", format: "Bearer {}" };
  if (type === "http") return toHttpNeed(name, String(scheme["scheme"]));
  if (type !== "apiKey" || carrier === undefined) return undefined;
  if (scheme["in"] === "header") return { name, header: carrier };
  if (scheme["in"] === "query") return { name, query: carrier };
  return scheme["in"] === "cookie" ? { name, header: "Cookie", format: `${carrier}={}` } : undefined;
}

function toHttpNeed(name: string, scheme: string): SecretNeed | undefined {
  if (/^bearer$/i.test(scheme)) return { name, header: "Authorization", format: "Bearer {}" };
  return /^basic$/i.test(scheme) ? { name, header: "Authorization", format: BASIC } : undefined;
}

function toGiven(auth: string, name: string): readonly SecretNeed[] {
  if (auth === "none") return [];
  if (auth.startsWith("header:")) return [{ name, header: auth.slice("header:".length) }];
  return [{ name, header: "Authorization", format: auth === "basic" ? BASIC : "Bearer {}" }];
}

/** Says whether a text names a way to send credentials. */
export function isAuth(text: string): boolean {
  return /^(?:bearer|basic|none|header:[A-Za-z0-9-]+)$/.test(text);
}

function toSecretName(prefix: string, scheme: string, count: number): string {
  return count === 1 ? prefix : `${prefix}_${toConstant(scheme)}`;
}

/** Writes a name in capitals: `clientId` becomes `CLIENT_ID`. */
export function toConstant(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
}
