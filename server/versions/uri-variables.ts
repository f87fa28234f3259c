/** The names of a URI template's variables, in its order: those of its parts, then those of its query. */
export function listVariables(uriTemplate: string): readonly string[] {
  return [...uriTemplate.matchAll(/\{\??([^{}]+)\}/g)].flatMap(([, names = ""]) => names.split(","));
}
