import type { Json } from "../../store/store.ts";
import { createArgumentCheck } from "../../kernel/arguments.ts";
import type { LogLevel } from "../../kernel/call.ts";
import { defineSyscalls } from "../../kernel/dispatch.ts";

/** Lines kept of one call; later ones are counted, not kept. */
const LOG_LINE_LIMIT = 200;
const LOG_MESSAGE_LIMIT = 4096;

const logArguments = createArgumentCheck<{ level: LogLevel; message: string; data?: Json }>("log", {
  type: "object",
  required: ["level", "message"],
  properties: { level: { enum: ["debug", "info", "warning", "error"] }, message: { type: "string" }, data: {} },
});

const progressArguments = createArgumentCheck<{ progress: number; total?: number; message?: string }>("progress", {
  type: "object",
  required: ["progress"],
  properties: { progress: { type: "number" }, total: { type: "number" }, message: { type: "string" } },
});

/** `ctx.log.*` and `ctx.progress`: kept with the call's record, and passed on to a client that listens. */
export function createLogSyscalls(now: () => number) {
  return defineSyscalls({
    log({ effects, redactor, onLog }, args) {
      const { level, message: whole, data } = logArguments(args);
      // Masked before it is cut: half a secret has no form that shows.
      const masked = redactor.text(whole);
      const message = masked.length > LOG_MESSAGE_LIMIT ? `${masked.slice(0, LOG_MESSAGE_LIMIT)} ...` : masked;
      const line = data === undefined ? { level, message } : { level, message, data: redactor.json(data) };
      if (effects.logs.length < LOG_LINE_LIMIT) effects.logs.push({ at: now(), ...line });
      onLog?.(line);
      return undefined;
    },
    progress({ redactor, onProgress }, args) {
      const report = progressArguments(args);
      const { message } = report;
      onProgress?.(message === undefined ? report : { ...report, message: redactor.text(message) });
      return undefined;
    },
  });
}
