import type { Problem } from "../../problem.ts";
import type { Prompt, Resource, ResourceSource, ResourceTemplate, Server } from "../../version.ts";
import type { Manifest } from "../manifest.ts";
import { suggest } from "../suggest.ts";
import type { Path } from "../yaml/locate.ts";
import type { FileRead } from "./file-read.ts";

export interface ServerContent {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly instructions?: string;
  readonly errors?: "tool" | "protocol";
  readonly state?: string;
  readonly resources?: readonly ResourceContent[];
  readonly prompts?: readonly PromptContent[];
}

interface ResourceContent {
  readonly uri?: string;
  readonly uriTemplate?: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly provider?: string;
  readonly text?: string;
  readonly link?: true;
}

interface PromptContent extends Omit<Prompt, "arguments"> {
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
}

/** All of a server but its tools, which are files of their own. */
export type ServerFile = Omit<Server, "tools">;

/** Addresses below a version, and words that stand for versions, so that no server can be taken for them. */
const RESERVED_NAMES: ReadonlySet<string> = new Set("api architect dev latest openapi.json versions".split(" "));

/** Schemes of other systems' objects: whoever reads them needs that system's credentials, which Cairn does not have. */
const OBJECT_STORES = /^(?:abfss?|azure|az|b2|cos|gcs|gs|minio|oss|r2|s3|s3a|s3n|swift|wasbs?):/;

export function readServer(folder: string, manifest: Manifest<ServerContent>): FileRead<ServerFile> {
  const { file, content, problem } = manifest;
  const { resources = [], prompts = [], errors = "tool", ...rest } = content;
  const problems: Problem[] = [];
  if (content.name !== folder) {
    const message = `The server \`${content.name}\` is in the folder \`${folder}\`.`;
    problems.push(problem("name-mismatch", ["name"], message, `Write \`name: ${folder}\`, or rename the folder.`));
  }
  if (RESERVED_NAMES.has(folder)) {
    const message = `The name \`${folder}\` already means something in addresses.`;
    problems.push(problem("reserved-name", ["name"], message, "Rename the server and its folder."));
  }
  problems.push(
    ...checkUnique(resources, "name", ["resources"]),
    ...checkUnique(resources, "uri", ["resources"]),
    ...checkUnique(resources, "uriTemplate", ["resources"]),
    ...checkUnique(prompts, "name", ["prompts"]),
    ...resources.flatMap(checkResource),
    ...prompts.flatMap(checkPrompt),
  );
  const value = Object.freeze({
    ...rest,
    errors,
    resources: Object.freeze(resources.flatMap(toResource)),
    resourceTemplates: Object.freeze(resources.flatMap(toResourceTemplate)),
    prompts: Object.freeze(prompts.map(toPrompt)),
    file,
  });
  return { value, problems };

  function checkUnique<Key extends string>(list: readonly { readonly [key in Key]?: string }[], key: Key, path: Path) {
    const texts = list.map((item) => item[key]);
    return texts.flatMap((text, index): Problem[] => {
      if (text === undefined || texts.indexOf(text) === index) return [];
      const message = `The ${key} \`${text}\` is already used above.`;
      return [problem("duplicate-name", [...path, index, key], message, "Give each one of its own.")];
    });
  }

  function checkResource({ uri, uriTemplate, link }: ResourceContent, index: number): readonly Problem[] {
    const address = uri ?? uriTemplate ?? "";
    if (!OBJECT_STORES.test(address) || link) return [];
    const path = ["resources", index, uri === undefined ? "uriTemplate" : "uri"];
    const message = `\`${address}\` is in an object store, which Cairn does not read.`;
    return [problem("object-store", path, message, "Write `link: true` instead of a content.")];
  }

  function checkPrompt({ arguments: declared = [], messages }: PromptContent, index: number): readonly Problem[] {
    const names = declared.map(({ name }) => name);
    const found = checkUnique(declared, "name", ["prompts", index, "arguments"]);
    messages.forEach(({ text }, at) => {
      for (const [placeholder, name = ""] of text.matchAll(/\{\{([^{}]*)\}\}/g)) {
        if (names.includes(name)) continue;
        const meant = suggest(name.trim(), names);
        const declare = /^\w+$/.test(name) ? `Declare \`${name}\` under \`arguments\`.` : "Write the name of one.";
        const fix = meant ? `Did you mean \`{{${meant}}}\`?` : declare;
        const message = `\`${placeholder}\` names no argument of this prompt.`;
        found.push(problem("prompt-placeholder", ["prompts", index, "messages", at, "text"], message, fix));
      }
    });
    return found;
  }
}

function toResource({ uri, uriTemplate: _template, ...rest }: ResourceContent): Resource[] {
  return uri === undefined ? [] : [Object.freeze({ uri, ...toBase(rest) })];
}

function toResourceTemplate({ uriTemplate, uri: _uri, ...rest }: ResourceContent): ResourceTemplate[] {
  return uriTemplate === undefined ? [] : [Object.freeze({ uriTemplate, ...toBase(rest) })];
}

function toBase({ provider, text, link: _link, ...base }: Omit<ResourceContent, "uri" | "uriTemplate">) {
  return { ...base, source: Object.freeze(toSource(provider, text)) };
}

function toSource(provider: string | undefined, text: string | undefined): ResourceSource {
  if (provider !== undefined) return { kind: "provider", provider };
  return text === undefined ? { kind: "link" } : { kind: "text", text };
}

function toPrompt({ arguments: declared = [], ...rest }: PromptContent): Prompt {
  const required = declared.map((argument) => Object.freeze({ ...argument, required: argument.required ?? false }));
  return Object.freeze({ ...rest, arguments: Object.freeze(required) });
}
