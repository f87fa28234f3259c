import { isObject } from "../json/is-object.ts";
import { asksToRun } from "../text/asks-to-run.ts";
import { readsLikeInstructions } from "../text/instructions.ts";

/** Characters of a text that a finding shows. */
const SHOWN = 160;

/**
 * Finds a text that speaks to a model and was not there before, in what clients read of a tool, names of members included.
 * Returns the member of the tool that has it, and a sentence about it; `name` is the tool's.
 */
export function findInstructingText(
  name: string,
  was: object,
  is: object,
): { readonly key: string; readonly message: string } | undefined {
  const known = new Set(listTexts(was));
  for (const [key, value] of Object.entries(is)) {
    const text = listTexts(value).find((one) => !known.has(one) && instructs(one));
    if (text === undefined) continue;
    const sentence = text.split(/(?<=[.!?])\s+|\n+/).find(instructs) ?? text;
    const shown = sentence.length > SHOWN ? `${sentence.slice(0, SHOWN)}...` : sentence;
    return {
      key,
      message: `A text of the tool \`${name}\` reads like an instruction to a model: ${JSON.stringify(shown.trim())}.`,
    };
  }
  return undefined;
}

/** Checks whether a text speaks to a model, or has its reader run something. */
function instructs(text: string): boolean {
  return readsLikeInstructions(text) || asksToRun(text);
}

function listTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(listTexts);
  return isObject(value) ? Object.entries(value).flatMap(([key, one]) => [key, ...listTexts(one)]) : [];
}
