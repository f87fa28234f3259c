import type { Redactor } from "../../../log/redact.ts";
import { findHidden } from "../../../text/find-hidden.ts";
import type { RejectPlan } from "../plan.ts";

/**
 * A rejection in a model's words, for the sender of the feedback: plain text in which nothing is hidden, nothing is
 * secret, and nothing leads elsewhere, so that showing it sends nothing anywhere.
 */
export function toRejectPlan(
  said: { readonly reason: string; readonly question: string },
  redactor: Redactor,
): RejectPlan {
  return { kind: "reject", reason: toPlain(said.reason, redactor), accepted: toPlain(said.question, redactor) };
}

/** Makes text of a model or its endpoint fit to be shown: nothing in it is hidden, secret, or a link. */
export function toPlain(text: string, redactor: Redactor): string {
  let plain = redactor.text(text).toWellFormed();
  for (const char of findHidden(plain)) plain = plain.replaceAll(char, "");
  return plain
    .replace(/(?:\b[a-z][a-z0-9+.-]{1,20}:)?\/\/[^\s)>\]"']+/gi, "[link left out]")
    .replace(/\b(?:javascript|data|mailto):[^\s)>\]"']+/gi, "[link left out]")
    .replace(/[<>]/g, "'");
}
