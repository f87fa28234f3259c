import { CairnError } from "../errors.ts";

/** Severities of RFC 5424 as MCP names them, least first. */
const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;

export type McpLogLevel = (typeof LEVELS)[number];

/** Checks that a client that wants `least` and above receives a line of `level`. */
export function reaches(level: McpLogLevel, least: McpLogLevel): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}

/** The level that a client asked for, or BAD_REQUEST. */
export function readLogLevel(value: unknown): McpLogLevel {
  const level = LEVELS.find((known) => known === value);
  if (level !== undefined) return level;
  throw new CairnError(
    "BAD_REQUEST",
    `The log level \`${String(value).slice(0, 40)}\` must be one of ${LEVELS.join(", ")}.`,
  );
}
