import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { listVariables } from "../../versions/resource.ts";
import type { Server } from "../../versions/version.ts";
import type { Methods } from "../method.ts";
import { createPromptLookup } from "./prompts.ts";

/** Values of one answer, as MCP limits them. */
const MAX_VALUES = 100;

/** `completion/complete` of one server, from the suggestions of its manifest. */
export function createCompletionMethods(server: Server): Methods {
  const lookUp = createPromptLookup(server);
  const templates = new Map(server.resourceTemplates.map((template) => [template.uriTemplate, template]));

  return {
    "completion/complete"({ ref, argument }) {
      const { name, value } = readArgument(argument);
      const matches = rank(findSuggestions(ref, name), value);
      const values = matches.slice(0, MAX_VALUES);
      return { completion: { values, total: matches.length, hasMore: matches.length > MAX_VALUES } };
    },
  };

  function findSuggestions(ref: unknown, name: string): readonly string[] {
    const { type, name: prompt, uri } = toRecord(ref, "ref");
    if (type === "ref/prompt") return ofPrompt(prompt, name);
    if (type === "ref/resource") return ofTemplate(uri, name);
    throw new CairnError("BAD_REQUEST", "`ref.type` must be `ref/prompt` or `ref/resource`.");
  }

  function ofPrompt(prompt: unknown, name: string): readonly string[] {
    const { arguments: declared } = lookUp(prompt);
    const found = declared.find((argument) => argument.name === name);
    if (found) return found.suggestions;
    throw unknown(
      "argument",
      name,
      "the prompt",
      declared.map((argument) => argument.name),
    );
  }

  function ofTemplate(uri: unknown, name: string): readonly string[] {
    const template = typeof uri === "string" ? templates.get(uri) : undefined;
    if (!template) throw unknown("resource template", String(uri), `\`${server.name}\``, [...templates.keys()]);
    const variables = listVariables(template.uriTemplate);
    if (variables.includes(name)) return template.suggestions.get(name) ?? [];
    throw unknown("variable", name, "the template", variables);
  }
}

/** Those that start with what has been typed, then those that have it elsewhere, each in the order of the manifest. */
function rank(suggestions: readonly string[], typed: string): readonly string[] {
  const part = typed.toLowerCase();
  const { 0: starts = [], 1: others = [] } = Object.groupBy(
    suggestions.filter((text) => text.toLowerCase().includes(part)),
    (text) => (text.toLowerCase().startsWith(part) ? 0 : 1),
  );
  return [...starts, ...others];
}

function readArgument(argument: unknown): { readonly name: string; readonly value: string } {
  const { name, value } = toRecord(argument, "argument");
  if (typeof name === "string" && typeof value === "string") return { name, value };
  throw new CairnError("BAD_REQUEST", "`argument.name` and `argument.value` must be strings.");
}

function toRecord(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw new CairnError("BAD_REQUEST", `\`${what}\` must be an object.`);
}

function unknown(kind: string, name: string, owner: string, known: readonly string[]): CairnError {
  const list = known.slice(0, 20).join(", ") || "none";
  return new CairnError("BAD_REQUEST", `There is no ${kind} \`${name.slice(0, 200)}\`; ${owner} has: ${list}.`);
}
