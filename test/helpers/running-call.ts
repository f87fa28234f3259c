import { LOCAL_PRINCIPAL } from "../../server/principal.ts";
import { SHAPES_ONLY } from "../../server/log/redact.ts";
import type { Transaction } from "../../server/kernel/transaction.ts";
import type { Effects, RunningCall } from "../../server/kernel/call.ts";
import type { Tool } from "../../server/versions/version.ts";
import { createTestVersion } from "./test-version.ts";

/** A call in the middle of its run, for tests of single syscalls. */
export function createRunningCall(options: {
  readonly tool: Partial<Tool> & Pick<Tool, "name" | "server">;
  readonly transaction?: Transaction;
  readonly call?: Partial<RunningCall>;
}): RunningCall {
  const version = createTestVersion({ tools: [options.tool] });
  const tool = version.tools.get(options.tool.name);
  if (!tool) throw new Error("the test version lost its tool");
  return {
    version,
    tool,
    principal: LOCAL_PRINCIPAL,
    info: {
      conversationId: "01234567-89ab-7000-bfff-ffffffffffff",
      logsUri: "logs://01234567-89ab-7000-bfff-ffffffffffff",
      server: tool.server,
      tool: tool.name,
      version: version.semver,
      commit: version.commit,
    },
    effects: toEffects(options.transaction ?? createStandIn()),
    redactor: SHAPES_ONLY,
    deadline: Date.now() + 10_000,
    signal: new AbortController().signal,
    settled: async () => undefined,
    client: { elicit: false, sample: false, roots: false },
    answers: new Map(),
    ask: () => Promise.reject(new Error("nobody to ask here")),
    callTool: () => Promise.reject(new Error("no other tools here")),
    ...options.call,
  };
}

/** A transaction that touches no store. */
function createStandIn(): Transaction {
  const refuse = () => {
    throw new Error("this test has no store");
  };
  return {
    get: refuse,
    scan: refuse,
    glance: refuse,
    set: refuse,
    delete: refuse,
    append: refuse,
    expect: refuse,
    renew: refuse,
    staged: () => ({ check: [] }),
  };
}

function toEffects(transaction: Transaction): Effects {
  let irreversible = false;
  return {
    ...transaction,
    logs: [],
    isIrreversible: () => irreversible,
    markIrreversible: () => void (irreversible = true),
  };
}
