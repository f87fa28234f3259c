import type { ArtifactProgram } from "./api.ts";
import { CairnError, ERRORS, isErrorName } from "../../errors.ts";
import { createMemberCheck } from "../../kernel/arguments.ts";
import { defineSyscalls, type SyscallTable } from "../../kernel/dispatch.ts";
import { eraseTypes } from "../../kernel/isolates/erase-types.ts";
import type { Json } from "../../store/store.ts";
import { createSerial } from "../../serial.ts";
import { createArtifactPrograms } from "./artifact-programs.ts";
import { type ArtifactRunsOptions, createArtifactRuns, type RunRequest } from "./artifact-runs.ts";

const MAX_MODULES = 8;
/** Characters of one module. */
const MAX_SOURCE = 131_072;

export type ArtifactSyscallOptions = Pick<ArtifactRunsOptions, "artifacts" | "now">;

interface ResumeArguments {
  readonly run: number;
  readonly ask: number;
  readonly value?: Json;
  readonly error?: { readonly name: string; readonly message: string };
}

const PROGRAM = {
  type: "object",
  required: ["name", "modules", "entry"],
  additionalProperties: false,
  properties: {
    name: { type: "string", minLength: 1, maxLength: 200 },
    modules: {
      type: "object",
      maxProperties: MAX_MODULES,
      additionalProperties: { type: "string", maxLength: MAX_SOURCE },
    },
    entry: { type: "string", maxLength: 100 },
  },
};

const runArguments = createMemberCheck<RunRequest>("artifacts.run", ["program", "input"], {
  program: PROGRAM,
  input: {},
  clock: { type: "boolean" },
  seed: { type: "string", pattern: "^[0-9a-f]{32}$" },
  asks: { type: "array", maxItems: 50, items: { type: "string", maxLength: 100 } },
});
const resumeArguments = createMemberCheck<ResumeArguments>("artifacts.resume", ["run", "ask"], {
  run: { type: "integer" },
  ask: { type: "integer" },
  value: {},
  error: {
    type: "object",
    required: ["name", "message"],
    properties: { name: { type: "string" }, message: { type: "string" } },
  },
});
const compileArguments = createMemberCheck<{ program: ArtifactProgram }>("artifacts.compile", ["program"], {
  program: PROGRAM,
});
/**
 * `ctx.artifacts`: programs that come in at run time, which ask the handler that runs them and nobody else. What they log
 * is logged by `notes`.
 */
export function createArtifactSyscalls({ artifacts, now }: ArtifactSyscallOptions, notes: SyscallTable<"log">) {
  const toProgram = createArtifactPrograms();
  const runs = createArtifactRuns({ artifacts, now, notes, toProgram });
  // Each starts a process.
  const inTurn = createSerial();

  return defineSyscalls({
    async "artifacts.run"(call, args) {
      return { ...(await runs.next(call, runs.start(call, runArguments(args)))) };
    },
    async "artifacts.resume"(call, args) {
      const { run: number, ask, value, error } = resumeArguments(args);
      const run = runs.find(call, number);
      if (run === undefined) throw new CairnError("BAD_REQUEST", `\`ctx.artifacts\`: there is no run ${number}.`);
      if (error === undefined) run.answer(ask, value);
      else run.refuse(ask, toAnswered(error));
      return { ...(await runs.next(call, run)) };
    },
    async "artifacts.compile"(call, args) {
      const { program } = compileArguments(args);
      const compiled = await inTurn(() => eraseAll(program));
      try {
        await artifacts.warm(toProgram(compiled, call.principal).program);
      } catch (error) {
        if (!(error instanceof CairnError) || error.name === "UNAVAILABLE") throw error;
        throw new CairnError("BAD_REQUEST", `\`${program.name}\` cannot be loaded: ${error.message}`);
      }
      return { ...compiled, modules: { ...compiled.modules } };
    },
  });
}

async function eraseAll({ name, modules, entry }: ArtifactProgram): Promise<ArtifactProgram> {
  const erased: Record<string, string> = {};
  for (const [path, source] of Object.entries(modules)) {
    erased[toJavaScript(path)] = path.endsWith(".ts") ? await eraseTypes(path, source) : source;
  }
  return { name, modules: erased, entry: toJavaScript(entry) };
}

function toJavaScript(path: string): string {
  return path.replace(/\.ts$/, ".js");
}

/** The error that a handler answers with; a defect of its own is not shown. */
function toAnswered({ name, message }: { readonly name: string; readonly message: string }): CairnError {
  if (isErrorName(name) && ERRORS[name].exposed) return new CairnError(name, message);
  return new CairnError("ARTIFACT_FAILED", "What was asked for failed.");
}
