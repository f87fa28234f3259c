import { CairnError } from "../../../../server/errors.ts";
import { createTransaction } from "../../../../server/kernel/transaction.ts";
import { rewardConversation } from "../../../../server/capabilities/tuner/actions/reward-conversation.ts";
import { createLedgers } from "../../../../server/capabilities/tuner/ledgers.ts";
import { findCall } from "../../../../server/store/calls/find-calls.ts";
import { conversationId, TUNED_VERSION } from "../../capabilities/tuner/tuned-version.ts";
import { openWhenTold, say } from "./program.ts";

// Rewards the conversations numbered from 0 up to the argument, eight at a time, and says which it has been credited.
const { store, args } = await openWhenTold();
const count = Number(args[0]);
const ledgers = createLedgers({ store, now: Date.now });
let next = 0;

async function rewardOne(id: string): Promise<boolean> {
  const transaction = createTransaction(store);
  const desk = {
    ...transaction,
    version: TUNED_VERSION,
    tenant: "t",
    actor: "a",
    callId: "",
    now: Date.now(),
    ledgers,
  };
  try {
    const find = (call: string) => findCall(store, { tenant: "t", commit: TUNED_VERSION.commit, id: call });
    await rewardConversation({ ...desk, settled: async () => undefined, findCall: find }, id, 0.5);
  } catch (error) {
    if (error instanceof CairnError && error.name === "CONFLICT") return false;
    throw error;
  }
  return (await store.commit(transaction.staged())).ok;
}

const worker = async () => {
  for (let index = next++; index < count; index = next++) {
    const id = conversationId(index);
    if (await rewardOne(id)) say(id);
  }
};
await Promise.all(Array.from({ length: 8 }, worker));
await store.admin.close();
