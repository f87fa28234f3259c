import { CairnError } from "../../errors.ts";
import type { ClientAbilities } from "../../host-api.ts";
import type { WrittenJson } from "../../json/canonical-json.ts";
import type { Redactor } from "../../log/redact.ts";
import type { Sandbox, SandboxCall, ToolFacts } from "../isolates/sandbox.ts";
import type { Json, Store } from "../../store/store.ts";
import type { Dispatch } from "../dispatch.ts";
import type { Effects, Invoke, Question, RunningCall } from "../call.ts";
import type { Program, Tool, Version } from "../../versions/version.ts";
import { keepSession } from "../conversation.ts";
import { type Asking, createAsking } from "./asking.ts";
import type { CallState } from "./call-state.ts";
import { checkContent } from "./content.ts";
import type { Journal } from "../journal.ts";
import { finishOutput } from "./output.ts";
import { findRedactedValues } from "./redacted-values.ts";
import { createRunningCall, LOGS_PREFIX, toLogsUri } from "./running-call.ts";
import type { Tape, TapeHead } from "../tape/tape.ts";

export interface HandlerOptions {
  readonly journal: Pick<Journal, "settled">;
  readonly store: Store;
  readonly sandbox: Sandbox;
  readonly dispatch: Dispatch;
  readonly now: () => number;
  readonly modelAvailable: boolean;
  /** Masks what must reach neither logs nor records nor error messages. */
  readonly redactor: Redactor;
}

/** End of one run of a handler, before anything is written. */
export type Ran =
  | {
      readonly ok: true;
      readonly output: Json;
      readonly json: WrittenJson;
      readonly content?: readonly Json[];
      /** Absent when the handler asked for nothing. */
      readonly effects: Effects | undefined;
    }
  | Failed;

/** A failure with what was done before it. */
export interface Failed {
  readonly ok: false;
  readonly error: unknown;
  readonly effects: Effects | undefined;
  /** The questions that it ended with; their answers begin the call anew. */
  readonly questions: readonly Question[];
  /** Answers to the handler; absent where that is not kept. */
  readonly tape?: Tape;
}

/** Abilities of a caller who cannot be asked anything. */
export const NOBODY: ClientAbilities = Object.freeze({ elicit: false, sample: false, roots: false });
/** Stands in place of an id that a handler must not see, or that there is not. */
export const NO_CONVERSATION = "00000000-0000-0000-0000-000000000000";

/** Runs the call's handler once, up to an output that matches its schema. Does not reject. What it asks for goes past `head`. */
export async function runHandler(
  options: HandlerOptions,
  invoke: Invoke,
  state: CallState,
  head?: TapeHead,
): Promise<Ran> {
  const { sandbox, dispatch, now, modelAvailable } = options;
  const { call, input, inputText, deadline, seed, conversationId, redactor } = state;
  const { parameters } = state.assigned;
  const { version, tool } = call;
  const logsUri = toLogsUri(conversationId);
  const isFixed = tool.deterministic;
  const client = isFixed ? NOBODY : (call.interaction?.client ?? NOBODY);
  let running: RunningCall | undefined;
  const isFinal = () => running?.effects.isIrreversible() === true;
  const asking = tool.interactive ? createAsking(call.signal, isFinal) : undefined;
  const signal = asking?.signal ?? call.signal;

  /** Made when the handler first asks for something: many only compute. */
  const begun = () => (running ??= createRunningCall({ ...options, invoke, client, asking }, state));
  const carryOut = (name: string, args: Json) => dispatch(begun(), name, args);

  try {
    const returned = await sandbox.run({
      program: toTenantProgram(version.program, call.principal.tenant),
      tool: toFacts(version, tool, modelAvailable && !isFixed, head === undefined && canStage(version, tool)),
      input,
      inputText,
      // An id is made of the time and of chance, which a deterministic handler must not see.
      conversationId: isFixed ? NO_CONVERSATION : conversationId,
      params: parameters,
      client,
      seed,
      limits: call.parent === undefined ? tool.limits : { ...tool.limits, time: Math.max(1, deadline - now()) },
      isNested: call.parent !== undefined,
      isFinal,
      restart: () => {
        running = undefined;
        head?.restart();
        asking?.reset();
      },
      ...toOutlets(carryOut, head),
      ...(signal === undefined ? {} : { signal }),
    });
    if (tool.session === "stateful") await keepSession(begun(), now());
    const { output, json } = finishOutput(tool, returned.output, conversationId, logsUri, redactor);
    if (tool.redact.length > 0 && running !== undefined) redactLogs(running.effects, tool, output, redactor);
    const content = returned.content === undefined ? undefined : checkContent(tool, returned.content);
    return { ok: true, output, json, effects: running?.effects, ...(content === undefined ? {} : { content }) };
  } catch (error) {
    return toFailed(tool, asking, error, running?.effects);
  }
}

/** The ways out of the isolate: past the head of a tape where there is one, which also has the time. */
function toOutlets(carryOut: SandboxCall["syscall"], head: TapeHead | undefined) {
  if (head === undefined) return { syscall: carryOut };
  const syscall: SandboxCall["syscall"] = (name, args) => head.ask(name, args, () => carryOut(name, args));
  return { syscall, clock: head.time };
}

function toFailed(tool: Tool, asking: Asking | undefined, error: unknown, effects: Effects | undefined): Failed {
  try {
    const questions = asking?.questions() ?? [];
    if (questions.length === 0) return { ok: false, error, effects, questions };
    const keys = questions.map(({ key }) => `\`${key}\``).join(", ");
    return {
      ok: false,
      error: new CairnError("INPUT_REQUIRED", `\`${tool.name}\` asks: ${keys}.`),
      effects,
      questions,
    };
  } catch (late) {
    return { ok: false, error: late, effects, questions: [] };
  }
}

/** Redacts the lines of the log once more, by the values that the output has at the places to be redacted. */
function redactLogs({ logs }: Effects, tool: Tool, output: Json, redactor: Redactor): void {
  const outputs = redactor.with(findRedactedValues(tool, output));
  logs.splice(0, logs.length, ...logs.map(({ at, ...line }) => ({ at, ...outputs.json(line) })));
}

const toolFacts = new WeakMap<Tool, ToolFacts>();

/** One object for each tool, so that the sandbox need hear of it once. */
function toFacts({ semver, commit }: Version, tool: Tool, model: boolean, stages: boolean): ToolFacts {
  const known = toolFacts.get(tool);
  if (known?.model === model && known.stages === stages) return known;
  const { handler, server, name, uses } = tool;
  const grants = {
    clock: uses.has("clock") && !tool.deterministic,
    random: uses.has("random") && !tool.deterministic,
    model,
    stages,
  };
  const names = { server, name, version: semver, commit, logsPrefix: LOGS_PREFIX };
  const facts = Object.freeze({ handler, ...names, ...grants });
  toolFacts.set(tool, facts);
  return facts;
}

/** Checks that neither the manifest nor a schema of the server's values has a reason to refuse a write that is well formed. */
function canStage({ servers }: Version, { uses, sideEffect, deterministic, tenantScoped, server }: Tool): boolean {
  const isAllowed = uses.has("state.write") && sideEffect && !deterministic && tenantScoped;
  return isAllowed && servers.get(server)?.values === undefined;
}

/** Tenants of one program whose keys are kept ready. */
const TENANT_LIMIT = 1000;

const programs = new WeakMap<Program, Map<string, Program>>();

/**
 * A version's program as one tenant runs it: under a key of its own, so that no isolate serves two tenants, and nothing
 * that a handler keeps in variables of its module is there for another tenant's call.
 */
export function toTenantProgram(program: Program, tenant: string): Program {
  let ofTenants = programs.get(program);
  if (ofTenants === undefined) {
    ofTenants = new Map();
    programs.set(program, ofTenants);
  }
  let own = ofTenants.get(tenant);
  if (own === undefined) {
    own = Object.freeze({ ...program, tenant, key: JSON.stringify([program.key, tenant]) });
    if (ofTenants.size >= TENANT_LIMIT) ofTenants.clear();
    ofTenants.set(tenant, own);
  }
  return own;
}
