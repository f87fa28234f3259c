import { CairnError, errorRow, toErrorBody } from "../errors.ts";
import type { RandomBytes } from "../identifiers.ts";
import type { Log } from "../log.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Json, Store } from "../store/store.ts";
import { createEffects, type Effects } from "../syscalls/effects.ts";
import type { RunningCall } from "../syscalls/running-call.ts";
import { keepSession } from "../syscalls/session.ts";
import type { Dispatch } from "../syscalls/dispatch.ts";
import { authorise } from "./authorise.ts";
import type { Call, Invoke } from "./call.ts";
import { checkInput } from "./check-input.ts";
import { findConversation } from "./conversation.ts";
import { finishOutput } from "./output.ts";
import { assignParameters } from "./parameters.ts";
import { createQueues } from "./queues.ts";
import { type CallRecord, digest, toCommit } from "./record.ts";

/** How deep handlers may call tools that call tools. */
const DEPTH_LIMIT = 8;
/** How often a call runs again because its state changed under it, before it is a CONFLICT. */
const ATTEMPT_LIMIT = 10;

export interface InvokeOptions {
  readonly store: Store;
  readonly sandbox: Sandbox;
  readonly dispatch: Dispatch;
  readonly createId: () => string;
  readonly randomBytes: RandomBytes;
  readonly now: () => number;
  readonly durability: "effects" | "always";
  readonly modelAvailable: boolean;
  readonly log: Log;
}

/** What stays the same over all attempts of one call. */
interface Frame {
  readonly call: Call;
  readonly id: string;
  readonly startedAt: number;
  readonly deadline: number;
  readonly seed: string;
  readonly parameters: { readonly [experiment: string]: Json };
}

/**
 * One call from principal and input to result: authorise, check the input, run the handler, check the output, and commit
 * record, audit entry and effects in one transaction. Never rejects; what goes wrong is in the result.
 */
export function createInvoke(options: InvokeOptions): Invoke {
  const { store, now } = options;
  const conversations = createQueues();
  const contended = createQueues();

  const invoke: Invoke = async (call) => {
    const { tool, principal, parent } = call;
    const startedAt = now();
    const frame: Frame = {
      call,
      id: options.createId(),
      startedAt,
      deadline: Math.min(startedAt + tool.limits.time, parent?.deadline ?? Number.POSITIVE_INFINITY),
      seed: Buffer.from(options.randomBytes(16)).toString("hex"),
      parameters: assignParameters(call.version, tool),
    };
    let conversationId = frame.id;
    let inputDigest = "";
    const finish = (outcome: string, output?: Json, message?: string): CallRecord => ({
      schemaVersion: 1,
      id: frame.id,
      conversationId,
      ...(parent === undefined ? {} : { parent: parent.callId }),
      tenant: principal.tenant,
      actor: principal.actor,
      commit: call.version.commit,
      version: call.version.semver,
      server: tool.server,
      tool: tool.name,
      toolVersion: tool.version,
      parameters: frame.parameters,
      seed: frame.seed,
      inputDigest,
      ...(output === undefined ? {} : { outputDigest: digest(output) }),
      outcome,
      ...(message === undefined ? {} : { message }),
      startedAt,
      durationMs: now() - startedAt,
      logs: [],
    });
    const handle = () => ({ conversationId, logsUri: toLogsUri(conversationId), durationMs: now() - startedAt });

    let effects: Effects | undefined;
    try {
      authorise(tool, principal);
      if ((parent?.depth ?? 0) >= DEPTH_LIMIT) {
        throw new CairnError("FORBIDDEN", `Tools that call tools are nested more than ${DEPTH_LIMIT} deep.`);
      }
      const input = checkInput(tool, call.input) as Json;
      inputDigest = digest(input);
      const continued = await findConversation(store, call, input);
      conversationId = continued ?? conversationId;

      const attempt = async (): Promise<Json | undefined> => {
        effects = undefined;
        const ran = await runHandler(options, invoke, frame, input, conversationId, (fresh) => {
          effects = fresh;
        });
        const saved = await save(options, { ...finish("ok", ran.output), logs: ran.effects.logs }, tool, ran.effects);
        if (saved) return ran.output;
        if (ran.effects.irreversible) throw conflict(call, "and what it did outside cannot be undone");
        return undefined;
      };
      const attempts = async (): Promise<Json> => {
        const scope = `${principal.tenant}\n${tool.server}`;
        // Whoever meets contention queues up, so that somebody always gets through instead of all undoing each other.
        const first = contended.busy(scope) && tool.uses.has("state.write") ? undefined : await attempt();
        if (first !== undefined) return first;
        return contended.run(scope, async () => {
          for (let count = 0; count < ATTEMPT_LIMIT; count++) {
            const output = await attempt();
            if (output !== undefined) return output;
          }
          throw conflict(call, `${ATTEMPT_LIMIT} times in a row`);
        });
      };
      // Turns of one conversation follow one another; otherwise two at once would each forget the other.
      const output = await (continued === undefined
        ? attempts()
        : conversations.run(`${principal.tenant}\n${continued}`, attempts));
      return { ok: true, output, ...handle() };
    } catch (error) {
      const row = errorRow(error);
      const body = toErrorBody(error, frame.id);
      if (!row.exposed) options.log.error({ err: error, incident: frame.id, tool: tool.name }, "call failed");
      const record = {
        ...finish(body.name, undefined, body.message),
        logs: (effects as Effects | undefined)?.logs ?? [],
      };
      await save(options, record, tool).catch((failure: unknown) => {
        options.log.error({ err: failure, call: frame.id }, "record of a failed call was not written");
      });
      return { ok: false, error: body, row, ...handle() };
    }
  };
  return invoke;
}

export function toLogsUri(conversationId: string): string {
  return `logs://${conversationId}`;
}

async function runHandler(
  { store, sandbox, dispatch, now, modelAvailable }: InvokeOptions,
  invoke: Invoke,
  { call, id, deadline, seed, parameters }: Frame,
  input: Json,
  conversationId: string,
  onStart: (effects: Effects) => void,
): Promise<{ output: Json; effects: Effects }> {
  const { version, tool, principal } = call;
  const logsUri = toLogsUri(conversationId);
  const signal = call.signal ?? new AbortController().signal;
  const info = {
    conversationId,
    logsUri,
    server: tool.server,
    tool: tool.name,
    version: version.semver,
    commit: version.commit,
  };
  const depth = (call.parent?.depth ?? 0) + 1;
  const start = (): RunningCall => {
    const effects = createEffects(
      store,
      () => new CairnError("BAD_REQUEST", `\`${tool.name}\` touched too many keys in one call.`),
    );
    onStart(effects);
    return {
      version,
      tool,
      principal,
      info,
      effects,
      deadline,
      signal,
      callTool: async (other, otherInput) => {
        const parent = { callId: id, depth, deadline };
        const result = await invoke({ version, tool: other, input: otherInput, principal, signal, parent });
        if (result.ok) return result.output;
        throw new CairnError(result.error.name, result.error.message, { details: result.error.details });
      },
      ...(call.onLog === undefined ? {} : { onLog: call.onLog }),
      ...(call.onProgress === undefined ? {} : { onProgress: call.onProgress }),
    };
  };

  let running = start();
  const result = await sandbox.run({
    program: version.program,
    handler: tool.handler,
    input,
    info,
    params: parameters,
    grants: { clock: tool.uses.has("clock"), random: tool.uses.has("random"), model: modelAvailable },
    seed,
    limits: { ...tool.limits, time: Math.max(1, deadline - now()) },
    syscall: (name, args) => dispatch(running, name, args),
    restart: () => {
      if (running.effects.irreversible) return false;
      running = start();
      return true;
    },
    signal,
  });
  if (tool.session === "stateful") await keepSession(running, now());
  return { output: finishOutput(tool, result, conversationId, logsUri), effects: running.effects };
}

/** Commits; false when something the call had read changed meanwhile. A call without effects is not waited for. */
async function save(
  { store, durability, log }: InvokeOptions,
  record: CallRecord,
  tool: Call["tool"],
  effects?: Effects,
) {
  const commit = toCommit(record, effects);
  const saving = store.commit(commit);
  const hasEffects = effects !== undefined && (tool.sideEffect || (commit.check?.length ?? 0) > 0);
  if (durability === "always" || hasEffects) return (await saving).ok;
  saving.catch((failure: unknown) => log.error({ err: failure, call: record.id }, "record of a call was not written"));
  return true;
}

function conflict({ tool }: Call, why: string): CairnError {
  return new CairnError(
    "CONFLICT",
    `What \`${tool.name}\` read was changed by other calls meanwhile, ${why}; try again.`,
  );
}
