import { readClause } from "./clause.ts";
import type { Heard } from "./heard.ts";
import type { Places } from "./places/places.ts";

/**
 * Tells whether a sentence that was not understood names things as manifests write them, two of them or more: it wants
 * something beside what was understood, as "watcher gets build:logs" does.
 */
export function namesMore(heard: readonly Heard[], places: Places): boolean {
  return heard.some(({ resolved, sentence }) => resolved?.kind !== "clear" && countNames(sentence.text, places) > 1);
}

function countNames(text: string, places: Places): number {
  const { tokens } = readClause(text, places);
  const roles = new Set(places.things.flatMap(({ role }) => role?.toLowerCase() ?? []));
  const capabilities = new Set([...places.version.tools.values()].flatMap((tool) => tool.requiredCapabilities));
  const isName = (lower: string) =>
    roles.has(lower) || capabilities.has(lower) || (/[_.:]/.test(lower) && places.identifiers.has(lower));
  return new Set(tokens.flatMap(({ lower, kind }) => (kind !== "sign" && isName(lower) ? [lower] : []))).size;
}
