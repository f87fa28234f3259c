/** Source of a resource's content. */
export type ResourceSource =
  /** A view of the running service, by its name in the server's table of providers. */
  | { readonly kind: "provider"; readonly provider: string }
  /** `{{name}}` stands for the variable of that name in a template's URI. */
  | { readonly kind: "text"; readonly text: string }
  /** Base64. */
  | { readonly kind: "blob"; readonly blob: string }
  /** Another system's object: listed and passed on, never fetched. */
  | { readonly kind: "link" };

interface ResourceBase {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly source: ResourceSource;
}

export interface Resource extends ResourceBase {
  readonly uri: string;
}

export interface ResourceTemplate extends ResourceBase {
  /** RFC 6570, level 1 and form-style query (`{?limit}`). */
  readonly uriTemplate: string;
  /** Values to suggest for variables, by name. */
  readonly suggestions: ReadonlyMap<string, readonly string[]>;
}

/** The names of a URI template's variables, in its order: those of its parts, then those of its query. */
export function listVariables(uriTemplate: string): readonly string[] {
  return [...uriTemplate.matchAll(/\{\??([^{}]+)\}/g)].flatMap(([, names = ""]) => names.split(","));
}
