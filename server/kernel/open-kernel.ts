import type { Ceilings } from "../config/allowance.ts";
import type { RandomBytes } from "../identifiers.ts";
import type { Log } from "../log/log.ts";
import type { Redactor } from "../log/redact.ts";
import { defined } from "../json/defined.ts";
import type { Principal } from "../principal.ts";
import type { Store } from "../store/store.ts";
import type { Retirements } from "../versions/registry/retirements.ts";
import type { Tool, Version } from "../versions/version.ts";
import type { Approvals } from "./approvals.ts";
import type { Assigner } from "./assigner.ts";
import type { Audit, AuditedLogs } from "./audit/audit.ts";
import type { Invoke } from "./call.ts";
import { auditEgress, createDispatch, type Dispatch, type SyscallTable } from "./dispatch.ts";
import { createInvoke } from "./invoke.ts";
import type { Sandbox } from "./isolates/sandbox.ts";
import { createJournal, type Journal } from "./journal.ts";
import { type Admission, createAdmission } from "./limits/admission.ts";

/** All that handlers can ask for, and the parameters that they run with. */
export interface Capabilities {
  readonly syscalls: SyscallTable;
  readonly assigner: Assigner;
  /** True when `ctx.model` has a model behind it. */
  readonly hasModel: boolean;
  /** Rejects where a tool cannot be called, for want of a secret; absent: nothing is looked at. */
  readonly assertSecrets?: (version: Version, tool: Tool, principal: Principal) => Promise<void>;
  close(): Promise<void>;
}

export interface KernelOptions {
  readonly store: Store;
  /** Sandbox of handlers; it stays open. */
  readonly sandbox: Sandbox;
  /** Closed with the kernel. */
  readonly capabilities: Capabilities;
  /** Absent where no audit is kept of the logs. */
  readonly audit?: AuditedLogs;
  /** Hears of what callers and handlers were kept from. */
  readonly denied: Audit["denied"];
  /** Absent: calls that somebody must approve are refused. */
  readonly approvals?: Approvals;
  /** See `InvokeOptions`. */
  readonly retirements?: Pick<Retirements, "refuse" | "findToolEnd">;
  /** The operator's limits of calls, besides those of policies. */
  readonly ceilings: Ceilings;
  /** True when also the record of a call without effects is flushed before its answer. */
  readonly durability: "effects" | "always";
  /** Milliseconds since 1970 as the store counts them, where other nodes use it as well; absent: none does. */
  readonly sharedTime?: () => number;
  /** Milliseconds that bodies are kept of tools whose manifest allows it; 0: nothing is kept. */
  readonly bodyTtl: number;
  /** Put around every call, also those that handlers make: to count, trace and log them. */
  readonly around?: (invoke: Invoke) => Invoke;
  /** Put around what handlers ask for. */
  readonly aroundDispatch?: (dispatch: Dispatch) => Dispatch;
  /** Put around the records of calls on their way to the store. */
  readonly aroundJournal?: (journal: Journal) => Journal;
  readonly createId: () => string;
  readonly randomBytes: RandomBytes;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds that nobody sets back. */
  readonly elapsed: () => number;
  /** Masks what must reach neither logs nor records nor error messages. */
  readonly redactor: Redactor;
  readonly log: Log;
}

/** Runs calls over one store. */
export interface Kernel {
  readonly invoke: Invoke;
  /** Resolves once the records of all calls that were answered are written. */
  readonly settled: () => Promise<void>;
  readonly lookAtLimits: Admission["look"];
  /** Writes what trails, then closes the capabilities. Store and sandbox stay open. */
  close(): Promise<void>;
}

/** Puts limits, dispatch, journal and the stages of a call together. Nothing else does. */
export function openKernel(options: KernelOptions): Kernel {
  const { capabilities, denied, aroundDispatch = unchanged, aroundJournal = unchanged } = options;
  const { assigner } = capabilities;
  const journal = aroundJournal(createJournal({ ...options, toCredit: assigner.toCredit }));
  const { admit, look, close } = createAdmission(options);
  const invoke = createInvoke({
    ...options,
    journal,
    isShared: options.sharedTime !== undefined,
    admit,
    onRefused: denied,
    assigner,
    dispatch: aroundDispatch(auditEgress(createDispatch(capabilities.syscalls), denied)),
    modelAvailable: capabilities.hasModel,
    ...defined({ assertSecrets: capabilities.assertSecrets }),
  });
  return Object.freeze<Kernel>({
    invoke,
    settled: journal.settled,
    lookAtLimits: look,
    async close() {
      await journal.settled();
      await close();
      await capabilities.close();
    },
  });
}

/**
 * Creates the dispatch of calls that are played: it checks requests as that of a kernel does, and carries out only those whose
 * names match. All others are answered out of a tape, so they resolve with nothing.
 */
export function createPlayedDispatch(syscalls: SyscallTable, isCarriedOut: RegExp): Dispatch {
  const table = Object.entries(syscalls).map(([name, syscall]) => [
    name,
    isCarriedOut.test(name) ? syscall : { ...syscall, run: () => undefined },
  ]);
  return createDispatch(Object.fromEntries(table) as SyscallTable);
}

function unchanged<Value>(value: Value): Value {
  return value;
}
