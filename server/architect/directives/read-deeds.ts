import type { Feedback } from "../plan.ts";
import type { Ground } from "../planner.ts";
import { refuse } from "../refuse.ts";
import type { Deed, Phrase } from "./phrase.ts";
import { isStart } from "./phrases.ts";
import { readAttachments } from "./read-attachments.ts";
import { splitMessage } from "./split-message.ts";
import { understand, understandBlock } from "./understand.ts";

/** What a message asks for, in its order. */
export interface ReadDeeds {
  readonly deeds: readonly Deed[];
  /** What of the message none of the phrases says; "" when they say all of it. */
  readonly rest: string;
}

const MESSAGE = 20_000;
const SHOWN = 200;

/** Undefined where the message says nothing of what the phrases say. Throws refusals. */
export function readDeeds(
  { message, attachments }: Feedback,
  ground: Ground,
  phrases: readonly Phrase[],
): ReadDeeds | undefined {
  const text = message.slice(0, MESSAGE).toWellFormed();
  const { segments, literals } = splitMessage(text, isStart);
  const reader = { ground, phrases, attachments: readAttachments(attachments) };
  const sentences = segments.map((segment) => understand(reader, segment, literals));
  // Perhaps it is YAML from its first line to its last.
  const isForeign = sentences.every(({ kind }) => kind === "unknown");
  const understood = isForeign ? [understandBlock(reader, { language: "yaml", text })] : sentences;
  for (const one of understood) if (one.kind === "refused") throw one.error;
  const deeds = understood.flatMap((one) => (one.kind === "deeds" ? one.deeds : []));
  const unknown = understood.filter((one) => one.kind === "unknown");
  if (deeds.length === 0 && !unknown.some(({ isPart }) => isPart)) return undefined;
  if (message.length > MESSAGE) {
    throw refuse(`The message has more than ${MESSAGE} characters.`, "Send it in parts, or attach what is long.");
  }
  return { deeds, rest: unknown[0]?.rest ?? "" };
}

/** Refuses a message that is understood in part. */
export function halfUnderstood(rest: string): Error {
  const line = rest.replaceAll(/\s+/g, " ").trim();
  const shown = line.length > SHOWN ? `${line.slice(0, SHOWN)}…`.toWellFormed() : line;
  const reason = `Only a part of the message is understood; this is not: "${shown}". Nothing of it is done.`;
  return refuse(
    reason,
    "Leave that part out, send it by itself, or say it in one of the sentences of docs/architect.md.",
  );
}
