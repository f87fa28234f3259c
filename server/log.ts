import { type Logger, pino } from "pino";
import type { LogLevel } from "./config.ts";

export type Log = Logger;

/** JSON lines on `stream` (standard error unless given: standard output belongs to what commands print). */
export function createLog(level: LogLevel, stream: { write(line: string): void } = process.stderr): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: toFields },
      formatters: { level: (label) => ({ level: label }) },
      // Credentials must not reach a log through a header or a configuration that happens to be logged whole.
      redact: { paths: ["*.authorization", "*.key", "*.token", "*.password", "headers.cookie"], censor: "[redacted]" },
    },
    stream,
  );
}

/** With its causes; the sandbox gives the text of what a handler threw, which is no error of this process. */
function toFields(error: Error): object {
  const fields = pino.stdSerializers.errWithCause(error);
  return typeof error.cause === "string" ? { ...fields, cause: error.cause } : fields;
}
