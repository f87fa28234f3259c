import { hash } from "node:crypto";
import type { SyscallTable } from "../../kernel/dispatch.ts";
import { createPlayedDispatch } from "../../kernel/open-kernel.ts";
import { CairnError, type ErrorBody, toErrorBody } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { Assigner } from "../../kernel/assigner.ts";
import type { Call, Invoke, Result } from "../../kernel/call.ts";
import { NO_PARAMETERS } from "../../kernel/isolates/sandbox.ts";
import type { CallState } from "../../kernel/stages/call-state.ts";
import { checkInput } from "../../kernel/stages/check-input.ts";
import { type HandlerOptions, NO_CONVERSATION, NOBODY, runHandler } from "../../kernel/stages/run-handler.ts";
import { toLogsUri } from "../../kernel/stages/running-call.ts";
import type { Tape } from "../../kernel/tape/tape.ts";
import type { Json } from "../../store/store.ts";
import type { Tool, Version } from "../../versions/version.ts";
import { createPlayer, type Deviation, type Player } from "./create-player.ts";

/** One recorded call that another version is to answer. */
export interface PlayRequest {
  readonly from: Version;
  readonly candidate: Version;
  readonly tool: Tool;
  /** Whose call it was: no isolate plays the calls of two tenants. */
  readonly tenant: string;
  readonly input: Json;
  /** Absent: the tool is deterministic, and asks for nothing that could differ. */
  readonly tape?: Tape;
  /** Tools that may answer otherwise in the candidate. */
  readonly changed: ReadonlySet<string>;
}

/** End of a call that was played. */
export interface Played {
  readonly end: { readonly ok: true; readonly output: Json } | { readonly ok: false; readonly error: ErrorBody };
  /** Reason why it cannot be compared. */
  readonly missed: string | undefined;
  readonly deviations: readonly Deviation[];
  readonly writes: ReadonlyMap<string, Json | undefined>;
  /** True if a time limit ended it, which a busy machine reaches sooner. */
  readonly isLate: boolean;
}

export type Play = (request: PlayRequest) => Promise<Played>;

export interface PlayOptions extends Pick<HandlerOptions, "store" | "sandbox" | "now" | "redactor"> {
  readonly syscalls: SyscallTable;
  readonly assigner: Pick<Assigner, "assign">;
}

const LATE: ReadonlySet<string> = new Set(["CPU_LIMIT", "TIME_LIMIT"]);
/** Requests that are carried out, of which nothing lasts: all others are answered out of the tape. */
const CARRIED_OUT = /^(?:schema\.|tools\.call$|state\.(?:set|delete)$)/;
const SEED = "0".repeat(32);

/** Creates what runs handlers on tapes: in real isolates, with nothing behind them that they could read or change. */
export function createPlay(options: PlayOptions): Play {
  const { syscalls, now } = options;
  const dispatch = createPlayedDispatch(syscalls, CARRIED_OUT);
  const journal = { settled: async () => undefined };
  const toOwn = createOwnPrograms();

  async function run(
    request: PlayRequest,
    depth: number,
  ): Promise<{ readonly result: Result; readonly player: Player }> {
    const { tape, candidate, from, tool, changed } = request;
    const player = createPlayer({ tape, tool, from, candidate, changed });
    const invoke: Invoke = async (call) => {
      const inner = call.input as Json;
      try {
        const answer = player.answerTool(call.tool, inner);
        if (answer !== undefined) return toResult(answer);
      } catch (error) {
        return toFailure(error);
      }
      const { tape: _tape, ...rest } = request;
      return (await run({ ...rest, tool: call.tool, input: inner }, depth + 1)).result;
    };
    const handler = { ...options, dispatch, journal, modelAvailable: tape?.model ?? false };
    try {
      const state = await toState(options, request, now(), depth);
      const ran = await runHandler(handler, invoke, state, player);
      return { result: ran.ok ? toResult(ran.output) : toFailure(ran.error), player };
    } catch (error) {
      return { result: toFailure(error), player };
    }
  }

  return async ({ candidate, ...request }) => {
    const { result, player } = await run({ ...request, candidate: toOwn(candidate) }, 0);
    const isLate = !result.ok && LATE.has(result.error.name);
    const end = result.ok ? { ok: true as const, output: result.output } : { ok: false as const, error: result.error };
    const { missed, deviations, writes } = player;
    return { end, missed: missed(), deviations: deviations(), writes: writes(), isLate };
  };
}

/**
 * Gives each version a program of its own: what is not committed yet goes by one name, whatever is in it, and no isolate may
 * answer for another version than the one asked.
 */
function createOwnPrograms(): (version: Version) => Version {
  const made = new WeakMap<Version, Version>();
  let count = 0;
  return (version) => {
    const known = made.get(version);
    if (known !== undefined) return known;
    count += 1;
    const own = { ...version, program: { ...version.program, key: JSON.stringify([version.program.key, count]) } };
    made.set(version, own);
    return own;
  };
}

/** The state of a call in which its handler runs. @throws BAD_REQUEST for an input that the candidate refuses. */
async function toState(
  { assigner, redactor }: PlayOptions,
  request: PlayRequest,
  at: number,
  depth: number,
): Promise<CallState> {
  const { candidate: version, tool, tenant, tape } = request;
  const { value: input, json } = checkInput(tool, request.input);
  const principal = { tenant, actor: "replay", capabilities: new Set(["*"]) };
  const conversationId = tape?.conversationId ?? NO_CONVERSATION;
  const deadline = at + tool.limits.time;
  const call: Call = {
    version,
    tool,
    input,
    principal,
    interaction: { client: tape?.client ?? NOBODY, answers: new Map() },
    ...(depth === 0 ? {} : { parent: { callId: conversationId, depth, deadline } }),
  };
  return {
    call,
    id: conversationId,
    startedAt: at,
    deadline,
    seed: tape?.seed ?? SEED,
    salt: "",
    redactor,
    conversationId,
    continued: undefined,
    input,
    inputText: json.plain,
    inputDigest: hash("sha256", json.canonical),
    keyedDigest: "",
    assigned: { parameters: await toParameters(assigner, request) },
    place: undefined,
    charge: undefined,
    isAdmitted: true,
  };
}

type Parameters = { readonly [set: string]: Json };

/**
 * The parameters of a call: the candidate's own, but for those that the recorded call was given by an experiment, which are
 * no more the version's than the input is.
 */
async function toParameters(assigner: PlayOptions["assigner"], request: PlayRequest): Promise<Parameters> {
  const { from, candidate, tool, tape } = request;
  if (tool.parameters.length === 0) return NO_PARAMETERS;
  const before = from.tools.get(tool.name);
  const ask = async (version: Version, own: Tool): Promise<Parameters> => {
    const who = { tenant: "replay", actor: "replay", conversationId: "" };
    return (await assigner.assign({ version, tool: own, ...who, isNested: true })).parameters;
  };
  const own = await ask(candidate, tool);
  if (tape === undefined || before === undefined) return own;
  const usual = await ask(from, before);
  return Object.fromEntries(
    Object.entries(own).map(([set, values]) => [set, toGiven(values, tape.parameters[set], usual[set])]),
  );
}

function toGiven(own: Json, recorded: Json | undefined, usual: Json | undefined): Json {
  if (!isObject(own) || !isObject(recorded) || !isObject(usual)) return own;
  const given = Object.entries(recorded).filter(
    ([name, value]) => name in own && JSON.stringify(value) !== JSON.stringify(usual[name]),
  );
  return { ...own, ...Object.fromEntries(given) } as Json;
}

const HANDLE = { conversationId: "", logsUri: toLogsUri(""), durationMs: 0 };

function toResult(output: Json): Result {
  return { ok: true, output, ...HANDLE };
}

function toFailure(error: unknown): Result {
  const row = (error instanceof CairnError ? error : new CairnError("INTERNAL_ERROR", "")).row;
  return { ok: false, error: toErrorBody(error, "replay"), row, ...HANDLE };
}
