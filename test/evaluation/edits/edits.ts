import type { FeedbackMessage, FileCheck } from "../checks.ts";

/** A change of an agent, with messages that have its words and are no wish for it, and with wishes for it. */
export interface Edit {
  readonly language: FeedbackMessage["language"];
  readonly expected: "change" | "approve";
  readonly checks: readonly FileCheck[];
  readonly also?: readonly string[];
  readonly traps: readonly string[];
  readonly real: readonly string[];
}

/** The messages of edits, as those of other sets; `name` is that of their file: author and agent. */
export function toMessages(name: string, edits: readonly Edit[]): readonly FeedbackMessage[] {
  const [author = "", agent = ""] = name.split("-");
  return edits.flatMap(({ language, expected, checks, also = [], traps, real }, edit) => [
    ...traps.map((message, at) => ({
      id: `${agent}-${author}-trap-${edit}-${at}`,
      family: "trap",
      language,
      message,
      expected: "reject" as const,
      kind: "nothing" as const,
      accept: ["ask" as const],
      checks: [],
      part: "development" as const,
    })),
    ...real.map((message, at) => ({
      id: `${agent}-${author}-real-${edit}-${at}`,
      family: "real",
      language,
      message,
      expected,
      accept: (["change", "approve"] as const).filter((one) => one !== expected),
      checks,
      also,
      part: "development" as const,
    })),
  ]);
}
