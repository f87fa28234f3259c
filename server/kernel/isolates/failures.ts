import { CairnError, type ErrorName, isErrorName, withFrames } from "../../errors.ts";
import type { Program } from "../../versions/version.ts";
import { FAIL_NAMES } from "./guest/fail-names.ts";
import type { LossReason, SandboxCall } from "./sandbox.ts";
import { splitStack } from "./stack-frames.ts";
import { type GuestFailure, toWallLimit } from "./wire.ts";

/** The error of a call whose handler ended by `failure`; `answered` are the errors that its syscalls were answered with. */
export function toError(
  { tool, limits, program }: SandboxCall,
  failure: GuestFailure,
  answered: ReadonlyMap<number, CairnError> | undefined,
): CairnError {
  switch (failure.kind) {
    case "raised": {
      const { name, message, details } = failure;
      if (Object.hasOwn(FAIL_NAMES, name) && isErrorName(name)) return new CairnError(name, message, { details });
      return toHandlerError(
        tool.name,
        program,
        `TypeError: \`ctx.fail\` takes no \`${name}\` (it came with \`${message}\`)`,
      );
    }
    case "refused":
      return withFrames(
        new CairnError("FORBIDDEN", failure.message),
        splitStack(failure.stack, program.modules).frames,
      );
    case "syscall": {
      const error = answered?.get(failure.syscall);
      if (error === undefined) return internal(tool.name, "a syscall failed that is forgotten by now");
      return withFrames(error, splitStack(failure.stack, program.modules).frames);
    }
    case "large":
      return new CairnError(
        "RESULT_TOO_LARGE",
        `The result of \`${tool.name}\` is larger than its payload limit of ${limits.payload} bytes.`,
      );
    case "unwritable":
      return new CairnError(
        "OUTPUT_INVALID",
        `The result of \`${tool.name}\` cannot be written as JSON: it may have no cycle, no BigInt and no extreme depth.`,
        { cause: failure.text },
      );
    case "memory":
      return outOfMemory(tool.name, program.memory);
    case "thrown":
      return toHandlerError(tool.name, program, failure.text, failure.causes);
  }
}

/** The error of a handler that threw `text`: what it was, and the stack below it. Its message ends with the place, and causes. */
function toHandlerError(
  tool: string,
  { modules }: Pick<Program, "modules">,
  text: string,
  causes: readonly string[] = [],
): CairnError {
  const { said, frames, at } = splitStack(text, modules);
  const origin = causes
    .map((cause) => splitStack(cause, modules))
    .map((cause) => `, caused by ${cause.said}${cause.at}`);
  const details = frames.length === 0 ? {} : { details: { stack: frames } };
  return new CairnError("HANDLER_ERROR", `The handler of \`${tool}\` threw ${said}${at}${origin.join("")}`, {
    cause: text,
    ...details,
  });
}

/** The error of a call that took its isolate down. */
export function toCulpritError({ tool, limits, program }: SandboxCall, reason: LossReason): CairnError {
  switch (reason) {
    case "memory":
      return outOfMemory(tool.name, program.memory);
    case "crash":
      return internal(tool.name, "its isolate or process crashed");
    case "silence":
      return unavailable(`The process that ran \`${tool.name}\` said nothing any more.`);
    case "clock":
      return unavailable(
        `The machine is too busy for \`${tool.name}\`: it was let run for its clock limit of ${toWallLimit(limits.cpu)} ms, ` +
          `and did not get the ${limits.cpu} ms of processor time that it may take without awaiting a syscall.`,
      );
    case "cpu":
      return new CairnError(
        "CPU_LIMIT",
        `\`${tool.name}\` ran for longer than its processor limit of ${limits.cpu} ms without awaiting a syscall.`,
      );
  }
}

export function neverSettles({ tool }: SandboxCall): CairnError {
  return new CairnError("NEVER_SETTLES", `\`${tool.name}\` waits for a promise that nothing can settle any more.`);
}

export function cancelled({ tool, signal }: SandboxCall): CairnError {
  return new CairnError("CANCELLED", `The call of \`${tool.name}\` was cancelled.`, { cause: signal?.reason });
}

export function unavailable(message: string, cause?: unknown): CairnError {
  return new CairnError("UNAVAILABLE", message, { cause });
}

/** Names that the host may give to its refusal of a program. */
const REFUSALS: readonly string[] = [
  "CPU_LIMIT",
  "HANDLER_ERROR",
  "MEMORY_LIMIT",
  "UNAVAILABLE",
] satisfies readonly ErrorName[];

/** The error of a program that the host refuses. */
export function toLoadError(body: string): CairnError {
  const { name, message }: { name: unknown; message: unknown } = JSON.parse(body);
  const known = REFUSALS.find((refusal) => refusal === name);
  return new CairnError((known as ErrorName | undefined) ?? "INTERNAL_ERROR", String(message));
}

/** The error of a program that took its isolate down while it was loaded. */
export function toLoadLossError(reason: LossReason): CairnError {
  switch (reason) {
    case "memory":
      return new CairnError("MEMORY_LIMIT", "The program's modules need too much memory to load.");
    case "cpu":
      return new CairnError("CPU_LIMIT", "The program's modules do not stop loading.");
    case "clock":
    case "silence":
      return unavailable("The machine is too busy to load the program's modules.");
    case "crash":
      return new CairnError("INTERNAL_ERROR", "The program's modules crash their isolate while they are loaded.");
  }
}

function outOfMemory(tool: string, megabytes: number): CairnError {
  return new CairnError("MEMORY_LIMIT", `\`${tool}\` needed more memory than the ${megabytes} MB that it has.`);
}

function internal(tool: string, what: string): CairnError {
  return new CairnError("INTERNAL_ERROR", `The handler of \`${tool}\` failed.`, { cause: what });
}
