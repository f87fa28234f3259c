import { randomBytes } from "node:crypto";
import { CairnError } from "../../server/errors.ts";
import { createIdentifiers } from "../../server/identifiers.ts";
import { ANY_TENANT } from "../../server/principal.ts";
import type { Store } from "../../server/store/store.ts";
import { createTransaction } from "../../server/kernel/transaction.ts";
import { toWorkDesk } from "../../server/capabilities/work/work-desk.ts";
import type { FindApprovalGap } from "../../server/capabilities/work/approvals/find-approval-gap.ts";
import type { WorkDesk } from "../../server/capabilities/work/desk.ts";
import type { Policy } from "../../server/versions/policy.ts";
import type { Version } from "../../server/versions/version.ts";
import type { Workflow } from "../../server/versions/workflow.ts";
import { createRunningCall } from "./running-call.ts";
import { createTestVersion } from "./test-version.ts";

export const ADA = { tenant: "acme", actor: "ada" };
export const BOB = { tenant: "acme", actor: "bob" };
export const EVE = { tenant: "evil", actor: "eve" };

export interface WorkBench {
  readonly store: Store;
  readonly version: Version;
  /** Milliseconds since 1970. */
  at: number;
  /** One transaction, written when `work` resolves; rejects with CONFLICT when what it read has changed. */
  act<T>(
    who: { readonly tenant: string; readonly actor: string; readonly servesAll?: boolean },
    work: (desk: WorkDesk) => Promise<T>,
  ): Promise<T>;
}

const TOOL = { name: "work.any", server: "work" };
const POLICY: Policy = {
  name: "default",
  roles: new Map(),
  egress: [],
  limits: {},
  commands: [],
  file: "manifests/policies/default.yaml",
};
const CHANGE: Workflow = {
  name: "change",
  description: "Changes files.",
  writes: true,
  isDefault: false,
  maxAttempts: 3,
  leaseSeconds: 60,
  requires: [],
  steps: [
    { name: "plan", tool: "step.plan", produces: [] },
    { name: "verify", tool: "step.verify", produces: ["verifier_report.json"] },
    { name: "gate", tool: "step.gate", produces: [] },
  ],
  risk: [
    { paths: ["manifests/policies/**"], level: "high" },
    { paths: ["tools/**"], level: "medium" },
  ],
  approvals: ["high"],
  file: "manifests/workflows/change.yaml",
};

interface BenchOptions {
  readonly selfApproval?: boolean;
  readonly skippedChecks?: boolean;
  /** Has `change` be nothing but the step `propose`. */
  readonly proposes?: boolean;
  readonly findApprovalGap?: FindApprovalGap;
}

/** The work service over a real store, each act with a transaction of its own, at a time that tests set. */
export function createWorkBench(store: Store, clock: { at: number }, options: BenchOptions = {}) {
  const findGap = options.findApprovalGap === undefined ? {} : { findApprovalGap: options.findApprovalGap };
  const steps = options.proposes === true ? [{ name: "propose", tool: "step.propose", produces: [] }] : CHANGE.steps;
  const createId = createIdentifiers(() => clock.at, randomBytes);
  const version: Version = {
    ...createTestVersion({ tools: [TOOL], servers: [{ name: TOOL.server, state: "work" }] }),
    workflows: new Map([[CHANGE.name, { ...CHANGE, steps }]]),
    policies: [
      {
        ...POLICY,
        allowsSelfApproval: options.selfApproval ?? false,
        allowsSkippedChecks: options.skippedChecks ?? false,
      },
    ],
  };
  const bench: WorkBench = {
    store,
    version,
    get at() {
      return clock.at;
    },
    set at(at) {
      clock.at = at;
    },
    async act({ tenant, actor, servesAll = false }, work) {
      const transaction = createTransaction(store);
      const capabilities = new Set(servesAll ? [ANY_TENANT] : []);
      const call = createRunningCall({
        tool: TOOL,
        transaction,
        call: { version, principal: { tenant, actor, capabilities } },
      });
      const result = await work(toWorkDesk(call, { store, createId, storeTime: () => clock.at, ...findGap }));
      const done = await store.commit(transaction.staged());
      if (!done.ok) throw new CairnError("CONFLICT", `\`${JSON.stringify(done.conflict)}\` has changed.`);
      return result;
    },
  };
  return bench;
}
