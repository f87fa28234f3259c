import { hash } from "node:crypto";
import { CairnError, errorRow, toErrorBody } from "../errors.ts";
import type { RandomBytes } from "../identifiers.ts";
import type { Log } from "../log.ts";
import type { Json } from "../store/store.ts";
import type { Effects } from "../syscalls/effects.ts";
import type { Question } from "../syscalls/question.ts";
import { authorise } from "./authorise.ts";
import type { Call, Invoke } from "./call.ts";
import { checkInput } from "./check-input.ts";
import { findConversation } from "./conversation.ts";
import type { Journal } from "./journal.ts";
import { assignParameters } from "./parameters.ts";
import { createQueues } from "./queues.ts";
import type { CallRecord } from "./record.ts";
import { type Frame, type HandlerOptions, type Ran, runHandler, toLogsUri } from "./run-handler.ts";

/** How deep handlers may call tools that call tools. */
const DEPTH_LIMIT = 8;
/** How often a call runs again because its state changed under it, before it is a CONFLICT. */
const ATTEMPT_LIMIT = 10;

export interface InvokeOptions extends HandlerOptions {
  readonly journal: Journal;
  readonly createId: () => string;
  readonly randomBytes: RandomBytes;
  readonly durability: "effects" | "always";
  readonly log: Log;
}

/** What becomes known of a call while it goes on; its record says all of it. */
interface Progress {
  conversationId: string;
  inputDigest: string;
  effects: Effects | undefined;
  questions: readonly Question[];
}

/**
 * One call from principal and input to result: authorise, check the input, run the handler, check the output, and commit
 * record, audit entry and effects in one transaction. Never rejects; what goes wrong is in the result.
 */
export function createInvoke(options: InvokeOptions): Invoke {
  const { now, journal } = options;
  const conversations = createQueues();
  const contended = createQueues();

  /** Runs the handler until what it read holds still; whoever meets contention queues up, so that somebody gets through. */
  async function runToCommit(frame: Frame, input: Json, progress: Progress): Promise<Ran> {
    const { call } = frame;
    const attempt = async (): Promise<Ran | undefined> => {
      progress.effects = undefined;
      const ran = await runHandler(options, invoke, frame, input, progress.conversationId, {
        onStart: (effects) => void (progress.effects = effects),
        onQuestions: (questions) => void (progress.questions = questions),
      });
      const record = toRecord(frame, progress, now(), "ok", { json: ran.json });
      if (await save(options, record, call.tool, ran.effects)) return ran;
      if (ran.effects?.isIrreversible() === true) throw conflict(call, "and what it did outside cannot be undone");
      return undefined;
    };
    const scope = `${call.principal.tenant}\n${call.tool.server}`;
    const first = contended.busy(scope) && call.tool.uses.has("state.write") ? undefined : await attempt();
    if (first !== undefined) return first;
    return contended.run(scope, async () => {
      for (let count = 0; count < ATTEMPT_LIMIT; count++) {
        const ran = await attempt();
        if (ran !== undefined) return ran;
      }
      throw conflict(call, `${ATTEMPT_LIMIT} times in a row`);
    });
  }

  const invoke: Invoke = async (call) => {
    const { tool, principal, parent, interaction } = call;
    const startedAt = now();
    const frame: Frame = {
      call,
      id: options.createId(),
      startedAt,
      deadline: Math.min(startedAt + tool.limits.time, parent?.deadline ?? Number.POSITIVE_INFINITY),
      seed: interaction?.resume?.seed ?? Buffer.from(options.randomBytes(16)).toString("hex"),
      parameters: assignParameters(call.version, tool),
    };
    const conversationId = interaction?.resume?.conversationId ?? frame.id;
    const progress: Progress = { conversationId, inputDigest: "", effects: undefined, questions: [] };
    const handle = () => ({
      conversationId: progress.conversationId,
      logsUri: toLogsUri(progress.conversationId),
      durationMs: now() - startedAt,
    });

    try {
      authorise(tool, principal);
      if ((parent?.depth ?? 0) >= DEPTH_LIMIT) {
        throw new CairnError("FORBIDDEN", `Tools that call tools are nested more than ${DEPTH_LIMIT} deep.`);
      }
      const { value: input, json } = checkInput(tool, call.input);
      progress.inputDigest = hash("sha256", json);
      const continued = await findConversation(options.store, call, input);
      progress.conversationId = continued ?? progress.conversationId;
      // Turns of one conversation follow one another; otherwise two at once would each forget the other.
      const { output, content } = await (continued === undefined
        ? runToCommit(frame, input, progress)
        : conversations.run(`${principal.tenant}\n${continued}`, () => runToCommit(frame, input, progress)));
      return { ok: true, output, ...handle(), ...(content === undefined ? {} : { content }) };
    } catch (error) {
      const row = errorRow(error);
      const body = toErrorBody(error, frame.id);
      if (!row.exposed) options.log.error({ err: error, incident: frame.id, tool: tool.name }, "call failed");
      await journal.commit(toRecord(frame, progress, now(), body.name, body)).catch((failure: unknown) => {
        options.log.error({ err: failure, call: frame.id }, "record of a failed call was not written");
      });
      const resume = { conversationId: progress.conversationId, seed: frame.seed };
      const pending = body.name === "INPUT_REQUIRED" ? { pending: { questions: progress.questions, resume } } : {};
      return { ok: false, error: body, row, ...handle(), ...pending };
    }
  };
  return invoke;
}

function toRecord(
  { call, id, startedAt, seed, parameters }: Frame,
  { conversationId, inputDigest, effects }: Progress,
  now: number,
  outcome: string,
  { json, message }: { readonly json?: string; readonly message?: string },
): CallRecord {
  const { version, tool, principal, parent } = call;
  // In the order of their names: see `toRecordJson`.
  return {
    actor: principal.actor,
    commit: version.commit,
    conversationId,
    durationMs: now - startedAt,
    id,
    inputDigest,
    logs: effects?.logs ?? [],
    ...(message === undefined ? {} : { message }),
    outcome,
    ...(json === undefined ? {} : { outputDigest: hash("sha256", json) }),
    parameters,
    ...(parent === undefined ? {} : { parent: parent.callId }),
    schemaVersion: 1,
    seed,
    server: tool.server,
    startedAt,
    tenant: principal.tenant,
    tool: tool.name,
    toolVersion: tool.version,
    version: version.semver,
  };
}

/** Commits; false when something the call had read changed meanwhile. A call without effects is not waited for. */
async function save({ journal, durability }: InvokeOptions, record: CallRecord, tool: Call["tool"], effects?: Effects) {
  if (durability === "always" || tool.sideEffect || (effects?.staged().check.length ?? 0) > 0) {
    return journal.commit(record, effects);
  }
  await journal.trail(record);
  return true;
}

function conflict({ tool }: Call, why: string): CairnError {
  return new CairnError(
    "CONFLICT",
    `What \`${tool.name}\` read was changed by other calls meanwhile, ${why}; try again.`,
  );
}
