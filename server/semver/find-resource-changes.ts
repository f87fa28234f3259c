import { canonicalJson } from "../json/canonical-json.ts";
import type { Resource, ResourceTemplate } from "../versions/resource.ts";
import type { Server } from "../versions/version.ts";
import type { BumpRule } from "./bump-rules.ts";
import { createFinding, type Finding, placeIn, type Place } from "./finding.ts";

interface Entry {
  readonly resource: Resource | ResourceTemplate;
  readonly step: Readonly<Record<string, string>>;
}

type ResourceServer = Pick<Server, "name" | "file" | "resources" | "resourceTemplates">;

/** Finds differences of resources and templates, each known by its address. */
export function findResourceChanges(before: ResourceServer, after: ResourceServer): readonly Finding[] {
  const [old, young] = [listResources(before), listResources(after)];
  return [...new Set([...old.keys(), ...young.keys()])].flatMap((address): readonly Finding[] => {
    const [was, is] = [old.get(address), young.get(address)];
    const find = (rule: BumpRule, message: string, place: Place) =>
      createFinding(rule, `The resource \`${address}\` ${message}.`, place, { server: after.name });
    if (is === undefined) {
      const place = placeIn("before", before.file, "resources", was?.step ?? {});
      return [find("resource-removed", "is not there any more", place)];
    }
    const place = placeIn("after", after.file, "resources", is.step);
    if (was === undefined) return [find("resource-added", "is new", place)];
    if (was.resource.mimeType !== is.resource.mimeType || toOrigin(was) !== toOrigin(is)) {
      return [find("resource-changed", "is of another media type, or comes from somewhere else", place)];
    }
    if (toText(was) === toText(is)) return [];
    return [find("text-changed", "has another name, description, suggestion or content", place)];
  });
}

function listResources({ resources, resourceTemplates }: ResourceServer): ReadonlyMap<string, Entry> {
  return new Map([
    ...resources.map((resource): [string, Entry] => [resource.uri, { resource, step: { uri: resource.uri } }]),
    ...resourceTemplates.map((resource): [string, Entry] => {
      const { uriTemplate } = resource;
      return [uriTemplate, { resource, step: { uriTemplate } }];
    }),
  ]);
}

function toOrigin({ resource: { source } }: Entry): string {
  return source.kind === "provider" ? `provider ${source.provider}` : source.kind;
}

function toText({ resource }: Entry): string {
  const suggestions = "suggestions" in resource ? Object.fromEntries(resource.suggestions) : {};
  return canonicalJson({ ...resource, suggestions });
}
