import { fitsForm, type FormSchema } from "../../capabilities/interaction/form.ts";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { Json } from "../../json/types.ts";
import type { Question } from "../../kernel/call.ts";
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

/** One form for all arguments that are missing and that a person can be asked for; nothing when there are none. */
export function toQuestion(missing: readonly PromptArgument[]): Question | undefined {
  const askable = missing.filter(({ ask }) => ask !== undefined);
  if (askable.length === 0) return undefined;
  const fields = askable.map(({ name, description }) => [
    name,
    { type: "string", ...(description === undefined ? {} : { description }) },
  ]);
  const requestedSchema = {
    type: "object",
    properties: Object.fromEntries(fields),
    required: askable.map(({ name }) => name),
  };
  const message = askable.map(({ ask }) => ask).join(" ");
  return { key: "arguments", method: "elicitation/create", params: { message, requestedSchema } };
}

/** Takes over what the form was filled in with; false when there is nothing to be had of the answer but a second try. */
export function fillIn({ params }: Question, answer: Json | undefined, values: Map<string, string>): boolean {
  const { action, content } = (typeof answer === "object" ? (answer ?? {}) : {}) as { action?: Json; content?: Json };
  const { requestedSchema } = params as unknown as { requestedSchema: FormSchema };
  if (action === "decline" || action === "cancel") return true;
  if (action !== "accept" || !fitsForm(requestedSchema, content)) return false;
  for (const [name, value] of Object.entries(content as Record<string, string>)) values.set(name, value);
  return true;
}
