import { canonicalJson } from "../json/canonical-json.ts";
import type { Prompt, PromptArgument, PromptMessage, Server } from "../versions/version.ts";
import type { BumpRule } from "./bump-rules.ts";
import { createFinding, type Finding, placeIn, type Step } from "./finding.ts";
import { findTextChanges } from "./find-text-changes.ts";
import type { Reading } from "./reading.ts";

type PromptServer = Pick<Server, "name" | "file" | "prompts">;

/** Finds differences of prompts, each known by its name. */
export function findPromptChanges(before: PromptServer, after: PromptServer, reading: Reading): readonly Finding[] {
  const old = new Map(before.prompts.map((prompt) => [prompt.name, prompt]));
  const young = new Map(after.prompts.map((prompt) => [prompt.name, prompt]));
  return [...new Set([...old.keys(), ...young.keys()])].flatMap((name): readonly Finding[] => {
    const [was, is] = [old.get(name), young.get(name)];
    const about = { server: after.name, of: `prompt ${after.name} ${name}` };
    if (is === undefined) {
      const place = placeIn("before", before.file, "prompts", { name });
      return [createFinding("prompt-removed", `The prompt \`${name}\` is not there any more.`, place, about)];
    }
    const find = (rule: BumpRule, message: string, ...path: Step[]) =>
      createFinding(rule, message, placeIn("after", after.file, "prompts", { name }, ...path), about);
    const findOne: FindOne = (member, rule, message, ...path) => ({ ...find(rule, message, ...path), member });
    if (was === undefined) return [find("prompt-added", `The prompt \`${name}\` is new.`)];
    return [
      ...compareArguments(was, is, findOne, reading),
      ...compareMessages(was, is, find, reading),
      ...findTextChanges(`the prompt \`${name}\``, was, is, ["title", "description"], (message, key) =>
        find("text-changed", message, key),
      ),
    ];
  });
}

type Find = (rule: BumpRule, message: string, ...path: Step[]) => Finding;
type FindOne = (member: string, ...about: Parameters<Find>) => Finding;

function* compareArguments(was: Prompt, is: Prompt, findOne: FindOne, reading: Reading): Generator<Finding> {
  const old = new Map(was.arguments.map((argument) => [argument.name, argument]));
  const names = new Set(is.arguments.map(({ name }) => name));
  const shown = `The prompt \`${is.name}\``;
  for (const { name } of was.arguments) {
    if (!names.has(name)) {
      yield findOne(name, "prompt-argument-removed", `${shown} takes no argument \`${name}\` any more.`, "arguments");
    }
  }
  for (const argument of is.arguments) {
    const { name } = argument;
    const known = old.get(name);
    const path = ["arguments", { name }] as const;
    const find: Find = (...about) => findOne(name, ...about);
    if (argument.required && (known === undefined || !known.required)) {
      yield find("prompt-argument-required", `${shown} must be given the argument \`${name}\`.`, ...path);
    } else if (known === undefined) {
      yield find("prompt-argument-added", `${shown} takes an argument \`${name}\`.`, ...path);
    } else {
      if (known.required && !argument.required) {
        yield find("prompt-argument-optional", `${shown} need not be given the argument \`${name}\`.`, ...path);
      }
      yield* compareArgument(shown, known, argument, (rule, message, ...inner) =>
        find(rule, message, ...path, ...inner),
      );
      if (argument.required && known.ask !== undefined && argument.ask === undefined && reading !== "plain") {
        const message = `${shown} must be given the argument \`${name}\`, and asked for it before.`;
        yield find("prompt-argument-required", message, ...path);
      }
    }
  }
}

function compareArgument(shown: string, was: PromptArgument, is: PromptArgument, find: Find): readonly Finding[] {
  const subject = `the argument \`${is.name}\` of t${shown.slice(1)}`;
  return findTextChanges(subject, was, is, ["description", "ask", "suggestions"], (message, key) =>
    find("text-changed", message, key),
  );
}

function* compareMessages(was: Prompt, is: Prompt, find: Find, reading: Reading): Generator<Finding> {
  const [old, young] = [was, is].map(({ messages }) => messages.map((message) => toForm(message, reading)));
  if (canonicalJson(old) !== canonicalJson(young)) {
    const message = `The prompt \`${is.name}\` has the messages ${showForms(young)}, and had ${showForms(old)}.`;
    yield find("prompt-messages-changed", message, "messages");
    return;
  }
  for (const [index, message] of is.messages.entries()) {
    const [before, after] = [was.messages[index], message].map((one) => one && { text: showMessage(one) });
    if (before === undefined || after === undefined) continue;
    const subject = `the message ${index + 1} of the prompt \`${is.name}\``;
    yield* findTextChanges(subject, before, after, ["text"], (said) => find("text-changed", said, "messages", index));
  }
}

/** Writes what clients handle a message by: its role, the kind of its content, and the media type of that. */
function toForm(message: PromptMessage, reading: Reading): string {
  const { role } = message;
  if (!("content" in message)) return `${role} text`;
  const { content } = message;
  if (reading === "plain" || content.type === "text") return `${role} ${content.type}`;
  if (content.type !== "resource") return [role, content.type, "mimeType" in content ? content.mimeType : ""].join(" ");
  const { resource } = content;
  return [role, "text" in resource ? "text resource" : "blob resource", resource.mimeType ?? ""].join(" ").trimEnd();
}

function showForms(forms: readonly string[] = []): string {
  return forms.map((form) => `\`${form}\``).join(", ");
}

function showMessage(message: PromptMessage): string {
  if (!("content" in message)) return `the view ${message.provider}`;
  return message.content.type === "text" ? message.content.text : canonicalJson(message.content);
}
