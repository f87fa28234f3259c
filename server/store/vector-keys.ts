import type { Key } from "./store.ts";

/** Vector of a text by a model, found by the SHA-256 of the text. Files of repositories are no tenant's. */
export function vectorKey(model: string, digest: string): Key {
  return ["vector", model, digest];
}
