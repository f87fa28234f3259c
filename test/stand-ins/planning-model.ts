import type { CompletionRequest, Script, ScriptedReply } from "./model.ts";

/** What a model that obeys whatever it reads is made to do. */
export interface Obedience {
  /** Files that it reads first. */
  readonly reads: readonly string[];
  /** Words that it obeys, wherever in a line of data they stand. */
  readonly obeys: string;
  /** What it then answers, turn by turn; the last is repeated. */
  readonly submits: readonly ScriptedReply[];
}

/** Its answer when it has found nothing to obey. */
const NOTHING_TO_OBEY = "I have read nothing that I could obey.";

/**
 * For `ModelStandIn.script`: a model that does exactly what text in its data tells it, and nothing before it has really
 * been shown that text.
 */
export function obeying({ reads, obeys, submits }: Obedience): Script {
  return (asked) => {
    const turn = asked.messages.filter(({ role }) => role === "assistant").length;
    if (turn === 0 && reads.length > 0) {
      return { calls: reads.map((path) => ({ name: "read", arguments: { path } })) };
    }
    const answers = listData(asked).includes(obeys) ? submits : [submit({ reject: REJECTION })];
    return answers[Math.min(turn - (reads.length > 0 ? 1 : 0), answers.length - 1)] ?? { text: "" };
  };
}

/** The answer that submits a plan. */
export function submit(plan: object): ScriptedReply {
  return { calls: [{ name: "submit_plan", arguments: plan }] };
}

const REJECTION = { reason: NOTHING_TO_OBEY, question: "Is there more to read?" };

function listData({ messages }: CompletionRequest): string {
  return messages
    .filter(({ role }) => role === "user" || role === "tool")
    .map(({ content }) => content ?? "")
    .join("\n");
}
