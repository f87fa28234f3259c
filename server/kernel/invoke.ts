import { hash } from "node:crypto";
import { CairnError } from "../errors.ts";
import { pauseAfterLarge } from "../json/pause-after-large.ts";
import { type RandomBytes, toHex } from "../identifiers.ts";
import type { Principal } from "../principal.ts";
import type { Retirements } from "../versions/registry/retirements.ts";
import type { Tool, Version } from "../versions/version.ts";
import type { Approvals } from "./approvals.ts";
import type { Assigner } from "./assigner.ts";
import { assertAuditable } from "./audit/audit.ts";
import type { Call, Invoke, Result } from "./call.ts";
import { findConversation } from "./conversation.ts";
import type { Admit } from "./limits/admission.ts";
import { createQueues } from "../serial.ts";
import { createAnswers } from "./stages/answers.ts";
import { createAssign, UNASSIGNED } from "./stages/assign.ts";
import { awaitApproval } from "./stages/await-approval.ts";
import { assertLasts } from "./stages/assert-lasts.ts";
import { authorise } from "./stages/authorise.ts";
import type { CallState } from "./stages/call-state.ts";
import { checkInput } from "./stages/check-input.ts";
import { fail, type FailOptions } from "./stages/fail.ts";
import { findRedactedValues } from "./stages/redacted-values.ts";
import { createRun, type RunOptions } from "./stages/run.ts";
import { toLogsUri } from "./stages/running-call.ts";

/** Largest depth of tools that call tools. */
export const DEPTH_LIMIT = 8;

export interface InvokeOptions extends RunOptions, FailOptions {
  readonly admit: Admit;
  readonly assigner: Assigner;
  readonly createId: () => string;
  readonly randomBytes: RandomBytes;
  readonly assertSecrets?: (version: Version, tool: Tool, principal: Principal) => Promise<void>;
  /** Absent: calls that somebody must approve are refused. */
  readonly approvals?: Approvals;
  /** Ends of versions. Absent: neither versions nor tools are refused for their age, as in trials of them. */
  readonly retirements?: Pick<Retirements, "refuse" | "findToolEnd">;
  /** Put around every call, also those that handlers make: to count, trace and log them. */
  readonly around?: (invoke: Invoke) => Invoke;
}

/**
 * One call from principal and input to result, through its stages: admit, authorise, check, assign, run, commit. Record,
 * audit entry and effects are one transaction. Never rejects; what goes wrong is in the result.
 */
export function createInvoke(options: InvokeOptions): Invoke {
  const { store, now } = options;
  const answers = createAnswers(store, options.isShared === true);
  const assign = createAssign(options);
  const conversations = createQueues();
  const run = createRun(options, (call) => invoke(call));

  async function proceed(call: Call): Promise<Result> {
    let state = begin(options, call);
    const { tool, principal } = call;
    try {
      assertAuditable(options.journal, principal.tenant);
      const place = options.admit(call);
      state = { ...state, place: place instanceof Promise ? await place : place };
      authorise(tool, principal);
      if (options.retirements !== undefined) assertLasts(call, options.retirements, state.startedAt);
      assertDepth(call);
      state = check(state);
      const pause = pauseAfterLarge(state.inputText.length);
      if (pause !== undefined) await pause;
      const kept = call.idempotencyKey === undefined ? undefined : await answers.find(call, state.keyedDigest);
      const known = kept ?? (tool.approvals.length > 0 ? await awaitApproval(options.approvals, state) : undefined);
      if (known !== undefined) {
        state = { ...state, conversationId: known.conversationId };
        return { ...known, ...toHandle(state, now()) };
      }
      if (tool.secrets.length + tool.upstreams.length > 0) await options.assertSecrets?.(call.version, tool, principal);
      const continued = tool.session === "stateful" ? await findConversation(store, call, state.input) : undefined;
      const conversationId = continued?.conversationId ?? state.conversationId;
      const assigned = assign(call, conversationId, continued);
      state = { ...state, conversationId, continued };
      state = { ...state, assigned: assigned instanceof Promise ? await assigned : assigned };
      const charge = state.place === undefined ? undefined : await state.place.charge();
      state = { ...state, charge, isAdmitted: true };
      const ready = state;
      // Turns of one conversation follow one another; otherwise two at once would each forget the other.
      const ran = await (continued === undefined
        ? run(ready)
        : conversations.run(`${principal.tenant}\n${conversationId}`, () => run(ready)));
      if (!ran.ok) return { ...(await fail(options, state, ran)), ...toHandle(state, now()) };
      const { output, json, content } = ran;
      return {
        ok: true,
        output,
        outputText: json.plain,
        ...toHandle(state, now()),
        ...(content === undefined ? {} : { content }),
      };
    } catch (error) {
      const failed = await fail(options, state, { error, effects: undefined, questions: [] });
      return { ...failed, ...toHandle(state, now()) };
    } finally {
      state.charge?.release();
      state.place?.leave();
    }
  }

  const once: Invoke = (call) =>
    call.idempotencyKey === undefined ? proceed(call) : answers.inTurn(call, () => proceed(call));
  const invoke = options.around?.(once) ?? once;
  return invoke;
}

function begin({ now, createId, randomBytes, redactor }: InvokeOptions, call: Call): CallState {
  const { tool, parent, interaction } = call;
  const [startedAt, id] = [now(), createId()];
  return {
    call,
    id,
    startedAt,
    deadline: Math.min(startedAt + tool.limits.time, parent?.deadline ?? Number.POSITIVE_INFINITY),
    seed: interaction?.resume?.seed ?? toHex(randomBytes(16)),
    salt: toHex(randomBytes(16)),
    redactor: tool.redact.length === 0 ? redactor : redactor.with(findRedactedValues(tool, call.input)),
    conversationId: interaction?.resume?.conversationId ?? id,
    continued: undefined,
    input: null,
    inputText: "",
    inputDigest: "",
    keyedDigest: "",
    assigned: UNASSIGNED,
    place: undefined,
    charge: undefined,
    isAdmitted: false,
  };
}

function check(state: CallState): CallState {
  const { call, salt } = state;
  const { value: input, json } = checkInput(call.tool, call.input);
  const { canonical, plain: inputText } = json;
  // Calls under one key are told apart by their inputs, whose salted digests differ each time.
  const keyedDigest = call.idempotencyKey === undefined ? "" : hash("sha256", `${call.idempotencyKey}\n${canonical}`);
  return { ...state, input, inputText, inputDigest: hash("sha256", salt + canonical), keyedDigest };
}

function assertDepth({ parent }: Call): void {
  if ((parent?.depth ?? 0) < DEPTH_LIMIT) return;
  throw new CairnError("FORBIDDEN", `Tools that call tools are nested more than ${DEPTH_LIMIT} deep.`);
}

function toHandle({ conversationId, startedAt }: CallState, at: number) {
  return { conversationId, logsUri: toLogsUri(conversationId), durationMs: at - startedAt };
}
