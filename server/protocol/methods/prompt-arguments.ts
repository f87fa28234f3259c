import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { Prompt, PromptArgument } from "../../versions/version.ts";

/** The arguments that a request gives for a prompt, by name; some that the prompt needs may be missing. */
export function readArguments(prompt: Prompt, given: unknown = {}): ReadonlyMap<string, string> {
  if (!isObject(given)) {
    throw new CairnError("BAD_REQUEST", "`arguments` must be an object.");
  }
  const declared = prompt.arguments.map(({ name }) => name);
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    if (!declared.includes(name) || typeof value !== "string") {
      const names = declared.join(", ") || "none";
      throw new CairnError("BAD_REQUEST", `\`arguments.${name.slice(0, 100)}\` must be a string and one of: ${names}.`);
    }
    values.set(name, value);
  }
  return values;
}

/** Lists the required arguments of the prompt that are missing. */
export function missingArguments(prompt: Prompt, given: ReadonlyMap<string, string>): readonly PromptArgument[] {
  return prompt.arguments.filter(({ name, required }) => required && !given.has(name));
}
