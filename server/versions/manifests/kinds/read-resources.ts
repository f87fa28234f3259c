import type { Problem } from "../../problem.ts";
import { listVariables, type Resource, type ResourceSource, type ResourceTemplate } from "../../resource.ts";
import type { Manifest } from "../manifest.ts";
import { showValues } from "../schema/show.ts";
import { suggest } from "../../../text/suggest.ts";
import type { Path } from "../yaml/locate.ts";
import { checkUnique } from "./check-unique.ts";
import type { FileRead } from "./file-read.ts";
import { findLostPlaceholders } from "./find-lost-placeholders.ts";
import type { ResourceContent, ServerContent } from "./server-content.ts";

export interface Resources {
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
}

/** Schemes of other systems' objects: whoever reads them needs that system's credentials, which Cairn does not have. */
const OBJECT_STORES = /^(?:abfss?|azure|az|b2|cos|gcs|gs|minio|oss|r2|s3|s3a|s3n|swift|wasbs?):/;

export function readResources({ content, problem }: Manifest<ServerContent>): FileRead<Resources> {
  const { resources: all = [] } = content;
  const problems = [
    ...checkUnique(all, "name", ["resources"], problem),
    ...checkUnique(all, "uri", ["resources"], problem),
    ...checkUnique(all, "uriTemplate", ["resources"], problem),
    ...all.flatMap((resource, index) => {
      const path = ["resources", index];
      return [
        ...checkAddress(resource, path),
        ...checkText(resource, [...path, "text"]),
        ...checkSuggestions(resource, [...path, "suggestions"]),
      ];
    }),
  ];
  const resources = Object.freeze(all.flatMap(toResource));
  const resourceTemplates = Object.freeze(all.flatMap(toResourceTemplate));
  return { value: { resources, resourceTemplates }, problems };

  function checkAddress({ uri, uriTemplate, link }: ResourceContent, path: Path): readonly Problem[] {
    const address = uri ?? uriTemplate ?? "";
    if (!OBJECT_STORES.test(address) || link) return [];
    const message = `\`${address}\` is in an object store, which Cairn does not read.`;
    const at = [...path, uri === undefined ? "uriTemplate" : "uri"];
    return [problem("object-store", at, message, "Write `link: true` instead of a content.")];
  }

  function checkText({ uriTemplate, text }: ResourceContent, path: Path): readonly Problem[] {
    // At a fixed address nothing varies, and braces in its text are only braces.
    if (uriTemplate === undefined || text === undefined) return [];
    const names = listVariables(uriTemplate);
    const declare = (name: string) => `Add \`{${name}}\` to \`uriTemplate\`, or write it in another way.`;
    return findLostPlaceholders(text, names, declare).map(({ placeholder, fix }) => {
      const message = `\`${placeholder}\` names no variable of \`${uriTemplate}\`.`;
      return problem("resource-placeholder", path, message, fix);
    });
  }

  function checkSuggestions({ uri, uriTemplate, suggestions = {} }: ResourceContent, path: Path): readonly Problem[] {
    const names = uriTemplate === undefined ? [] : listVariables(uriTemplate);
    return Object.keys(suggestions).flatMap((name) => {
      if (names.includes(name)) return [];
      const meant = suggest(name, names);
      const known = names.length > 0 ? `Its variables are ${showValues(names)}.` : "Remove it; there are no variables.";
      const fix = meant ? `Did you mean \`${meant}\`?` : known;
      const message = `\`${name}\` is no variable of \`${uri ?? uriTemplate}\`.`;
      return [problem("unknown-key", [...path, name], message, fix, "key")];
    });
  }
}

function toResource({ uri, uriTemplate: _template, suggestions: _none, ...rest }: ResourceContent): Resource[] {
  return uri === undefined ? [] : [Object.freeze({ uri, ...toBase(rest) })];
}

function toResourceTemplate({ uriTemplate, uri: _uri, suggestions, ...rest }: ResourceContent): ResourceTemplate[] {
  if (uriTemplate === undefined) return [];
  return [Object.freeze({ uriTemplate, ...toBase(rest), suggestions: new Map(Object.entries(suggestions ?? {})) })];
}

function toBase(content: Omit<ResourceContent, "uri" | "uriTemplate" | "suggestions">) {
  const { provider: _provider, text: _text, blob: _blob, link: _link, ...base } = content;
  return { ...base, source: Object.freeze(toSource(content)) };
}

function toSource({ provider, text, blob }: Pick<ResourceContent, "provider" | "text" | "blob">): ResourceSource {
  if (provider !== undefined) return { kind: "provider", provider };
  if (text !== undefined) return { kind: "text", text };
  return blob === undefined ? { kind: "link" } : { kind: "blob", blob };
}
