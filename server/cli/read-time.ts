import { CairnError } from "../errors.ts";

/** The time that an option names, in milliseconds since 1970; BAD_REQUEST names the option. */
export function readTime(option: string, text: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new CairnError(
    "BAD_REQUEST",
    `\`--${option} ${text}\` is no time; one such as 2026-01-31T12:00:00Z would be right.`,
  );
}
