import { isLoopback } from "../../config/secure-url.ts";
import { CairnError } from "../../errors.ts";
import { allowsHost } from "../../versions/hosts.ts";
import type { ToolSecret } from "../../versions/secret.ts";
import type { Tool } from "../../versions/version.ts";
import { createSecretMask, type MaskSecrets } from "../secrets/mask-secrets.ts";
import { loadValues, type Owner, type Secrets } from "../secrets/secrets.ts";
import type { Target } from "./egress.ts";

/** The secrets that one request carries, and the mask of what comes back. */
export interface Carrier {
  /** The address to connect to and the headers to send, with the secrets in them. @throws EGRESS_DENIED */
  add(target: Target, headers: Readonly<Record<string, string>>): Pick<Carried, "actual" | "headers">;
  readonly mask: MaskSecrets;
}

/** A secret with its value, which no error and no log may show. */
export type Credential = Pick<ToolSecret, "name" | "of" | "header" | "query" | "format"> & { readonly value: string };

interface Carried {
  readonly actual: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Loads the secrets of a tool for the host of a request; `undefined` where it has none for it. @throws SECRET_MISSING UNAVAILABLE */
export async function loadCarrier(
  secrets: Secrets,
  tool: Tool,
  caller: Owner,
  url: string,
): Promise<Carrier | undefined> {
  const { hostname = "", port } = URL.parse(url) ?? {};
  const host = `${hostname}:${port || 443}`;
  const due = tool.secrets.filter(({ hosts }) => hosts.some((entry) => allowsHost(entry, host)));
  return createCarrier(await loadValues(secrets, tool, due, caller));
}

/** Creates what adds secrets to requests; `undefined` where there are none. */
export function createCarrier(secrets: readonly Credential[]): Carrier | undefined {
  const [first] = secrets;
  if (first === undefined) return undefined;
  // A function, because `$&` in a value is no pattern.
  const carried = secrets.map((secret) => ({ ...secret, text: secret.format.replace("{}", () => secret.value) }));
  return Object.freeze<Carrier>({
    add(target, headers) {
      assertSecure(target, first.name);
      return carried.reduce<Carried>(addOne, { actual: target.actual, headers });
    },
    mask: createSecretMask(secrets.map(({ value }) => value)),
  });
}

/** Puts one secret into a request, unless the handler has put something in its place. */
function addOne(
  { actual, headers }: Carried,
  { header, query, text }: Pick<ToolSecret, "header" | "query"> & { readonly text: string },
): Carried {
  if (header !== undefined) {
    const isTaken = Object.keys(headers).some((name) => name.toLowerCase() === header.toLowerCase());
    return { actual, headers: isTaken ? headers : { ...headers, [header]: text } };
  }
  if (query === undefined || actual.searchParams.has(query)) return { actual, headers };
  const added = new URL(actual);
  // Parameters that are there stay as the handler wrote them: signatures are made over their very text.
  added.search = `${added.search === "" ? "?" : `${added.search}&`}${query}=${encodeURIComponent(text)}`;
  return { actual: added, headers };
}

/** Refuses an operator's map to an address at which others on the network could read along. @throws EGRESS_DENIED */
function assertSecure({ url, actual }: Target, secret: string): void {
  if (actual.protocol === "https:" || isLoopback(actual.hostname)) return;
  throw new CairnError(
    "EGRESS_DENIED",
    `\`ctx.fetch\`: \`${url.host}\` is mapped to an address without https, and the secret \`${secret}\` goes there only with it.`,
  );
}
