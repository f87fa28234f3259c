import { holds, type Principal } from "../principal.ts";
import type { Tool, Version } from "../versions/version.ts";
import { createDocument, type Document } from "./document.ts";
import { toOpenApi } from "./openapi.ts";
import { findTool, toToolDefinition } from "./tools.ts";

/** What can be read of a version. A version never changes, so each document is made once, when first asked for. */
export interface VersionDocuments {
  openApi(version: Version): Document;
  /** The definitions of all tools of the version that the principal may use. */
  tools(version: Version, principal: Principal): Document;
  /** The definition of one tool, or INVALID_TOOL. */
  tool(version: Version, name: string): Document;
  /** Whether some tools of the version are listed only to those who may use them. */
  hasRestrictedTools(version: Version): boolean;
}

/** Listings of one version that are kept, each for all principals who may use the same tools. */
const LISTING_LIMIT = 32;

interface Made {
  readonly restricted: readonly Tool[];
  /** By which of the restricted tools they list. */
  readonly listings: Map<string, Document>;
  readonly tools: Map<string, Document>;
  openApi?: Document;
}

export function createVersionDocuments(): VersionDocuments {
  const versions = new WeakMap<Version, Made>();

  const madeOf = (version: Version): Made => {
    const known = versions.get(version);
    if (known !== undefined) return known;
    const restricted = [...version.tools.values()].filter(
      ({ requiredCapabilities }) => requiredCapabilities.length > 0,
    );
    const made: Made = { restricted, listings: new Map(), tools: new Map() };
    versions.set(version, made);
    return made;
  };

  return Object.freeze({
    openApi(version: Version) {
      const made = madeOf(version);
      made.openApi ??= toKept(toOpenApi(version));
      return made.openApi;
    },
    tools(version: Version, principal: Principal) {
      const { restricted, listings } = madeOf(version);
      const key = restricted.map((tool) => (mayUse(principal, tool) ? "+" : "-")).join("");
      const known = listings.get(key);
      if (known !== undefined) return known;
      const usable = [...version.tools.values()].filter((tool) => mayUse(principal, tool));
      const listing = toKept({ tools: usable.map(toToolDefinition) });
      if (listings.size >= LISTING_LIMIT) listings.clear();
      listings.set(key, listing);
      return listing;
    },
    tool(version: Version, name: string) {
      const { tools } = madeOf(version);
      const known = tools.get(name);
      if (known !== undefined) return known;
      const definition = toKept(toToolDefinition(findTool(version, name)));
      tools.set(name, definition);
      return definition;
    },
    hasRestrictedTools: (version: Version) => madeOf(version).restricted.length > 0,
  });
}

function toKept(value: unknown): Document {
  return createDocument("application/json", JSON.stringify(value), "small");
}

function mayUse(principal: Principal, tool: Tool): boolean {
  return tool.requiredCapabilities.every((capability) => holds(principal, capability));
}
