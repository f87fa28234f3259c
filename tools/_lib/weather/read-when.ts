import type { Context } from "../../../server/host-api.ts";
import { readRfc3339 } from "../time/read-rfc3339.ts";

/** Time that the caller asks for: the present, or the hour that holds an instant, with the service that knows it. */
export type When =
  { readonly service: "current" } | { readonly service: "forecast" | "archive"; readonly instant: number };

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The forecast service has today and the 15 days after it. */
const DAYS_AHEAD = 16;
/** Days that the forecast service also has: 93; the margin is for places whose date is not that of UTC. */
const DAYS_BACK = 90;
const ARCHIVE_START = Date.UTC(1940, 0, 1);

export function readWhen(ctx: Context, when: string): When {
  if (when.trim().toLowerCase() === "now") return { service: "current" };
  const instant = readRfc3339(when.trim())?.instant;
  if (instant === undefined) {
    throw ctx.fail(
      "BAD_REQUEST",
      `\`when\` must be \`now\` or an RFC 3339 date-time that exists, such as \`2026-07-01T15:00:00Z\`; it is \`${when.slice(0, 100)}\`.`,
    );
  }
  const today = Math.floor(ctx.now() / DAY) * DAY;
  if (instant < ARCHIVE_START || instant >= today + DAYS_AHEAD * DAY) throw outOfRange(ctx);
  return { service: instant < today - DAYS_BACK * DAY ? "archive" : "forecast", instant };
}

export function outOfRange(ctx: Context): Error {
  const last = Math.floor(ctx.now() / DAY) * DAY + (DAYS_AHEAD - 1) * DAY;
  return ctx.fail(
    "BAD_REQUEST",
    `\`when\` must lie between ${toDate(ARCHIVE_START)} and ${toDate(last)}, at the place itself: the weather is known that far.`,
  );
}

/** First and last date to ask for so that the hour is among them wherever the place is: clocks go from -12 to +14 hours. */
export function toDates(ctx: Context, { service, instant }: Exclude<When, { service: "current" }>): [string, string] {
  const today = Math.floor(ctx.now() / DAY) * DAY;
  const last = service === "archive" ? Infinity : today + (DAYS_AHEAD - 1) * DAY;
  return [toDate(Math.max(instant - 12 * HOUR, ARCHIVE_START)), toDate(Math.min(instant + 14 * HOUR, last))];
}

function toDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
