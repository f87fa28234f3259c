import { printable } from "../../../text/printable.ts";
import type { VerifyCheck } from "./verification.ts";

/** Result of one check. */
export type Outcome = Pick<VerifyCheck, "status" | "message" | "tried">;

/** Characters of a message, and of one line in it. */
const MAX_MESSAGE = 4_000;
const MAX_LINE = 500;

export function passed(...lines: readonly string[]): Outcome {
  return { status: "passed", message: toMessage(lines) };
}

export function failed(...lines: readonly string[]): Outcome {
  return { status: "failed", message: toMessage(lines) };
}

export function skipped(...lines: readonly string[]): Outcome {
  return { status: "skipped", message: toMessage(lines) };
}

/** A line each; where there is no room for all of them, the last one says how many are left out. */
function toMessage(lines: readonly string[]): string {
  const shown: string[] = [];
  let length = 0;
  for (const [index, line] of lines.entries()) {
    const text = shorten(printable(line));
    length += text.length + 1;
    if (length > MAX_MESSAGE) return [...shown, `... and ${lines.length - index} more.`].join("\n");
    shown.push(text);
  }
  return shown.join("\n");
}

function shorten(line: string): string {
  return line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE).toWellFormed()}...`;
}
