/** Import of the host API's types in Cairn's own handlers, at any depth. */
const OWN_TYPES = /"(?:\.\.\/)+server\/host-api\.ts"/g;
const PACKAGE_TYPES = '"cairn-gitops/host-api"';

/** Converts the code of one of Cairn's own handlers for another repository, where the host API's types come from the package. */
export function toPackageImports(code: string): string {
  return code.replaceAll(OWN_TYPES, PACKAGE_TYPES);
}
