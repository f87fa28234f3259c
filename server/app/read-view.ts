import type { ReadView } from "../architect/pipeline/load-attachments.ts";
import { createResourceFinder } from "../protocol/resource-finder.ts";
import { findProvider, type Provider, toText } from "../resources/provider.ts";

/** Reads what a URI shows on the first of the servers that has it, as a client of that server would read it. */
export function createReadView(providers: Readonly<Record<string, Provider>>): ReadView {
  return async (version, principal, servers, uri) => {
    for (const name of servers) {
      const server = version.servers.get(name);
      const found = server && createResourceFinder(server)(uri);
      if (server === undefined || found === undefined) continue;
      const { source, mimeType } = found.resource;
      if (source.kind === "text") return { mediaType: mimeType ?? "text/plain", text: source.text };
      if (source.kind !== "provider") continue;
      const content = await findProvider(
        providers,
        source.provider,
      )({
        version,
        server,
        principal,
        uri,
        variables: found.variables,
      });
      const type = typeof content === "string" ? "text/plain" : "application/json";
      return { mediaType: mimeType ?? type, text: toText(content) };
    }
    return undefined;
  };
}
