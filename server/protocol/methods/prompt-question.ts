import type { Json } from "../../json/types.ts";
import { fitsForm, type FormSchema } from "../../capabilities/interaction/form.ts";
import type { Question } from "../../kernel/call.ts";
import type { PromptArgument } from "../../versions/version.ts";

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
