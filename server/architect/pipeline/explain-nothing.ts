import { speaksForOthers, toWords } from "../message/find-mood.ts";
import { maskQuotations } from "../message/find-quotations.ts";
import type { Data, Message, Mood, Sentence } from "../message/message.ts";
import { evidenceOf, ownSentences } from "../message/read-message.ts";
import type { RejectPlan } from "../planners/plan.ts";

const SHOWN = 80;
const USUAL =
  "Say which parameter, tool, field, example, limit, label or role is to become what, in a sentence such as `set match_threshold of chat to 0.5`, or attach a unified diff.";
const APPLY =
  "To have data applied, say so in a sentence of your own right above it, such as `Apply this change:`; what others wrote belongs behind `>` or into a fenced block, and your own wishes before it.";
const NO_ORDERS: ReadonlyMap<Mood, string> = new Map([
  ["question", "is a question"],
  ["condition", "makes a condition"],
  ["negation", "says what is not to be"],
]);

/** Explains why a message without a plan changes nothing: which parts are data, and which sentences are no order. */
export function explainNothing(message: Message): RejectPlan {
  const data = evidenceOf(message).filter(({ form }) => form !== "attached");
  const sentences = ownSentences(message).flatMap((sentence) => explainSentence(sentence) ?? []);
  const applied = message.segments.flatMap((one) => (one.kind === "data" && one.isApplied ? [one] : []));
  const reasons = [...applied.map(explainApplied), ...data.map(explainData), ...sentences];
  if (reasons.length === 0) reasons.push("It does not say what is to change in a way that can be understood here.");
  return {
    kind: "reject",
    reason: reasons.slice(0, 3).join(" "),
    accepted: data.length === 0 ? USUAL : `${APPLY} ${USUAL}`,
  };
}

function explainApplied({ line }: Data): string {
  return `What begins in line ${line} is to be applied, but it is no diff, no JSON Patch with its file, and no list of directives.`;
}

function explainData({ form, line }: Data): string {
  switch (form) {
    case "introduced":
      return `What begins in line ${line} was taken for words of somebody else, as the sentence above it says, and so as data.`;
    case "marked":
    case "forwarded":
      return `The quoted text in line ${line} was taken as data: no sentence of yours says to apply it.`;
    case "comment":
      return `The comment in line ${line} was taken as data: nobody sees it.`;
    default:
      return `The block in line ${line} was taken as data: no sentence of yours says to apply it.`;
  }
}

function explainSentence({ mood, text, introduces }: Sentence): string | undefined {
  const isOthers = mood === "report" && speaksForOthers(toWords(maskQuotations(text)));
  const why = isOthers ? "passes on what somebody else says" : NO_ORDERS.get(mood);
  if (why === undefined || introduces) return undefined;
  const line = text.replaceAll(/\s+/g, " ");
  const shown = line.length > SHOWN ? `${line.slice(0, SHOWN)}…`.toWellFormed() : line;
  return `“${shown}” ${why}, which changes nothing.`;
}
