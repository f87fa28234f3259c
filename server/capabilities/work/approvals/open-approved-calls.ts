import { CairnError } from "../../../errors.ts";
import { actsOutside } from "../../../kernel/approvals.ts";
import type { Invoke, Result } from "../../../kernel/call.ts";
import { holdsAll, type Principal } from "../../../principal.ts";
import { APPROVED_CALLS } from "../../../store/waiting-keys.ts";
import type { Claimed, Store } from "../../../store/store.ts";
import type { Tool, Version } from "../../../versions/version.ts";
import { type Begun, beginCall, endCall, expireCalls, type Fenced, postponeCall } from "./approved-call.ts";
import { rolesOf, showApprovers, type WaitingCall } from "./waiting-call.ts";

/** Milliseconds between looks for calls that were approved or whose time is over, besides being told. */
const POLL_MS = 5_000;
/** Milliseconds that a call is this process's to run; it asks for more while the call runs. */
const LEASE_MS = 30_000;
const RENEWAL_MS = 10_000;
/** Approved calls that run at once. */
const AT_ONCE = 8;
/** Not part of the keys that callers send, so that no caller's call can be taken for an approved one. */
const KEY_PREFIX = ",approved.";

export interface ApprovedCallsOptions {
  readonly store: Store;
  /** Milliseconds since 1970, as the store counts them. */
  readonly storeTime: () => number;
  readonly invoke: Invoke;
  /** Resolves the commit of a version that is served; rejects otherwise. */
  readonly resolve: (commit: string) => Promise<{ readonly version: Version }>;
  readonly toPrincipal: (
    version: Version,
    caller: { readonly tenant: string; readonly actor: string; readonly roles: readonly string[] },
  ) => Principal;
  readonly onError: (error: unknown) => void;
}

export interface ApprovedCalls {
  /** Begins no further call. */
  stop(): void;
  /** Resolves once what came of the calls under way is kept. */
  close(): Promise<void>;
}

/** Opens what runs calls once they are approved, also those that an earlier process has left. */
export function openApprovedCalls(options: ApprovedCallsOptions): ApprovedCalls {
  const { store, onError } = options;
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let looking: Promise<void> | undefined;
  let isDue = false;

  async function look(): Promise<void> {
    while (!stopping.signal.aborted && running.size < AT_ONCE) {
      const [entry] = await store.claim({ queue: APPROVED_CALLS, leaseMs: LEASE_MS, limit: 1 });
      if (entry === undefined) return;
      const done = runCall(options, entry)
        .catch(onError)
        .finally(() => {
          running.delete(done);
          nudge();
        });
      running.add(done);
    }
  }

  function nudge(): void {
    isDue = true;
    if (looking !== undefined || stopping.signal.aborted) return;
    isDue = false;
    looking = look()
      .catch(onError)
      .finally(() => {
        looking = undefined;
        if (isDue) nudge();
      });
  }

  const unwatch = store.watch(APPROVED_CALLS, nudge);
  const timer = setInterval(() => {
    nudge();
    void expireCalls(options).catch(onError);
  }, POLL_MS).unref();
  nudge();
  return Object.freeze<ApprovedCalls>({
    stop() {
      stopping.abort();
      unwatch();
      clearInterval(timer);
    },
    async close() {
      await looking;
      await Promise.all(running);
    },
  });
}

async function runCall(options: ApprovedCallsOptions, { key, fence, value }: Claimed): Promise<void> {
  const fenced: Fenced = { key, fence, of: value };
  const begun = await beginCall(options, fenced);
  if (begun === undefined) return;
  const { store, onError } = options;
  const renew = { key, fence, leaseMs: LEASE_MS };
  const renewal = setInterval(() => void store.commit({ renew: [renew] }).catch(onError), RENEWAL_MS);
  try {
    const done = await invokeBegun(options, begun);
    if (done === undefined) await postponeCall(options, fenced, begun);
    else await endCall(options, fenced, begun, done);
  } finally {
    clearInterval(renewal);
  }
}

/** Calls the tool, with both rights looked at again; undefined: it did not run, and may yet. */
async function invokeBegun(
  options: ApprovedCallsOptions,
  { call, input, isAgain }: Begun,
): Promise<Result | CairnError | undefined> {
  const { taskId, tenant, actor, roles, commit, idempotencyKey = KEY_PREFIX + taskId } = call;
  if (call.approver === undefined) return new CairnError("FORBIDDEN", "Nobody has approved this call.");
  const found = await find(options, commit, call.tool);
  if (found instanceof CairnError) return found;
  const { version, tool } = found;
  const denied = await findRevoked(options, call, version);
  if (denied !== undefined) return denied;
  const principal = options.toPrincipal(version, { tenant, actor, roles });
  const mayRun = !isAgain || tool.idempotent || !(actsOutside(tool) || tool.uses.has("tools.call"));
  const approved = { taskId, by: showApprovers(call), mayRun };
  const result = await options.invoke({ version, tool, input, principal, idempotencyKey, approved });
  const isPassing = !result.ok && (result.error.name === "UNAVAILABLE" || result.error.name === "RATE_LIMITED");
  return isPassing && mayRun && !actsOutside(tool) && !tool.uses.has("tools.call") ? undefined : result;
}

/** Finds a role whose approvers lost the right to approve: who lost it has approved nothing that has not run yet. */
async function findRevoked(
  options: ApprovedCallsOptions,
  call: WaitingCall,
  called: Version,
): Promise<CairnError | undefined> {
  const approvers = [...(call.earlier ?? []), ...(call.approver === undefined ? [] : [call.approver])];
  let missing = rolesOf(call);
  const lost: string[] = [];
  for (const { actor, roles, commit, tool: name } of approvers) {
    // The operator of the data folder used no tool; a role that is revoked everywhere stops that approval as well.
    const isOperator = commit === undefined || name === undefined;
    const found = isOperator ? { version: called, tool: undefined } : await find(options, commit, name);
    if (found instanceof CairnError) return found;
    const { version, tool } = found;
    const principal = options.toPrincipal(version, { tenant: call.tenant, actor, roles });
    const gives = (role: string) => principal.roles?.includes(role) === true;
    if (holdsAll(principal, tool?.requiredCapabilities ?? []) && missing.some(gives)) {
      missing = missing.filter((role) => !gives(role));
    } else lost.push(actor);
  }
  if (missing.length === 0) return undefined;
  const names = lost.map((actor) => `\`${actor}\``).join(" and ");
  return new CairnError("FORBIDDEN", `${names} approved this call, and may not any more.`);
}

async function find(
  { resolve }: ApprovedCallsOptions,
  commit: string,
  name: string,
): Promise<{ readonly version: Version; readonly tool: Tool } | CairnError> {
  try {
    const { version } = await resolve(commit);
    const tool = version.tools.get(name);
    return tool === undefined ? new CairnError("INVALID_TOOL", `There is no tool \`${name}\`.`) : { version, tool };
  } catch (error) {
    if (error instanceof CairnError && error.row.exposed && error.row.status < 500) return error;
    throw error;
  }
}
