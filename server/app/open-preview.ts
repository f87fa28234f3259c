import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Audit } from "../kernel/audit/audit.ts";
import { findDeclaration } from "../capabilities/declarations.ts";
import { CairnError } from "../errors.ts";
import type { Journal } from "../kernel/journal.ts";
import type { Invoke } from "../kernel/call.ts";
import type { CallRecord } from "../kernel/record.ts";
import { createDrain, type Drain } from "../operations/drain.ts";
import { SERVICE_TENANT } from "../principal.ts";
import { limitStore } from "../store/limit-store.ts";
import { openStoreAlone } from "./open-store.ts";
import type { Dispatch } from "../kernel/dispatch.ts";
import type { Version } from "../versions/version.ts";
import { openServedKernel, type ServedKernel, type ServedKernelOptions } from "./open-served-kernel.ts";
import type { OpenedSandboxes } from "./open-sandboxes.ts";

/** Bytes that the calls of one preview may write in all. */
const PREVIEW_BYTES = 64 * 1024 * 1024;
/** Sessions of MCP clients that one preview keeps. */
const SESSION_LIMIT = 100;
/** Milliseconds that calls may still take when their preview ends. */
const GRACE_MS = 5_000;

/** The parts that previews have in common with the live service. */
export type SharedOptions = Omit<
  ServedKernelOptions,
  "store" | "audit" | "data" | "sandbox" | "capabilities" | "denied" | "closing" | "sessionLimit"
> &
  Required<Pick<ServedKernelOptions, "around" | "aroundDispatch">>;

export interface PreviewOptions {
  readonly shared: SharedOptions;
  readonly sandboxes: OpenedSandboxes;
  readonly revoked: NonNullable<ServedKernelOptions["capabilities"]["revoked"]>;
  /** Milliseconds since 1970, as stores count them. */
  readonly storeTime: () => number;
  readonly audit: Pick<Audit, "changed" | "denied">;
}

export interface OpenedPreview {
  readonly kernel: ServedKernel;
  /** Ends what is under way, and takes away all that was kept. */
  close(): Promise<void>;
}

/**
 * A kernel for one preview, over an empty store in a folder of its own. What would reach further is refused by name. Calls
 * are in the service's own audit log, because the preview's goes away with it, and nothing is in that of tenants.
 */
export async function openPreview(
  version: Version,
  folder: string,
  { shared, sandboxes, revoked, storeTime, audit }: PreviewOptions,
): Promise<OpenedPreview> {
  const { onError } = shared;
  const remove = () => rm(folder, { recursive: true, force: true });
  await remove();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const store = await openStoreAlone(join(folder, "store"), storeTime);
  const [drain, closing] = [createDrain(), new AbortController()];
  const { model: _model, ...config } = shared.config;
  try {
    const kernel = await openServedKernel({
      ...shared,
      config: { ...config, recordDays: 0 },
      store: limitStore(store, PREVIEW_BYTES),
      aroundJournal: (journal) => auditCalls(journal, (record) => note(version, record, audit), onError),
      data: folder,
      sandbox: sandboxes.handlers,
      capabilities: {
        artifacts: sandboxes.artifacts,
        knowledge: () => Promise.reject(refusal("repository")),
        onRunEnded: () => undefined,
        revoked,
        secrets: { find: async () => Promise.reject(createNoSecrets()) },
        storeTime,
      },
      denied: (error, { actor }) => audit.denied(error, { tenant: SERVICE_TENANT, actor }),
      aroundDispatch: (dispatch) => shared.aroundDispatch(refuseShared(dispatch)),
      around: (invoke) => refuseEnded(drain)(shared.around(invoke)),
      closing: closing.signal,
      sessionLimit: SESSION_LIMIT,
    });
    return Object.freeze<OpenedPreview>({
      kernel,
      async close() {
        drain.begin();
        closing.abort();
        await kernel.sessions.close();
        await drain.settled(GRACE_MS);
        await kernel.close();
        await store.admin.close();
        await remove();
      },
    });
  } catch (error) {
    await store.admin.close();
    await remove();
    throw error;
  }
}

function note({ commit, preview = 0 }: Version, record: CallRecord, audit: Pick<Audit, "changed">): Promise<unknown> {
  const { actor, tenant, tool, outcome, id } = record;
  const details = { commit, tenant, tool, outcome, call: id };
  return audit.changed({ change: "preview.called", actor, target: `pull/${preview}`, details });
}

function auditCalls(
  journal: Journal,
  tell: (record: CallRecord) => Promise<unknown>,
  onError: (error: unknown) => void,
): Journal {
  return {
    ...journal,
    async commit(record, part) {
      const isWritten = await journal.commit(record, part);
      if (isWritten) await tell(record);
      return isWritten;
    },
    trail(record) {
      void tell(record).catch(onError);
      return journal.trail(record);
    },
  };
}

/** Refuses what reaches beyond the preview's own store and the hosts of its ceiling, as declarations say of each syscall. */
function refuseShared(dispatch: Dispatch): Dispatch {
  return async (call, name, args) => {
    if (findDeclaration(name)?.inPreviews !== true) throw refusal(name);
    return dispatch(call, name, args);
  };
}

/** Error of a tool with secrets. A preview is not reviewed: its author could name a host of their own, and be sent them. */
function createNoSecrets(): CairnError {
  return new CairnError("FORBIDDEN", "The tool needs a secret, and previews have none.");
}

function refusal(name: string): CairnError {
  const message = `\`ctx.${name}\` is refused in a preview: it reaches beyond what the preview has of its own.`;
  return new CairnError("FORBIDDEN", message);
}

function refuseEnded(drain: Drain): (invoke: Invoke) => Invoke {
  return (invoke) => {
    const counted = drain.around(invoke);
    return async (call) => {
      if (drain.isDraining()) throw new CairnError("UNAVAILABLE", "The preview has ended.");
      return counted(call);
    };
  };
}
