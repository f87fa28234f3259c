import type { ArtifactProgram } from "./api.ts";
import { CairnError, isErrorName } from "../../errors.ts";
import { eraseTypes } from "../../kernel/isolates/erase-types.ts";
import { NO_PARAMETERS, type Sandbox } from "../../kernel/isolates/sandbox.ts";
import type { Json } from "../../store/store.ts";
import { createSerial } from "../workspace/serial.ts";
import { createMemberCheck } from "../../kernel/arguments.ts";
import { ARTIFACT_LIMITS, createArtifactPrograms } from "./artifact-programs.ts";
import { type ArtifactRun, createArtifactRun, type Step } from "./artifact-run.ts";
import type { RunningCall } from "../../kernel/call.ts";
import { defineSyscalls, type SyscallTable } from "../../kernel/dispatch.ts";

/** Runs at once of one tenant, and of one call. */
const MAX_OF_TENANT = 64;
const MAX_OF_CALL = 16;
/** Characters of what a program's error is told by. */
const MAX_FAILURE = 1_000;
const MAX_MODULES = 8;
const MAX_SOURCE = 131_072;
const NOBODY = Object.freeze({ elicit: false, sample: false, roots: false });
const NO_CONVERSATION = "00000000-0000-0000-0000-000000000000";
const NO_SEED = "0".repeat(32);

export interface ArtifactSyscallOptions {
  /** Where such programs run: never the sandbox of the handlers. */
  readonly artifacts: Sandbox;
  readonly now: () => number;
}

interface RunArguments {
  readonly program: ArtifactProgram;
  readonly input: Json;
  readonly clock?: boolean;
  readonly seed?: string;
  readonly asks?: readonly string[];
}

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

const runArguments = createMemberCheck<RunArguments>("artifacts.run", ["program", "input"], {
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
const askArguments = createMemberCheck<{ name: string; args: Json }>("artifacts.ask", ["name", "args"], {
  name: { type: "string" },
  args: {},
});

/**
 * `ctx.artifacts`: programs that come in at run time, which ask the handler that runs them and nobody else. What they log
 * is logged by `notes`.
 */
export function createArtifactSyscalls({ artifacts, now }: ArtifactSyscallOptions, notes: SyscallTable<"log">) {
  const toProgram = createArtifactPrograms();
  const runs = new WeakMap<RunningCall, Map<number, ArtifactRun>>();
  const running = new Map<string, number>();
  // Each starts a process.
  const inTurn = createSerial();
  let last = 0;

  function start(call: RunningCall, { program: source, input, clock = false, seed, asks = [] }: RunArguments) {
    // No program has what its handler has not.
    if (clock && !call.tool.uses.has("clock")) throw forbidden(source.name, "`clock`: its handler may not either");
    const own = runs.get(call) ?? new Map<number, ArtifactRun>();
    runs.set(call, own);
    const { tenant } = call.principal;
    const { program, factsOf } = toProgram(source, call.principal);
    const atOnce = running.get(tenant) ?? 0;
    if (own.size >= MAX_OF_CALL || atOnce >= MAX_OF_TENANT) {
      throw new CairnError("RATE_LIMITED", "Too many artifacts run at once; try again when some have ended.");
    }
    last += 1;
    const number = last;
    running.set(tenant, atOnce + 1);
    let hasAsked = false;
    const time = Math.max(1, Math.min(ARTIFACT_LIMITS.time, call.deadline - now()));
    const ended = artifacts.run({
      program,
      tool: factsOf({ clock, random: seed !== undefined }),
      input,
      conversationId: NO_CONVERSATION,
      params: NO_PARAMETERS,
      client: NOBODY,
      seed: seed ?? NO_SEED,
      limits: { ...ARTIFACT_LIMITS, time },
      // What it was answered has changed what the handler keeps, so only the handler can begin it anew.
      isFinal: () => hasAsked,
      restart: () => undefined,
      // One that is asked for an answer may get it from another.
      isNested: own.size > 0,
      signal: call.signal,
      async syscall(name, args) {
        if (name === "log") return notes.log.run(call, args);
        if (name !== "artifacts.ask") throw forbidden(source.name, `\`ctx.${name}\``);
        const asked = askArguments(args);
        if (!asks.includes(asked.name)) throw forbidden(source.name, `\`${asked.name}\``);
        hasAsked = true;
        return run.ask(asked.name, asked.args);
      },
    });
    const result = ended.then(
      ({ output }) => output,
      (error: unknown) => {
        throw toArtifactError(source.name, error);
      },
    );
    const run = createArtifactRun(number, result);
    own.set(number, run);
    const leave = () => {
      const left = (running.get(tenant) ?? 1) - 1;
      if (left > 0) running.set(tenant, left);
      else running.delete(tenant);
    };
    result.then(leave, leave);
    return [number, run] as const;
  }

  /** A run is forgotten with the step that ends it. */
  async function goOn(call: RunningCall, number: number, run: ArtifactRun): Promise<Json> {
    let step: Step | undefined;
    try {
      step = await run.next();
      return { ...step };
    } finally {
      if (step?.done !== false) runs.get(call)?.delete(number);
    }
  }

  return defineSyscalls({
    "artifacts.run"(call, args) {
      const [number, run] = start(call, runArguments(args));
      return goOn(call, number, run);
    },
    async "artifacts.resume"(call, args) {
      const { run: number, ask, value, error } = resumeArguments(args);
      const run = runs.get(call)?.get(number);
      if (run === undefined) throw new CairnError("BAD_REQUEST", `\`ctx.artifacts\`: there is no run ${number}.`);
      if (error === undefined) run.answer(ask, value);
      else run.refuse(ask, toAnswered(error));
      return goOn(call, number, run);
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

/** Whoever wrote the program has no log of this service to look into, and so is told. */
function toArtifactError(name: string, error: unknown): unknown {
  if (!(error instanceof CairnError) || error.name !== "INTERNAL_ERROR") return error;
  const said = typeof error.cause === "string" ? error.cause : error.message;
  const text = said.length > MAX_FAILURE ? `${said.slice(0, MAX_FAILURE)} ...` : said;
  return new CairnError("ARTIFACT_FAILED", `\`${name}\` failed: ${text}`);
}

/** What a handler answers by throwing; a defect of its own is not told. */
function toAnswered({ name, message }: { readonly name: string; readonly message: string }): CairnError {
  if (isErrorName(name) && name !== "INTERNAL_ERROR") return new CairnError(name, message);
  return new CairnError("ARTIFACT_FAILED", "What was asked for failed.");
}

function forbidden(artifact: string, what: string): CairnError {
  return new CairnError("FORBIDDEN", `\`${artifact}\` may not use ${what}.`);
}
