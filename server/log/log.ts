import { type Logger, pino } from "pino";
import type { LogLevel } from "../config/config.ts";
import { type Redactor, SHAPES_ONLY } from "./redact.ts";

export type Log = Logger;

/** JSON lines on `stream` (standard error unless given: standard output belongs to what commands print). */
export function createLog(
  level: LogLevel,
  stream: { write(line: string): void } = process.stderr,
  redactor: Redactor = SHAPES_ONLY,
): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: toFields },
      formatters: { level: (label) => ({ level: label }) },
      // Credentials must not reach a log through a header or a configuration that happens to be logged whole.
      // The whole line is masked once more, because causes and messages quote what others sent.
      hooks: { streamWrite: (line) => redactor.text(line) },
      redact: { paths: ["*.authorization", "*.key", "*.token", "*.password", "headers.cookie"], censor: "[redacted]" },
    },
    stream,
  );
}

/** With its causes; the sandbox gives the text of what a handler threw, which is no error of this process. */
export function toFields(error: Error): object {
  const fields = pino.stdSerializers.errWithCause(error);
  return typeof error.cause === "string" ? { ...fields, cause: error.cause } : fields;
}
