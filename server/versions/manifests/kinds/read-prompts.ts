import type { Content } from "../../../host-api.ts";
import type { Problem } from "../../problem.ts";
import type { Prompt, PromptArgument, PromptMessage } from "../../version.ts";
import { deepFreeze } from "../deep-freeze.ts";
import type { Manifest } from "../manifest.ts";
import type { Path } from "../yaml/locate.ts";
import { checkUnique } from "./check-unique.ts";
import type { FileRead } from "./file-read.ts";
import { findLostPlaceholders } from "./find-lost-placeholders.ts";
import type { ArgumentContent, MessageContent, PromptContent, ServerContent } from "./server-content.ts";

export function readPrompts({ content, problem }: Manifest<ServerContent>): FileRead<readonly Prompt[]> {
  const { prompts = [] } = content;
  const problems = [...checkUnique(prompts, "name", ["prompts"], problem), ...prompts.flatMap(checkPrompt)];
  return { value: Object.freeze(prompts.map(toPrompt)), problems };

  function checkPrompt({ arguments: declared = [], messages }: PromptContent, index: number): readonly Problem[] {
    const path = ["prompts", index];
    const names = declared.map(({ name }) => name);
    return [
      ...checkUnique(declared, "name", [...path, "arguments"], problem),
      ...declared.flatMap((argument, at) => checkAsk(argument, [...path, "arguments", at, "ask"])),
      ...messages.flatMap((message, at) =>
        listTexts(message).flatMap(([text, ...key]) => checkText(text, names, [...path, "messages", at, ...key])),
      ),
    ];
  }

  function checkAsk({ name, required, ask }: ArgumentContent, path: Path): readonly Problem[] {
    if (ask === undefined || required) return [];
    const message = `The prompt asks for \`${name}\`, but can do without it.`;
    return [problem("prompt-ask", path, message, "Add `required: true`, or remove `ask`.", "key")];
  }

  function checkText(text: string, names: readonly string[], path: Path): readonly Problem[] {
    const declare = (name: string) => `Declare \`${name}\` under \`arguments\`.`;
    return findLostPlaceholders(text, names, declare).map(({ placeholder, fix }) =>
      problem("prompt-placeholder", path, `\`${placeholder}\` names no argument of this prompt.`, fix),
    );
  }
}

/** The parts of a message that may have placeholders, each with its keys. */
function listTexts(message: MessageContent): readonly (readonly [text: string, ...keys: string[]])[] {
  if ("text" in message) return [[message.text, "text"]];
  if (!("resource" in message)) return [];
  const { resource } = message;
  return [
    [resource.uri, "resource", "uri"],
    ...("text" in resource ? [[resource.text, "resource", "text"] as const] : []),
  ];
}

function toPrompt({ arguments: declared = [], messages, ...rest }: PromptContent): Prompt {
  return deepFreeze({
    ...rest,
    arguments: declared.map(toArgument),
    messages: messages.map(toMessage),
  });
}

function toArgument({ required = false, suggestions = [], ...rest }: ArgumentContent): PromptArgument {
  return { ...rest, required, suggestions };
}

function toMessage(message: MessageContent): PromptMessage {
  const { role } = message;
  return "provider" in message ? { role, provider: message.provider } : { role, content: toContent(message) };
}

function toContent(message: Exclude<MessageContent, { readonly provider: string }>): Content {
  if ("text" in message) return { type: "text", text: message.text };
  if ("image" in message) return { type: "image", ...message.image };
  if ("audio" in message) return { type: "audio", ...message.audio };
  return { type: "resource", resource: message.resource };
}
