import { isLoopback } from "../../config/secure-url.ts";
import { CairnError } from "../../errors.ts";
import { allowsHost } from "../../versions/hosts.ts";
import type { Tool, ToolSecret } from "../../versions/version.ts";
import { createSecretMask, type MaskSecrets } from "../secrets/mask-secrets.ts";
import { createMissing, type Owner, type Secrets } from "../secrets/secrets.ts";
import type { Target } from "./egress.ts";

/** The secrets that one request carries, and the mask of what comes back. */
export interface Carrier {
  /** The address to connect to and the headers to send, with the secrets in them. @throws EGRESS_DENIED */
  add(target: Target, headers: Readonly<Record<string, string>>): Pick<Carried, "actual" | "headers">;
  readonly mask: MaskSecrets;
}

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
  if (due.length === 0) return undefined;
  const values = await Promise.all(
    due.map(async (secret) => {
      const value = await secrets.find(secret, caller);
      if (value === undefined) throw createMissing(tool, secret, caller);
      return value;
    }),
  );
  const carried = due.map((secret, at) => ({ ...secret, text: secret.format.replace("{}", () => values[at] ?? "") }));
  return Object.freeze<Carrier>({
    add: (target, headers) => carried.reduce<Carried>(addOne, { ...assertSecure(target, due), headers }),
    mask: createSecretMask(values),
  });
}

/** Puts one secret into a request, unless the handler has put something in its place. */
function addOne(
  { actual, headers }: Carried,
  { header, query, text }: ToolSecret & { readonly text: string },
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

/** Refuses an operator's map to an address at which others on the network could read along. */
function assertSecure({ url, actual }: Target, [secret]: readonly ToolSecret[]): Pick<Carried, "actual"> {
  if (actual.protocol === "https:" || isLoopback(actual.hostname)) return { actual };
  throw new CairnError(
    "EGRESS_DENIED",
    `\`ctx.fetch\`: \`${url.host}\` is mapped to an address without https, and the secret \`${secret?.name}\` goes there only with it.`,
  );
}
