import { ANY_TENANT, holdsByName, type Principal } from "../../principal.ts";
import type { Store } from "../../store/store.ts";
import type { Version } from "../../versions/version.ts";
import { toScope } from "../state/state.ts";
import type { FindApprovalGap } from "./approvals/find-approval-gap.ts";
import type { RecordDesk, WorkDesk } from "./desk.ts";
import { transact, type Transaction } from "../../kernel/transaction.ts";
import type { RunningCall } from "../../kernel/call.ts";

export interface WorkDeskOptions {
  readonly store: Store;
  readonly createId: () => string;
  /** Milliseconds since 1970, as the store counts them. */
  readonly storeTime: () => number;
  /** Absent where no person ever decides. */
  readonly findApprovalGap?: FindApprovalGap | undefined;
}

/** The one who works, and the scope in which the work belongs. */
export interface WorkPlace {
  readonly version: Version;
  readonly principal: Principal;
  /** The name under which versions share their tasks, or the commit. */
  readonly scope: string;
  /** True for work of the service's own, which is nobody's call. */
  readonly isArchitect: boolean;
}

/** Opens the desk of one call: the tenant of its principal, and the scope of its server. */
export function toWorkDesk(call: RunningCall, options: WorkDeskOptions): WorkDesk {
  return createWorkDesk(toPlace(call), call.effects, options);
}

function toPlace({ version, principal, tool }: RunningCall): WorkPlace {
  return { version, principal, scope: toScope(version, tool), isArchitect: false };
}

function createWorkDesk(
  { version, principal, scope, isArchitect }: WorkPlace,
  transaction: Transaction,
  { store, createId, storeTime, findApprovalGap }: WorkDeskOptions,
): WorkDesk {
  const { tenant, actor } = principal;
  return {
    ...transaction,
    version,
    tenant,
    actor,
    roles: principal.roles ?? [],
    servesAll: holdsByName(principal, ANY_TENANT),
    allowsSelfApproval: version.policies.some(({ allowsSelfApproval }) => allowsSelfApproval === true),
    scope,
    isArchitect,
    now: storeTime(),
    time: storeTime,
    createId,
    findApprovalGap: async (need) => findApprovalGap?.({ version, ...need }),
    claim: (request) => store.claim(request),
    appendNow: async (log, entry) => void (await store.commit({ append: [{ log, entry }] })),
  };
}

/**
 * Work that is written before the call ends, whatever becomes of that: in the middle of a call that takes minutes, others
 * change what it has read. Rejects with CONFLICT, having done nothing.
 */
export function workAtOnce<Result>(
  call: RunningCall,
  options: WorkDeskOptions,
  work: (desk: WorkDesk) => Promise<Result>,
): Promise<Result> {
  return workAt(toPlace(call), options, work);
}

/** Does work of the service's own on the records of a tenant, whether their version can still be had or not. */
export function workOnRecords<Result>(
  { tenant, scope }: Pick<RecordDesk, "tenant" | "scope">,
  { store, storeTime }: Pick<WorkDeskOptions, "store" | "storeTime">,
  work: (desk: RecordDesk) => Promise<Result>,
): Promise<Result> {
  return transact(store, "The task was changed by others all the time; try again.", (transaction) =>
    work({ ...transaction, tenant, scope, actor: "cairn", servesAll: false, now: storeTime(), time: storeTime }),
  );
}

/** Does work that is no call's in a transaction of its own. Rejects with CONFLICT, having done nothing. */
export function workAt<Result>(
  place: WorkPlace,
  options: WorkDeskOptions,
  work: (desk: WorkDesk) => Promise<Result>,
): Promise<Result> {
  return transact(options.store, "The run was changed by others all the time; try again.", (transaction) =>
    work(createWorkDesk(place, transaction, options)),
  );
}
