import { hash } from "node:crypto";
import { toAbortSignal } from "../../cancellation.ts";
import { CairnError } from "../../errors.ts";
import type { ClientAbilities } from "../../host-api.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import type { Json, Store } from "../../store/store.ts";
import type { Tool } from "../../versions/version.ts";
import type { Call, Effects, Invoke, RunningCall } from "../call.ts";
import type { Journal } from "../journal.ts";
import { createTransaction } from "../transaction.ts";
import type { Asking } from "./asking.ts";
import type { CallState } from "./call-state.ts";

export const LOGS_PREFIX = "logs://";
const NO_ANSWERS: ReadonlyMap<string, Json> = new Map();

export function toLogsUri(conversationId: string): string {
  return LOGS_PREFIX + conversationId;
}

export interface RunningCallOptions {
  readonly store: Store;
  readonly journal: Pick<Journal, "settled">;
  readonly invoke: Invoke;
  /** Abilities of the caller's side, as far as the handler may know them. */
  readonly client: ClientAbilities;
  /** Absent where the tool is not interactive. */
  readonly asking: Asking | undefined;
}

/** The call of one run of a handler, as the syscalls see it. */
export function createRunningCall(
  { store, journal, invoke, client, asking }: RunningCallOptions,
  { call, id, deadline, redactor, conversationId }: CallState,
): RunningCall {
  const { version, tool, principal, signal, origin, span, onLog, onProgress } = call;
  const depth = (call.parent?.depth ?? 0) + 1;
  const innerKey = createInnerKeys(call);
  const progress = onProgress && shareProgress(onProgress);
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
    effects: createEffects(store, tool),
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
        ...(progress === undefined ? {} : { onProgress: progress.ofOthers }),
      };
      const result = await invoke({ version, tool: other, input, principal, parent, ...forward });
      if (result.ok) return result.output;
      // What the caller's client declares does not matter: questions of tools that tools call reach nobody.
      if (result.error.name === "MISSING_CLIENT_CAPABILITY") {
        throw new CairnError("FORBIDDEN", `\`${other.name}\` asks its caller, and \`${tool.name}\` cannot answer.`);
      }
      const { name, message, details } = result.error;
      throw new CairnError(name, message, { details, frames: result.frames ?? [] });
    },
    ...(span === undefined ? {} : { span }),
    ...(onLog === undefined ? {} : { onLog }),
    ...(progress === undefined ? {} : { onProgress: progress.own }),
  };
}

/** Passes on the progress of tools that a tool calls, until it reports its own: one count means nothing in the other. */
function shareProgress(onProgress: NonNullable<RunningCall["onProgress"]>) {
  let hasOwn = false;
  const own: typeof onProgress = (report) => {
    hasOwn = true;
    onProgress(report);
  };
  const ofOthers: typeof onProgress = (report) => {
    if (!hasOwn) onProgress(report);
  };
  return { own, ofOthers };
}

function createEffects(store: Store, { name }: Tool): Effects {
  const tooMany = () => new CairnError("BAD_REQUEST", `\`${name}\` touched too many keys in one call.`);
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

/** Not part of the keys that callers send, so that none of them can be an inner one. */
const PREFIX = ",";

type InnerKeys = (tool: Tool, input: unknown) => string | undefined;

const NO_KEYS: InnerKeys = () => undefined;

/**
 * Keys for the calls with side effects that one run of a handler makes on behalf of a call with a key: a run that begins
 * anew, even after a crash, makes the same calls under the same keys and so repeats none.
 */
function createInnerKeys({ idempotencyKey, tool: caller }: Call): InnerKeys {
  if (idempotencyKey === undefined) return NO_KEYS;
  const counts = new Map<string, number>();
  return (tool, input) => {
    // The approval of a call is found by its key as well, whatever the call does.
    if (!tool.sideEffect && tool.approvals.length === 0) return undefined;
    const digest = hash("sha256", canonicalJson([idempotencyKey, caller.name, tool.name, input]));
    const count = (counts.get(digest) ?? 0) + 1;
    counts.set(digest, count);
    return `${PREFIX}${digest}.${count}`;
  };
}
