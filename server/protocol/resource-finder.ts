import type { Resource, ResourceTemplate } from "../versions/resource.ts";
import type { Server } from "../versions/version.ts";
import { createUriMatcher } from "./uri-template.ts";

export interface FoundResource {
  readonly resource: Resource | ResourceTemplate;
  /** From the URI, by the names in its template. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Creates a finder of resources by URI on a server: a resource with exactly this URI, or the first template that matches.
 */
export function createResourceFinder({
  resources,
  resourceTemplates,
}: Server): (uri: string) => FoundResource | undefined {
  const byUri = new Map(resources.map((resource) => [resource.uri, resource]));
  const templates = resourceTemplates.map((resource) => ({ resource, match: createUriMatcher(resource.uriTemplate) }));
  return (uri) => {
    const resource = byUri.get(uri);
    if (resource) return { resource, variables: {} };
    for (const template of templates) {
      const variables = template.match(uri);
      if (variables) return { resource: template.resource, variables };
    }
    return undefined;
  };
}
