import { toToolDefinition } from "../invoke/tool-definition.ts";
import { createUsableTools, type UsableTools } from "../invoke/usable-tools.ts";
import type { Principal } from "../principal.ts";
import type { Version } from "../versions/version.ts";
import { createDocument, type Document } from "./document.ts";
import { toOpenApi } from "./openapi.ts";
import { findTool } from "./tools.ts";

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

interface Made {
  readonly listings: UsableTools<Document>;
  readonly tools: Map<string, Document>;
  openApi?: Document;
}

export function createVersionDocuments(): VersionDocuments {
  const versions = new WeakMap<Version, Made>();

  const madeOf = (version: Version): Made => {
    const known = versions.get(version);
    if (known !== undefined) return known;
    const listings = createUsableTools([...version.tools.values()], (usable) =>
      toKept({ tools: usable.map(toToolDefinition) }),
    );
    const made: Made = { listings, tools: new Map() };
    versions.set(version, made);
    return made;
  };

  return Object.freeze({
    openApi(version: Version) {
      const made = madeOf(version);
      made.openApi ??= toKept(toOpenApi(version));
      return made.openApi;
    },
    tools: (version: Version, principal: Principal) => madeOf(version).listings.listingFor(principal),
    tool(version: Version, name: string) {
      const { tools } = madeOf(version);
      const known = tools.get(name);
      if (known !== undefined) return known;
      const definition = toKept(toToolDefinition(findTool(version, name)));
      tools.set(name, definition);
      return definition;
    },
    hasRestrictedTools: (version: Version) => madeOf(version).listings.isRestricted,
  });
}

function toKept(value: unknown): Document {
  return createDocument("application/json", JSON.stringify(value), "small");
}
