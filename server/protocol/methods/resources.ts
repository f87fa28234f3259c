import { CairnError } from "../../errors.ts";
import { findProvider, type Provider, toText } from "../../resources/provider.ts";
import type { Resource } from "../../versions/resource.ts";
import type { Server, Version } from "../../versions/version.ts";
import { fillPlaceholders } from "../fill-placeholders.ts";
import { type Identity, toCacheHints } from "../identity.ts";
import type { Methods } from "../method.ts";
import { createPages } from "../pages.ts";
import { createResourceFinder } from "../resource-finder.ts";

/** Characters of a URI that are given back; none that a manifest can have is longer. */
const MAX_URI_LENGTH = 2000;

/** `resources/list`, `resources/templates/list` and `resources/read` of one server of one version. */
export function createResourceMethods(
  version: Version,
  server: Server,
  identity: Identity,
  providers: Readonly<Record<string, Provider>>,
): Methods {
  const find = createResourceFinder(server);
  return {
    "resources/list": createPages(
      "resources",
      server.resources.map(({ uri, ...resource }) => ({ uri, ...toDescription(resource) })),
      identity,
    ),
    "resources/templates/list": createPages(
      "resourceTemplates",
      server.resourceTemplates.map(({ uriTemplate, suggestions: _suggestions, ...template }) => ({
        uriTemplate,
        ...toDescription(template),
      })),
      identity,
    ),
    async "resources/read"({ uri }, exchange) {
      if (typeof uri !== "string") throw new CairnError("BAD_REQUEST", "`uri` must be a string: the resource to read.");
      const found = find(uri);
      if (!found) {
        const message = `There is no resource \`${uri.slice(0, 200)}\` on \`${server.name}\`.`;
        throw new CairnError("NOT_FOUND", message, { details: { uri: uri.slice(0, MAX_URI_LENGTH) } });
      }
      const { resource, variables } = found;
      const { source, mimeType } = resource;
      const { principal, modern, watch } = exchange;
      // What the tree itself says is the same for everybody and for ever; views of the service are neither.
      const isFixed = source.kind !== "provider";
      const hints = modern ? toCacheHints(isFixed && watch === undefined, isFixed) : {};
      switch (source.kind) {
        case "text": {
          const isTemplate = "uriTemplate" in resource;
          const values = new Map(Object.entries(variables));
          const text = isTemplate ? fillPlaceholders(source.text, values, mimeType) : source.text;
          return { contents: [{ uri, mimeType: mimeType ?? "text/plain", text }], ...hints };
        }
        case "blob":
          return { contents: [{ uri, mimeType: mimeType ?? "application/octet-stream", blob: source.blob }], ...hints };
        case "link":
          // Cairn holds no keys to other people's object stores: who may read the object can follow the link.
          return { contents: [{ uri, mimeType: "text/uri-list", text: uri }], ...hints };
        case "provider": {
          const provide = findProvider(providers, source.provider);
          const content = await provide({ version, server, principal, uri, variables });
          const type = typeof content === "string" ? "text/plain" : "application/json";
          return { contents: [{ uri, mimeType: mimeType ?? type, text: toText(content) }], ...hints };
        }
      }
    },
  };
}

function toDescription({ source: _source, ...description }: Omit<Resource, "uri">) {
  return description;
}
