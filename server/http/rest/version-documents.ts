import type { Principal } from "../../principal.ts";
import type { Deprecation } from "../../versions/retirement/deprecation.ts";
import type { Version } from "../../versions/version.ts";
import { createDocument, type Document } from "../document.ts";
import { toOpenApi } from "./openapi.ts";
import { findTool } from "./tools.ts";
import { authorise } from "../../kernel/stages/authorise.ts";
import { createUsableTools } from "../../kernel/tools/usable-tools.ts";
import { toToolDefinition } from "../../kernel/tools/tool-definition.ts";
import type { UsableTools } from "../../kernel/tools/usable-tools.ts";

/**
 * Documents about a version. A version never changes, so each is made once for all callers who may use an equal set of
 * tools, at the first request.
 */
export interface VersionDocuments {
  /** All of them are about the tools that the principal may use, and no others. */
  openApi(version: Version, principal: Principal, deprecated?: Deprecation): Document;
  /** The definitions of the tools. */
  tools(version: Version, principal: Principal): Document;
  /** The definition of one tool; rejects with INVALID_TOOL or FORBIDDEN. */
  tool(version: Version, principal: Principal, name: string): Document;
  /** Checks that some tools of the version are listed only to callers who may use them. */
  hasRestrictedTools(version: Version): boolean;
}

interface Made {
  readonly openApi: UsableTools<Document>;
  /** Documents that tell of an end as well, by its announcement. */
  readonly ending: WeakMap<Deprecation, UsableTools<Document>>;
  readonly listings: UsableTools<Document>;
  readonly tools: Map<string, Document>;
}

export function createVersionDocuments(): VersionDocuments {
  const versions = new WeakMap<Version, Made>();

  const madeOf = (version: Version): Made => {
    const known = versions.get(version);
    if (known !== undefined) return known;
    const tools = [...version.tools.values()];
    const made: Made = {
      openApi: createUsableTools(tools, (usable) => toKept(toOpenApi(version, usable))),
      ending: new WeakMap(),
      listings: createUsableTools(tools, (usable) => toKept({ tools: usable.map(toToolDefinition) })),
      tools: new Map(),
    };
    versions.set(version, made);
    return made;
  };

  return Object.freeze({
    openApi(version: Version, principal: Principal, deprecated?: Deprecation) {
      const { openApi, ending } = madeOf(version);
      if (deprecated === undefined) return openApi.listingFor(principal);
      const known = ending.get(deprecated);
      if (known !== undefined) return known.listingFor(principal);
      const tools = [...version.tools.values()];
      const made = createUsableTools(tools, (usable) => toKept(toOpenApi(version, usable, deprecated)));
      ending.set(deprecated, made);
      return made.listingFor(principal);
    },
    tools: (version: Version, principal: Principal) => madeOf(version).listings.listingFor(principal),
    tool(version: Version, principal: Principal, name: string) {
      const tool = findTool(version, name, principal);
      authorise(tool, principal);
      const { tools } = madeOf(version);
      const known = tools.get(name);
      if (known !== undefined) return known;
      const definition = toKept(toToolDefinition(tool));
      tools.set(name, definition);
      return definition;
    },
    hasRestrictedTools: (version: Version) => madeOf(version).listings.isRestricted,
  });
}

function toKept(value: unknown): Document {
  return createDocument("application/json", JSON.stringify(value), "small");
}

/** Has caches ask each time where callers with other rights get another document. */
export function byCaller(documents: VersionDocuments, version: Version) {
  return documents.hasRestrictedTools(version) ? ({ keep: "checked-by-caller" } as const) : {};
}
