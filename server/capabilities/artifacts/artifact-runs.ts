import type { ArtifactProgram } from "./api.ts";
import { CairnError } from "../../errors.ts";
import { createMemberCheck } from "../../kernel/arguments.ts";
import type { RunningCall } from "../../kernel/call.ts";
import type { SyscallTable } from "../../kernel/dispatch.ts";
import { NO_PARAMETERS, type Sandbox } from "../../kernel/isolates/sandbox.ts";
import type { Json } from "../../store/store.ts";
import { ARTIFACT_LIMITS, type createArtifactPrograms } from "./artifact-programs.ts";
import { type ArtifactRun, type Ask, createArtifactRun, type Step } from "./artifact-run.ts";

/** Runs at once of one tenant, and of one call. */
const MAX_OF_TENANT = 64;
const MAX_OF_CALL = 16;
/** Characters shown of a program's error. */
const MAX_FAILURE = 1_000;
const NOBODY = Object.freeze({ elicit: false, sample: false, roots: false });
const NO_CONVERSATION = "00000000-0000-0000-0000-000000000000";
const NO_SEED = "0".repeat(32);

export interface RunRequest {
  readonly program: ArtifactProgram;
  readonly input: Json;
  readonly clock?: boolean;
  readonly seed?: string;
  /** Names of what the program may ask for. */
  readonly asks?: readonly string[];
}

/** Runs of programs that go on beyond one syscall, each of the call that began it. */
export interface ArtifactRuns {
  /** Begins a run. @throws FORBIDDEN, BAD_REQUEST or RATE_LIMITED. */
  start(call: RunningCall, request: RunRequest): ArtifactRun;
  find(call: RunningCall, number: number): ArtifactRun | undefined;
  /** Resolves with the next step of a run, and forgets a run that this step ends. */
  next(call: RunningCall, run: ArtifactRun): Promise<Step>;
}

export interface ArtifactRunsOptions {
  /** Sandbox of artifacts, never that of handlers. */
  readonly artifacts: Sandbox;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Logs what programs log. */
  readonly notes: SyscallTable<"log">;
  readonly toProgram: ReturnType<typeof createArtifactPrograms>;
}

interface State extends ArtifactRunsOptions {
  readonly ofCalls: WeakMap<RunningCall, Map<number, ArtifactRun>>;
  /** Number of runs in progress, by tenant. */
  readonly ofTenants: Map<string, number>;
  last: number;
}

export function createArtifactRuns(options: ArtifactRunsOptions): ArtifactRuns {
  const state: State = { ...options, ofCalls: new WeakMap(), ofTenants: new Map(), last: 0 };
  return {
    start: (call, request) => start(state, call, request),
    find: (call, number) => state.ofCalls.get(call)?.get(number),
    async next(call, run) {
      let step: Step | undefined;
      try {
        step = await run.next();
        return step;
      } finally {
        if (step?.done !== false) state.ofCalls.get(call)?.delete(run.number);
      }
    },
  };
}

function start(state: State, call: RunningCall, request: RunRequest): ArtifactRun {
  const { ofCalls, ofTenants, toProgram } = state;
  const { program: source, clock = false } = request;
  // No program has what its handler has not.
  if (clock && !call.tool.uses.has("clock")) throw forbidden(source.name, "`clock`: its handler may not either");
  const own = ofCalls.get(call) ?? new Map<number, ArtifactRun>();
  ofCalls.set(call, own);
  const { tenant } = call.principal;
  const loadable = toProgram(source, call.principal);
  const atOnce = ofTenants.get(tenant) ?? 0;
  if (own.size >= MAX_OF_CALL || atOnce >= MAX_OF_TENANT) {
    throw new CairnError("RATE_LIMITED", "Too many artifacts run at once; try again when some have ended.");
  }
  state.last += 1;
  ofTenants.set(tenant, atOnce + 1);
  // One that is asked for an answer may get it from another.
  const isNested = own.size > 0;
  const run = createArtifactRun(state.last, (ask) => runProgram(state, call, request, { ...loadable, isNested, ask }));
  own.set(run.number, run);
  const leave = () => {
    const left = (ofTenants.get(tenant) ?? 1) - 1;
    if (left > 0) ofTenants.set(tenant, left);
    else ofTenants.delete(tenant);
  };
  run.result.then(leave, leave);
  return run;
}

interface Running extends ReturnType<ArtifactRunsOptions["toProgram"]> {
  readonly isNested: boolean;
  readonly ask: Ask;
}

/** Runs a program to its end. Rejects with its error as its author may see it. */
async function runProgram(
  { artifacts, now, notes }: State,
  call: RunningCall,
  { program: { name: artifact }, input, clock = false, seed, asks = [] }: RunRequest,
  { program, factsOf, isNested, ask }: Running,
): Promise<Json | undefined> {
  let hasAsked = false;
  const time = Math.max(1, Math.min(ARTIFACT_LIMITS.time, call.deadline - now()));
  try {
    const { output } = await artifacts.run({
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
      isNested,
      signal: call.signal,
      async syscall(name, args) {
        if (name === "log") return notes.log.run(call, args);
        if (name !== "artifacts.ask") throw forbidden(artifact, `\`ctx.${name}\``);
        const asked = askArguments(args);
        if (!asks.includes(asked.name)) throw forbidden(artifact, `\`${asked.name}\``);
        hasAsked = true;
        return ask(asked.name, asked.args);
      },
    });
    return output;
  } catch (error) {
    throw toArtifactError(artifact, error);
  }
}

const askArguments = createMemberCheck<{ name: string; args: Json }>("artifacts.ask", ["name", "args"], {
  name: { type: "string" },
  args: {},
});

/** The error of a program with its own words: its author has no log of this service to look into, and its lines are no handler's. */
function toArtifactError(name: string, error: unknown): unknown {
  if (!(error instanceof CairnError)) return error;
  const { name: kind, message, cause, details, row } = error;
  if (row.exposed) return new CairnError(kind, message, { cause, details, frames: [] });
  const said = typeof error.cause === "string" ? error.cause : error.message;
  const text = said.length > MAX_FAILURE ? `${said.slice(0, MAX_FAILURE)} ...` : said;
  return new CairnError("ARTIFACT_FAILED", `\`${name}\` failed: ${text}`);
}

function forbidden(artifact: string, what: string): CairnError {
  return new CairnError("FORBIDDEN", `\`${artifact}\` may not use ${what}.`);
}
