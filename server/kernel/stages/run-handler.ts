import { toAbortSignal } from "../../cancellation.ts";
import { CairnError } from "../../errors.ts";
import type { ClientAbilities } from "../../host-api.ts";
import type { WrittenJson } from "../../json/canonical-json.ts";
import type { Redactor } from "../../log/redact.ts";
import type { Sandbox, ToolFacts } from "../isolates/sandbox.ts";
import type { Json, Store } from "../../store/store.ts";
import type { Dispatch } from "../dispatch.ts";
import { createTransaction } from "../transaction.ts";
import type { Effects, Invoke, Question, RunningCall } from "../call.ts";
import type { Tool, Version } from "../../versions/version.ts";
import { keepSession } from "../conversation.ts";
import { type Asking, createAsking } from "./asking.ts";
import type { CallState } from "./call-state.ts";
import { checkContent } from "./content.ts";
import type { Journal } from "../journal.ts";
import { createInnerKeys } from "./inner-keys.ts";
import { finishOutput } from "./output.ts";
import { findRedactedValues } from "./redacted-values.ts";
import { toTenantProgram } from "./tenant-program.ts";

export interface HandlerOptions {
  readonly journal: Journal;
  readonly store: Store;
  readonly sandbox: Sandbox;
  readonly dispatch: Dispatch;
  readonly now: () => number;
  readonly modelAvailable: boolean;
  /** Masks what must reach neither logs nor records nor error messages. */
  readonly redactor: Redactor;
}

/** How one run of a handler ended; nothing of it is written yet. */
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
}

const LOGS_PREFIX = "logs://";
const NOBODY: ClientAbilities = Object.freeze({ elicit: false, sample: false, roots: false });
const NO_CONVERSATION = "00000000-0000-0000-0000-000000000000";
const NO_ANSWERS: ReadonlyMap<string, Json> = new Map();

/** Runs the call's handler once, up to an output that matches its schema. Does not reject. */
export async function runHandler(options: HandlerOptions, invoke: Invoke, state: CallState): Promise<Ran> {
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
  const begun = (): RunningCall => {
    if (running !== undefined) return running;
    const tooMany = () => new CairnError("BAD_REQUEST", `\`${tool.name}\` touched too many keys in one call.`);
    running = toRunningCall(options, invoke, state, createEffects(options.store, tooMany), client, asking);
    return running;
  };

  try {
    const returned = await sandbox.run({
      program: toTenantProgram(version.program, call.principal.tenant),
      tool: toFacts(version, tool, modelAvailable && !isFixed),
      input,
      inputText,
      // An id is made of the time and of chance, which a deterministic handler must not see.
      conversationId: isFixed ? NO_CONVERSATION : conversationId,
      params: parameters,
      client,
      seed,
      limits: call.parent === undefined ? tool.limits : { ...tool.limits, time: Math.max(1, deadline - now()) },
      isNested: call.parent !== undefined,
      syscall: (name, args) => dispatch(begun(), name, args),
      isFinal,
      restart: () => {
        running = undefined;
        asking?.reset();
      },
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

function createEffects(store: Store, tooMany: () => Error): Effects {
  let irreversible = false;
  return {
    ...createTransaction(store, tooMany),
    logs: [],
    // Not an accessor: V8 gives each object with an accessor of its own a hidden class of its own, and the list of those
    // keeps every call alive until the next full collection.
    isIrreversible: () => irreversible,
    markIrreversible: () => void (irreversible = true),
  };
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

/** Once more, with what only the output has told. */
function redactLogs({ logs }: Effects, tool: Tool, output: Json, redactor: Redactor): void {
  const outputs = redactor.with(findRedactedValues(tool, output));
  logs.splice(0, logs.length, ...logs.map(({ at, ...line }) => ({ at, ...outputs.json(line) })));
}

export function toLogsUri(conversationId: string): string {
  return LOGS_PREFIX + conversationId;
}

function toRunningCall(
  { journal }: HandlerOptions,
  invoke: Invoke,
  { call, id, deadline, redactor, conversationId }: CallState,
  effects: Effects,
  client: ClientAbilities,
  asking: Asking | undefined,
): RunningCall {
  const { version, tool, principal, signal, origin, span, onLog, onProgress } = call;
  const depth = (call.parent?.depth ?? 0) + 1;
  const innerKey = createInnerKeys(call);
  const info = {
    conversationId,
    logsUri: toLogsUri(conversationId),
    server: tool.server,
    tool: tool.name,
    version: version.semver,
    commit: version.commit,
  };
  return {
    version,
    tool,
    principal,
    info,
    effects,
    redactor,
    deadline,
    signal: toAbortSignal(signal),
    settled: journal.settled,
    client,
    answers: call.interaction?.answers ?? NO_ANSWERS,
    ask: async (question) => {
      if (asking === undefined) throw new CairnError("FORBIDDEN", `\`${tool.name}\` is not \`interactive\`.`);
      return asking.ask(question);
    },
    callTool: async (other, input) => {
      const parent = { callId: id, depth, deadline };
      const key = innerKey(other, input);
      const forward = {
        ...(signal === undefined ? {} : { signal }),
        ...(origin === undefined ? {} : { origin }),
        ...(span === undefined ? {} : { span }),
        ...(key === undefined ? {} : { idempotencyKey: key }),
      };
      const result = await invoke({ version, tool: other, input, principal, parent, ...forward });
      if (result.ok) return result.output;
      // What the caller's client declares does not matter: questions of tools that tools call reach nobody.
      if (result.error.name === "MISSING_CLIENT_CAPABILITY") {
        throw new CairnError("FORBIDDEN", `\`${other.name}\` asks its caller, and \`${tool.name}\` cannot answer.`);
      }
      throw new CairnError(result.error.name, result.error.message, { details: result.error.details });
    },
    ...(span === undefined ? {} : { span }),
    ...(onLog === undefined ? {} : { onLog }),
    ...(onProgress === undefined ? {} : { onProgress }),
  };
}

const toolFacts = new WeakMap<Tool, ToolFacts>();

/** One object for each tool, so that the sandbox need hear of it once. */
function toFacts({ semver, commit }: Version, tool: Tool, model: boolean): ToolFacts {
  const known = toolFacts.get(tool);
  if (known?.model === model) return known;
  const { handler, server, name, uses } = tool;
  const grants = {
    clock: uses.has("clock") && !tool.deterministic,
    random: uses.has("random") && !tool.deterministic,
    model,
  };
  const names = { server, name, version: semver, commit, logsPrefix: LOGS_PREFIX };
  const facts = Object.freeze({ handler, ...names, ...grants });
  toolFacts.set(tool, facts);
  return facts;
}
