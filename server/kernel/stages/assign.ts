import { NO_PARAMETERS } from "../isolates/sandbox.ts";
import { findCall } from "../../store/calls/find-calls.ts";
import type { Store } from "../../store/store.ts";
import type { Assigned, Assigner } from "../assigner.ts";
import type { Call } from "../call.ts";
import type { Journal } from "../journal.ts";
import { type CallRecord, readCallRecord } from "../record.ts";

export const UNASSIGNED: Assigned = Object.freeze({ parameters: NO_PARAMETERS });

interface AssignOptions {
  readonly store: Store;
  readonly journal: Journal;
  readonly assigner: Assigner;
}

/**
 * Assigns a call its parameters. A conversation keeps those that its first call began with, and so does a call that goes on
 * with an answer.
 */
export function createAssign({ store, journal, assigner }: AssignOptions) {
  async function resume(call: Call, conversationId: string): Promise<Assigned> {
    const { version, principal } = call;
    await journal.settled();
    const { tenant } = principal;
    const stored = await findCall(store, { tenant, commit: version.commit, id: conversationId });
    if (stored === undefined) return begin(call, conversationId);
    const { parameters, assignments } = readCallRecord(stored);
    return { parameters, ...(assignments === undefined ? {} : { assignments }) };
  }

  const begin = ({ version, tool, principal, parent }: Call, conversationId: string) => {
    const { tenant, actor } = principal;
    return assigner.assign({ version, tool, tenant, actor, conversationId, isNested: parent !== undefined });
  };

  return (call: Call, conversationId: string, first: CallRecord | undefined): Assigned | Promise<Assigned> => {
    if (call.tool.parameters.length === 0) return UNASSIGNED;
    if (first !== undefined) return { parameters: first.parameters };
    return call.interaction?.resume === undefined ? begin(call, conversationId) : resume(call, conversationId);
  };
}
