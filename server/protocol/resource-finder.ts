import type { Resource, ResourceTemplate } from "../versions/resource.ts";
import type { Server } from "../versions/version.ts";

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

/** Matches a URI against one template; undefined when it does not fit, else the variables, percent-decoded. */
type UriMatcher = (uri: string) => Readonly<Record<string, string>> | undefined;

/**
 * RFC 6570 templates as resources use them: simple variables (`{id}`, level 1) and at the end form-style query
 * variables (`{?limit,offset}`), which may be missing and come in any order.
 */
export function createUriMatcher(template: string): UriMatcher {
  const [, path = "", list = ""] = /^([^?]*?)(?:\{\?([^}]*)\})?$/.exec(template) ?? [undefined, template];
  const query = list === "" ? [] : list.split(",");
  const names: string[] = [];
  const source = path.replace(/\{([^}]+)\}|[^{]+/g, (part, name?: string) => {
    if (name === undefined) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    names.push(name);
    return "([^/?#]+)";
  });
  const pattern = new RegExp(`^${source}$`, "u");

  return (uri) => {
    const [bare = "", search = ""] = uri.split("?", 2);
    const match = pattern.exec(bare);
    const given = [...new URLSearchParams(search)];
    if (!match || given.some(([name]) => !query.includes(name))) return undefined;
    const pairs = names.map((name, index) => [name, decode(match[index + 1] ?? "")]);
    return Object.fromEntries([...pairs, ...given]);
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoded after all: the text stands for itself.
    return text;
  }
}
