import { canonicalJson } from "../json/canonical-json.ts";
import type { Prompt, Server } from "../versions/version.ts";
import type { BumpRule } from "./bump-rules.ts";
import { createFinding, type Finding, placeIn, type Step } from "./finding.ts";

type PromptServer = Pick<Server, "name" | "file" | "prompts">;

/** Finds differences of prompts, each known by its name. */
export function findPromptChanges(before: PromptServer, after: PromptServer): readonly Finding[] {
  const old = new Map(before.prompts.map((prompt) => [prompt.name, prompt]));
  const young = new Map(after.prompts.map((prompt) => [prompt.name, prompt]));
  const about = { server: after.name };
  return [...new Set([...old.keys(), ...young.keys()])].flatMap((name): readonly Finding[] => {
    const [was, is] = [old.get(name), young.get(name)];
    if (is === undefined) {
      const place = placeIn("before", before.file, "prompts", { name });
      return [createFinding("prompt-removed", `The prompt \`${name}\` is not there any more.`, place, about)];
    }
    const find = (rule: BumpRule, message: string, ...path: Step[]) => {
      const place = placeIn("after", after.file, "prompts", { name }, ...path);
      return createFinding(rule, `The prompt \`${name}\` ${message}.`, place, about);
    };
    if (was === undefined) return [find("prompt-added", "is new")];
    const findings = [...compareArguments(was, is, find)];
    if (toForms(was) !== toForms(is)) {
      findings.push(find("prompt-messages-changed", "has messages in another number, role or form", "messages"));
    }
    const isReworded = findings.length === 0 && canonicalJson({ ...was }) !== canonicalJson({ ...is });
    return isReworded ? [find("text-changed", "is worded in another way")] : findings;
  });
}

type Find = (rule: BumpRule, message: string, ...path: Step[]) => Finding;

function* compareArguments(was: Prompt, is: Prompt, find: Find): Generator<Finding> {
  const old = new Map(was.arguments.map((argument) => [argument.name, argument]));
  const names = new Set(is.arguments.map(({ name }) => name));
  for (const { name } of was.arguments) {
    if (!names.has(name)) yield find("prompt-argument-removed", `takes no argument \`${name}\` any more`, "arguments");
  }
  for (const argument of is.arguments) {
    const { name } = argument;
    const known = old.get(name);
    const path = ["arguments", { name }] as const;
    if (argument.required && (known === undefined || !known.required)) {
      yield find("prompt-argument-required", `must be given the argument \`${name}\``, ...path);
    } else if (known === undefined) yield find("prompt-argument-added", `takes an argument \`${name}\``, ...path);
    else if (known.required && !argument.required) {
      yield find("prompt-argument-optional", `need not be given the argument \`${name}\``, ...path);
    }
  }
}

function toForms({ messages }: Prompt): string {
  return messages
    .map((message) => `${message.role} ${"content" in message ? message.content.type : "text"}`)
    .join("\n");
}
