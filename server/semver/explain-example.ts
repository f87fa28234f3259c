import type { Json } from "../json/types.ts";
import type { Finding } from "./finding.ts";

/** Characters of a value in a sentence. */
const VALUE_LENGTH = 200;

type Told = Pick<Finding, "message" | "value" | "before" | "after" | "refusal"> & { readonly rule: string };

/** Writes the smallest example of a finding, with what happened before and what happens after; undefined without one. */
export function explainExample({ rule, message, value, before, after, refusal }: Told): string | undefined {
  if (value === undefined) return undefined;
  const [shown, old, young] = [show(value), show(before), show(after)];
  const why = refusal === undefined ? "" : ` (${refusal})`;
  switch (rule) {
    case "input-widened":
      if (refusal === undefined) return `For example ${shown} is taken now.`;
      return `Before: a call with ${shown} was refused${why}; after: it is accepted.`;
    case "input-meaning-changed":
      return `Before: a call with ${shown} meant ${old}; after: it means ${young}.`;
    case "output-widened":
      if (before === undefined) return `Before: ${shown} could not come; after: it can.`;
      return `Before: ${old}; after: ${shown} can come in its place.`;
    case "output-extended":
      return `For example ${shown} can come now.`;
    case "output-narrowed":
      return `Before: ${shown} could come; after: it cannot.`;
    case "output-member-removed":
      return `Before: ${shown} could come; after: ${after === undefined ? "it cannot" : `it is ${young}`}.`;
    case "state-values-widened":
      return `Before: ${shown} could not be stored; after: it can be, and versions with the schema of before cannot read it${why}.`;
    case "state-values-narrowed":
      return `Before: ${shown} could be stored; after: it cannot be read${why}.`;
    default:
      return message.includes("would be ignored")
        ? `Before: ${shown} was used as it is; after: the member is ignored.`
        : `Before: a call with ${shown} was accepted; after: it is refused${why}.`;
  }
}

/** Writes the part of the surface and the member that a finding is about, as JSON has them under `of` and `member`. */
export function explainPart({ of, member }: Pick<Finding, "of" | "member">): string {
  return member === undefined ? of : `${of}, member ${member}`;
}

function show(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? "";
  return `\`${text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}...` : text}\``;
}
