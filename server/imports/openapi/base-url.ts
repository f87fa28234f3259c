import { type Node, nodeOf, type OpenApiDocument, textOf } from "./document.ts";
import { isAddress } from "./load-document.ts";
import type { Refusal } from "./plan-input.ts";

/** Address of an API: always HTTPS, without a slash at its end. */
export interface BaseUrl {
  readonly url: string;
  /** `host` or `host:port`, as `egress` has it. */
  readonly host: string;
}

/** Finds the address of the first server that has one. Relative ones begin at the document's own address. */
export function findBaseUrl(servers: readonly Node[], source: string, given: string | undefined): BaseUrl | Refusal {
  const candidates = given === undefined ? servers.map(toAddress) : [given];
  for (const candidate of candidates.length === 0 ? ["/"] : candidates) {
    const url =
      URL.parse(candidate, isAddress(source) ? source : undefined) ??
      URL.parse(`https:${candidate.startsWith("//") ? candidate : ""}`);
    if (url === null || url.hostname === "" || !["https:", "http:"].includes(url.protocol)) continue;
    // Nothing else leaves a tool; nearly every API that a document gives as `http:` answers by HTTPS, too.
    url.protocol = "https:";
    const path = url.pathname.replace(/\/+$/, "");
    if (!HOST.test(url.host)) continue;
    return { url: `https://${url.host}${path}`, host: url.host };
  }
  return { refused: "no address of a server (give one with `--base-url`)" };
}

const HOST = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::[1-9]\d{0,4})?$/;

function toAddress(server: Node): string {
  const variables = nodeOf(server["variables"]);
  const url = textOf(server["url"]) ?? "";
  return url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => String(nodeOf(variables[name])["default"] ?? name));
}

/** Names an import after the host of its API: `api.github.com` is `github`. */
export function nameImport({ root, title }: OpenApiDocument, source: string): string {
  const servers = Array.isArray(root["servers"]) ? root["servers"].map(nodeOf) : [];
  const base = findBaseUrl(servers, source, undefined);
  const labels = "host" in base ? (base.host.split(":")[0] ?? "").split(".") : [];
  const known = labels.length > 1 ? (labels.at(-2) ?? "") : "";
  const name = (known.length > 3 ? known : title)
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[^a-z0-9]+/g, "-");
  return (
    name
      .replace(/^[^a-z]+/, "")
      .slice(0, 32)
      .replace(/-+$/, "") || "api"
  );
}
