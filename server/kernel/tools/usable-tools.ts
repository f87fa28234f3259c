import { holdsAll, type Principal } from "../../principal.ts";
import type { Tool } from "../../versions/version.ts";

/** Listings that are kept, each for all principals who may use the same tools. */
const LISTING_LIMIT = 32;
/** Tools that a message names. */
const NAMED_LIMIT = 20;

export interface UsableTools<Listing> {
  /** True if only some principals may use some of the tools. */
  readonly isRestricted: boolean;
  /** Returns the listing of the tools that the principal may use. */
  listingFor(principal: Principal): Listing;
}

/** Some of the tools that the principal may use, for a message to somebody who named another. */
export function listNames(tools: readonly Tool[], principal: Principal): string {
  const usable = tools.filter(({ requiredCapabilities }) => holdsAll(principal, requiredCapabilities));
  if (usable.length === 0) return "none";
  const named = usable.slice(0, NAMED_LIMIT).map(({ name }) => name);
  const more = usable.length - named.length;
  return more === 0 ? named.join(", ") : `${named.join(", ")} and ${more} more`;
}

/** Makes a listing of `tools` once for each set of them that somebody may use, when it is first asked for. */
export function createUsableTools<Listing extends object>(
  tools: readonly Tool[],
  make: (usable: readonly Tool[], isRestricted: boolean) => Listing,
): UsableTools<Listing> {
  const restricted = tools.filter(({ requiredCapabilities }) => requiredCapabilities.length > 0);
  const isRestricted = restricted.length > 0;
  const listings = new Map<string, Listing>();

  return Object.freeze({
    isRestricted,
    listingFor(principal: Principal) {
      const mayUse = (tool: Tool) => holdsAll(principal, tool.requiredCapabilities);
      const key = restricted.map((tool) => (mayUse(tool) ? "+" : "-")).join("");
      const known = listings.get(key);
      if (known !== undefined) return known;
      const listing = make(tools.filter(mayUse), isRestricted);
      if (listings.size >= LISTING_LIMIT) listings.clear();
      listings.set(key, listing);
      return listing;
    },
  });
}
