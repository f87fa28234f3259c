import { canonicalJson } from "../json/canonical-json.ts";
import type { Resource, ResourceTemplate } from "../versions/resource.ts";
import type { Server } from "../versions/version.ts";
import type { BumpRule } from "./bump-rules.ts";
import { createFinding, type Finding, placeIn, type Place } from "./finding.ts";
import { findTextChanges } from "./find-text-changes.ts";
import type { Reading } from "./reading.ts";

interface Entry {
  readonly address: string;
  readonly resource: Resource | ResourceTemplate;
  readonly step: Readonly<Record<string, string>>;
}

type ResourceServer = Pick<Server, "name" | "file" | "resources" | "resourceTemplates">;

/** Finds changes of resources and templates, each known by its address; a template also by another that covers it. */
export function findResourceChanges(
  before: ResourceServer,
  after: ResourceServer,
  reading: Reading,
): readonly Finding[] {
  const [old, young] = [listResources(before), listResources(after)];
  const fresh = [...young.values()].filter(({ address }) => !old.has(address));
  const found = [...old.values()].flatMap((was): readonly Finding[] => {
    const heir = reading === "plain" ? undefined : fresh.find((is) => covers(is, was));
    if (heir !== undefined) fresh.splice(fresh.indexOf(heir), 1);
    const is = young.get(was.address) ?? heir;
    if (is === undefined) {
      const place = placeIn("before", before.file, "resources", was.step);
      return [
        toFinding(after, was, "resource-removed", `The resource \`${was.address}\` is not there any more.`, place),
      ];
    }
    return [...findAddressChange(was, is, after), ...compareContents(was, is, after, reading)];
  });
  const added = fresh.map((is) =>
    toFinding(after, is, "resource-added", `The resource \`${is.address}\` is new.`, placeOf(after, is)),
  );
  return [...found, ...added];
}

function findAddressChange(was: Entry, is: Entry, after: ResourceServer): readonly Finding[] {
  if (was.address === is.address) return [];
  const place = placeIn("after", after.file, "resources", is.step, "uriTemplate");
  if (!covers(was, is)) {
    const message = `The resource \`${was.address}\` is also there for the other addresses of \`${is.address}\`.`;
    return [toFinding(after, was, "resource-template-widened", message, place)];
  }
  const message = `The resource \`${was.address}\` is written \`${is.address}\`, for the same addresses.`;
  return [toFinding(after, was, "text-changed", message, place)];
}

function compareContents(was: Entry, is: Entry, after: ResourceServer, reading: Reading): readonly Finding[] {
  const find = (rule: BumpRule, message: string) => toFinding(after, is, rule, message, placeOf(after, is));
  const shown = `The resource \`${is.address}\``;
  const [old, young] = [was.resource.mimeType, is.resource.mimeType];
  if (toOrigin(was) !== toOrigin(is)) {
    return [find("resource-changed", `${shown} is ${toOrigin(is)}, and was ${toOrigin(was)}.`)];
  }
  const typed = old === undefined && reading !== "plain" ? "resource-type-added" : "resource-changed";
  const types = old === young ? [] : [find(typed, `${shown} is ${showType(young)}, and was ${showType(old)}.`)];
  const texts = findTextChanges(
    `the resource \`${is.address}\``,
    toTexts(was),
    toTexts(is),
    ["name", "title", "description", "content", "suggestions"],
    (message, key) =>
      toFinding(after, is, "text-changed", message, placeIn("after", after.file, "resources", is.step, key)),
  );
  return [...types, ...texts];
}

function toFinding(
  { name }: ResourceServer,
  { address }: Entry,
  rule: BumpRule,
  message: string,
  place: Place,
): Finding {
  return createFinding(rule, message, place, { server: name, of: `resource ${name} ${address}` });
}

function placeOf({ file }: ResourceServer, { step }: Entry): Place {
  return placeIn("after", file, "resources", step);
}

function listResources({ resources, resourceTemplates }: ResourceServer): ReadonlyMap<string, Entry> {
  return new Map([
    ...resources.map((resource): [string, Entry] => {
      const { uri } = resource;
      return [uri, { address: uri, resource, step: { uri } }];
    }),
    ...resourceTemplates.map((resource): [string, Entry] => {
      const { uriTemplate } = resource;
      return [uriTemplate, { address: uriTemplate, resource, step: { uriTemplate } }];
    }),
  ]);
}

function toOrigin({ resource: { source } }: Entry): string {
  if (source.kind === "provider") return `the view \`${source.provider}\``;
  return { text: "a text of the tree", blob: "a blob of the tree", link: "a link to another place" }[source.kind];
}

function showType(type: string | undefined): string {
  return type === undefined ? "of no media type" : `\`${type}\``;
}

function toTexts({ resource }: Entry) {
  const { name, title, description, source } = resource;
  const content = source.kind === "text" ? source.text : canonicalJson({ ...source });
  const suggestions = "suggestions" in resource ? resource.suggestions : undefined;
  return { name, title, description, content, suggestions: suggestions?.size === 0 ? undefined : suggestions };
}

/**
 * Checks that one template answers at every address of another, with the same kind of content. A view of the service
 * reads variables by name, so there they must keep their names; anywhere else a name is the tree's own.
 */
function covers(one: Entry, other: Entry): boolean {
  if (!("uriTemplate" in one.resource) || !("uriTemplate" in other.resource)) return false;
  if (toOrigin(one) !== toOrigin(other)) return false;
  const isNamed = one.resource.source.kind === "provider";
  const [wide, narrow] = [readTemplate(one.address), readTemplate(other.address)];
  return (
    wide.parts.length === narrow.parts.length &&
    narrow.query.every((name) => wide.query.includes(name)) &&
    narrow.parts.every((part, index) => {
      const around = wide.parts[index] ?? "";
      if (around === part) return true;
      if (isNamed && part.includes("{")) return false;
      return (
        (/^\{[^{}]+\}$/.test(around) && part !== "" && !part.includes("#")) ||
        around.replace(/\{[^{}]+\}/g, "{}") === part.replace(/\{[^{}]+\}/g, "{}")
      );
    })
  );
}

function readTemplate(template: string) {
  const [, path = template, query = ""] = /^(.*?)(?:\{\?([^{}]*)\})?$/s.exec(template) ?? [];
  return { parts: path.split("/"), query: query === "" ? [] : query.split(",") };
}
