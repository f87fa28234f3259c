import { CairnError } from "../../errors.ts";
import { conversationKey, sessionKey } from "../../store/keys.ts";
import type { Json } from "../../store/store.ts";
import { createRecordReader } from "../../json/stored.ts";
import { createArgumentCheck } from "../../kernel/dispatch/arguments.ts";
import type { RunningCall } from "../../kernel/dispatch/running-call.ts";
import type { SyscallTable } from "../../kernel/dispatch/syscall.ts";

/** Bytes of JSON that one conversation may remember. */
export const SESSION_LIMIT = 256 * 1024;

/** What the store keeps of a conversation with a stateful tool. */
export interface SessionRecord {
  readonly schemaVersion: 1;
  readonly conversationId: string;
  readonly server: string;
  readonly tool: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly calls: number;
  /** What the handler set. */
  readonly value: Json;
}

export const readSessionRecord = createRecordReader<SessionRecord>("session-record");

/** What tells one version that a conversation is another's. */
export interface ConversationRecord {
  readonly schemaVersion: 1;
  readonly commit: string;
  readonly version: string;
  readonly server: string;
}

export const readConversationRecord = createRecordReader<ConversationRecord>("conversation-record");

const setArguments = createArgumentCheck<{ value: Json }>("session.set", {
  type: "object",
  required: ["value"],
  properties: { value: {} },
});

/** Makes sure that a conversation exists once its first call succeeded, even if the handler set nothing. */
export async function keepSession(call: RunningCall, at: number): Promise<void> {
  if ((await findSession(call)) === undefined) writeSession(call, at, undefined, null);
}

/** `ctx.session`: one value for each conversation, written with the call's own record or not at all. */
export function createSessionSyscalls(now: () => number): SyscallTable {
  return {
    "session.get": {
      needs: "session",
      async run(call) {
        return (await findSession(call))?.value;
      },
    },
    "session.set": {
      needs: "session",
      mutates: true,
      async run(call, args) {
        const { value } = setArguments(args);
        const size = Buffer.byteLength(JSON.stringify(value));
        if (size > SESSION_LIMIT) {
          throw new CairnError(
            "BAD_REQUEST",
            `\`ctx.session.set\`: ${size} bytes are more than the ${SESSION_LIMIT} that one conversation may remember.`,
          );
        }
        writeSession(call, now(), await findSession(call), value);
        return undefined;
      },
    },
  };
}

function keyOf({ principal, version, info }: RunningCall) {
  return sessionKey(principal.tenant, version.commit, info.conversationId);
}

async function findSession(call: RunningCall): Promise<SessionRecord | undefined> {
  const stored = await call.effects.get(keyOf(call));
  return stored === undefined ? undefined : readSessionRecord(stored);
}

function writeSession(call: RunningCall, at: number, before: SessionRecord | undefined, value: Json): void {
  const { server, tool, conversationId, commit, version } = call.info;
  const record: SessionRecord = {
    schemaVersion: 1,
    conversationId,
    server,
    tool,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
    calls: (before?.calls ?? 0) + 1,
    value,
  };
  call.effects.set(keyOf(call), record as unknown as Json);
  if (before !== undefined) return;
  const owner: ConversationRecord = { schemaVersion: 1, commit, version, server };
  call.effects.set(conversationKey(call.principal.tenant, conversationId), owner as unknown as Json);
}
