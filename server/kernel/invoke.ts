import { hash } from "node:crypto";
import { assertAuditable } from "./audit/assert-auditable.ts";
import { CairnError, errorRow, toErrorBody } from "../errors.ts";
import { type RandomBytes, toHex } from "../identifiers.ts";
import { type Log, toFields } from "../log/log.ts";
import type { Principal } from "../principal.ts";
import type { Json } from "../store/store.ts";
import type { Assigner } from "./assigner.ts";
import type { Admit, Place } from "./limits/admission.ts";
import { createAnswers } from "./stages/answers.ts";
import { createAssign, UNASSIGNED } from "./stages/assign.ts";
import { authorise } from "./stages/authorise.ts";
import { withBody } from "./stages/body.ts";
import type { Call, Invoke, Result } from "./call.ts";
import { toCallFields } from "./call-fields.ts";
import { checkInput } from "./stages/check-input.ts";
import { findConversation } from "./conversation.ts";
import type { Journal } from "./journal.ts";
import { createQueues } from "./queues.ts";
import type { CallRecord } from "./record.ts";
import { toRecord } from "./stages/to-record.ts";
import { findRedactedValues } from "./stages/redacted-values.ts";
import {
  type Frame,
  type HandlerOptions,
  type Progress,
  type Ran,
  runHandler,
  toLogsUri,
} from "./stages/run-handler.ts";
import { type Shares, toShares, toSharesOfFailure } from "./stages/shares.ts";

/** How deep handlers may call tools that call tools. */
export const DEPTH_LIMIT = 8;
/** How often a call runs again because its state changed under it, before it is a CONFLICT. */
const ATTEMPT_LIMIT = 10;

export interface InvokeOptions extends HandlerOptions {
  readonly journal: Journal;
  readonly admit: Admit;
  /** Told of calls that limits have refused, which leave no record: a flood of them must not fill the store. */
  readonly onRefused: (error: unknown, who: Principal) => void;
  readonly assigner: Assigner;
  readonly createId: () => string;
  readonly randomBytes: RandomBytes;
  readonly durability: "effects" | "always";
  /** Milliseconds that bodies are kept of tools whose manifest allows it; absent or 0: nothing is kept. */
  readonly bodyTtl?: number;
  readonly log: Log;
  /** Put around every call, also those that handlers make: to count, trace and log them. */
  readonly around?: (invoke: Invoke) => Invoke;
}

/**
 * One call from principal and input to result: authorise, check the input, run the handler, check the output, and commit
 * record, audit entry and effects in one transaction. Never rejects; what goes wrong is in the result.
 */
export function createInvoke(options: InvokeOptions): Invoke {
  const { now, bodyTtl = 0 } = options;
  const answers = createAnswers(options.store);
  const assign = createAssign(options);
  const conversations = createQueues();
  const contended = createQueues();

  /** Calls that handlers make happen again when the call that made them is replayed. */
  const isRecorded = ({ tool, parent }: Call) => tool.record && bodyTtl > 0 && parent === undefined;
  const toBody = ({ id, redactor }: Frame, input: Json, { output }: Ran) => ({
    id,
    input,
    output,
    at: now(),
    redactor,
  });

  /** Runs the handler once and writes what comes of it; nothing when what it had read was changed meanwhile. */
  async function attempt(frame: Frame, input: Json, progress: Progress): Promise<Ran | undefined> {
    const { call } = frame;
    progress.effects = undefined;
    const ran = await runHandler(options, invoke, frame, input, progress);
    const record = toRecord(frame, progress, now(), "ok", ran.json);
    const shares = toShares(call, progress, ran);
    const saved = save(
      options,
      record,
      isRecorded(call) ? withBody(shares, call, toBody(frame, input, ran), bodyTtl) : shares,
    );
    if (saved === true || (await saved)) return ran;
    if (ran.effects?.isIrreversible() === true) throw conflict(call, "and what it did outside cannot be undone");
    return undefined;
  }

  /**
   * Runs the handler until what it read holds still; whoever meets contention queues up, so that somebody gets through. A
   * call that writes nothing can be in nobody's way, and tries at once.
   */
  async function runToCommit(frame: Frame, input: Json, progress: Progress): Promise<Ran> {
    const { principal, tool } = frame.call;
    const scope = `${principal.tenant}\n${tool.server}`;
    const waits = tool.sideEffect && contended.busy(scope);
    const first = waits ? undefined : await attempt(frame, input, progress);
    if (first !== undefined) return first;
    return contended.run(scope, async () => {
      for (let count = 0; count < ATTEMPT_LIMIT; count++) {
        const ran = await attempt(frame, input, progress);
        if (ran !== undefined) return ran;
      }
      throw conflict(frame.call, `${ATTEMPT_LIMIT} times in a row`);
    });
  }

  /** Only what a call has read of the state can change under it. */
  async function run(frame: Frame, input: Json, progress: Progress): Promise<Ran> {
    const { uses, session } = frame.call.tool;
    const isAlone = session === "stateless" && !uses.has("state.read") && !uses.has("state.write");
    const ran = isAlone ? await attempt(frame, input, progress) : undefined;
    return ran ?? runToCommit(frame, input, progress);
  }

  async function answer(call: Call): Promise<Result> {
    const { tool, principal, parent, interaction } = call;
    const startedAt = now();
    const frame: Frame = {
      call,
      id: options.createId(),
      startedAt,
      deadline: Math.min(startedAt + tool.limits.time, parent?.deadline ?? Number.POSITIVE_INFINITY),
      seed: interaction?.resume?.seed ?? toHex(options.randomBytes(16)),
      salt: toHex(options.randomBytes(16)),
      redactor:
        tool.redact.length === 0 ? options.redactor : options.redactor.with(findRedactedValues(tool, call.input)),
    };
    const conversationId = interaction?.resume?.conversationId ?? frame.id;
    const progress: Progress = {
      conversationId,
      assigned: UNASSIGNED,
      inputDigest: "",
      keyedDigest: "",
      effects: undefined,
      charge: undefined,
      questions: [],
    };
    const handle = () => ({
      conversationId: progress.conversationId,
      logsUri: toLogsUri(progress.conversationId),
      durationMs: now() - startedAt,
    });

    let place: Place | undefined;
    let isAdmitted = false;
    try {
      assertAuditable(options.journal, principal.tenant);
      place = options.admit(call);
      authorise(tool, principal);
      if ((parent?.depth ?? 0) >= DEPTH_LIMIT) {
        throw new CairnError("FORBIDDEN", `Tools that call tools are nested more than ${DEPTH_LIMIT} deep.`);
      }
      const { value: input, json } = checkInput(tool, call.input);
      progress.inputDigest = hash("sha256", frame.salt + json);
      // Calls under one key are told apart by their inputs, whose salted digests differ each time.
      progress.keyedDigest = call.idempotencyKey === undefined ? "" : hash("sha256", `${call.idempotencyKey}\n${json}`);
      const known = call.idempotencyKey === undefined ? undefined : await answers.find(call, progress.keyedDigest);
      if (known !== undefined) {
        progress.conversationId = known.conversationId;
        return { ...known, ...handle() };
      }
      const continued = tool.session === "stateful" ? await findConversation(options.store, call, input) : undefined;
      progress.conversationId = continued?.conversationId ?? progress.conversationId;
      const assigned = assign(call, progress.conversationId, continued);
      progress.assigned = assigned instanceof Promise ? await assigned : assigned;
      progress.charge = place === undefined ? undefined : await place.charge();
      isAdmitted = true;
      // Turns of one conversation follow one another; otherwise two at once would each forget the other.
      const { output, content } = await (continued === undefined
        ? run(frame, input, progress)
        : conversations.run(`${principal.tenant}\n${progress.conversationId}`, () => run(frame, input, progress)));
      return { ok: true, output, ...handle(), ...(content === undefined ? {} : { content }) };
    } catch (error) {
      const row = errorRow(error);
      const body = toErrorBody(error, frame.id, frame.redactor);
      if (!row.exposed) {
        const err = error instanceof Error ? frame.redactor.json(toFields(error)) : error;
        const fields = toCallFields(call, progress.conversationId);
        options.log.error({ ...fields, err, incident: frame.id }, "call failed by a defect");
      }
      const isRefused = !isAdmitted && (body.name === "RATE_LIMITED" || body.name === "UNAVAILABLE");
      if (isRefused) options.onRefused(error, principal);
      const record = toRecord(frame, progress, now(), body.name, undefined, body.message);
      const saved =
        isRefused || options.journal.isBroken(principal.tenant)
          ? undefined
          : save(options, record, toSharesOfFailure(call, progress, body));
      await Promise.resolve(saved).catch((failure: unknown) => {
        const fields = toCallFields(call, progress.conversationId);
        options.log.error({ ...fields, err: failure }, "record of a failed call was not written");
      });
      const resume = { conversationId: progress.conversationId, seed: frame.seed };
      const pending = body.name === "INPUT_REQUIRED" ? { pending: { questions: progress.questions, resume } } : {};
      return { ok: false, error: body, row, ...handle(), ...pending };
    } finally {
      progress.charge?.release();
      place?.leave();
    }
  }

  const once: Invoke = (call) =>
    call.idempotencyKey === undefined ? answer(call) : answers.inTurn(call, () => answer(call));
  const invoke = options.around?.(once) ?? once;
  return invoke;
}

/** False when something the call had read changed meanwhile. A call that changes nothing is not waited for. */
function save(
  { journal, durability, log }: InvokeOptions,
  record: CallRecord,
  { stage, isBinding }: Shares,
): true | Promise<boolean> {
  if (isBinding || durability === "always") return journal.commit(record, stage);
  if (stage === undefined) return journal.trail(record)?.then(() => true) ?? true;
  return journal.commit(record, stage).catch((error: unknown) => {
    log.error({ err: error, call: record.id }, "record of a call without effect was not written");
    return true;
  });
}

function conflict({ tool }: Call, why: string): CairnError {
  return new CairnError(
    "CONFLICT",
    `What \`${tool.name}\` read was changed by other calls meanwhile, ${why}; try again.`,
  );
}
