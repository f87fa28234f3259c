import { CairnError } from "../../errors.ts";
import type { Provider } from "../../resources/provider.ts";
import type { Resource, ResourceTemplate, Server, Version } from "../../versions/version.ts";
import type { Methods } from "../method.ts";
import { createPages } from "../pages.ts";
import { createUriMatcher } from "../uri-template.ts";

/** `resources/list`, `resources/templates/list` and `resources/read` of one server of one version. */
export function createResourceMethods(
  version: Version,
  server: Server,
  providers: Readonly<Record<string, Provider>>,
): Methods {
  const byUri = new Map(server.resources.map((resource) => [resource.uri, resource]));
  const templates = server.resourceTemplates.map((template) => ({
    template,
    match: createUriMatcher(template.uriTemplate),
  }));

  const find = (
    uri: string,
  ): { resource: Resource | ResourceTemplate; variables: Readonly<Record<string, string>> } | undefined => {
    const resource = byUri.get(uri);
    if (resource) return { resource, variables: {} };
    for (const { template, match } of templates) {
      const variables = match(uri);
      if (variables) return { resource: template, variables };
    }
    return undefined;
  };

  return {
    "resources/list": createPages(
      "resources",
      server.resources.map(({ uri, ...resource }) => ({ uri, ...toDescription(resource) })),
    ),
    "resources/templates/list": createPages(
      "resourceTemplates",
      server.resourceTemplates.map(({ uriTemplate, ...template }) => ({ uriTemplate, ...toDescription(template) })),
    ),
    async "resources/read"({ uri }, { principal }) {
      if (typeof uri !== "string") throw new CairnError("BAD_REQUEST", "`uri` must be a string: the resource to read.");
      const found = find(uri);
      if (!found)
        throw new CairnError("NOT_FOUND", `There is no resource \`${uri.slice(0, 200)}\` on \`${server.name}\`.`);
      const { source, mimeType = "application/json" } = found.resource;
      switch (source.kind) {
        case "text":
          return { contents: [{ uri, mimeType: found.resource.mimeType ?? "text/plain", text: source.text }] };
        case "link":
          // Cairn holds no keys to other people's object stores: who may read the object can follow the link.
          return { contents: [{ uri, mimeType: "text/uri-list", text: uri }] };
        case "provider": {
          const provide = providers[source.provider];
          if (!provide) throw new Error(`no provider ${source.provider}`);
          const content = await provide({ version, server, principal, uri, variables: found.variables });
          return { contents: [{ uri, mimeType, text: JSON.stringify(content, undefined, 2) }] };
        }
      }
    },
  };
}

function toDescription({ source: _source, ...description }: Omit<Resource, "uri">) {
  return description;
}
