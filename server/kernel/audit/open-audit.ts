import type { RandomBytes } from "../../identifiers.ts";
import type { Log } from "../../log/log.ts";
import { SERVICE_TENANT } from "../../principal.ts";
import { AUDIT_LOGS } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { assertAuditable } from "./assert-auditable.ts";
import type { Audit } from "./audit.ts";
import { type ChangeEvent, createEventHead, type DenialEvent, toEventCommit } from "./audit-event.ts";
import { loadAuditedTenants } from "./audited-tenants.ts";
import { type Broken, createCheckpointer } from "./checkpoints.ts";
import { createDenials } from "./denials.ts";
import type { Signer } from "./signing-key.ts";
import { toVkey } from "./verify/note.ts";

/** A log that has grown has a new checkpoint after so many milliseconds, or so many entries. */
export const CHECKPOINT_MS = 10_000;
export const CHECKPOINT_ENTRIES = 1_000;

export interface AuditOptions {
  readonly store: Store;
  readonly signer: Signer;
  readonly createId: () => string;
  readonly randomBytes: RandomBytes;
  readonly now: () => number;
  readonly log: Log;
}

/** Looks whether the logs are whole, as far as they have grown since their checkpoints, and keeps them so. */
export async function openAudit({ store, signer, createId, randomBytes, now, log }: AuditOptions): Promise<Audit> {
  const advance = createCheckpointer({ store, signer });
  const broken = new Map<string, Broken>();
  /** Tenants whose logs have grown, to the first sequence number without a checkpoint. */
  let grown = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let working = Promise.resolve();
  const toHead = createEventHead(createId, randomBytes);
  const denials = createDenials({
    now,
    async write(counted) {
      const byTenant = Map.groupBy(counted, ({ tenant }) => tenant);
      for (const [tenant, of] of byTenant) {
        if (broken.has(tenant)) continue;
        await append(of.map((denial): DenialEvent => ({ ...toHead(), ...denial }))).catch(onError);
      }
    },
  });

  const isBroken = (tenant: string): boolean => broken.size > 0 && broken.has(tenant);

  function onError(error: unknown): void {
    log.error({ err: error }, "audit could not be written");
  }

  function appended(name: string, seq: number): void {
    // Calls append to other logs as well.
    if (!name.startsWith(AUDIT_LOGS)) return;
    const tenant = name.slice(AUDIT_LOGS.length);
    const first = grown.get(tenant);
    if (first === undefined) grown.set(tenant, seq);
    if (first !== undefined && seq - first + 1 >= CHECKPOINT_ENTRIES) void checkpoint();
    else timer ??= setTimeout(() => void checkpoint(), CHECKPOINT_MS).unref();
  }

  async function append(events: readonly (ChangeEvent | DenialEvent)[]): Promise<void> {
    const commit = toEventCommit(events);
    const result = await store.commit(commit);
    if (result.ok) commit.append.forEach(({ log: name }, index) => appended(name, result.logs[index]?.seq ?? 0));
  }

  /** One after the other, so that nothing is done twice. */
  function checkpoint(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const tenants = [...grown.keys()];
    grown = new Map();
    working = working.then(() => advanceAll(tenants));
    return working;
  }

  async function advanceAll(tenants: readonly string[]): Promise<void> {
    for (const tenant of tenants) {
      if (broken.has(tenant)) continue;
      try {
        const found = await advance(tenant);
        if (found === undefined) continue;
        broken.set(tenant, found);
        log.error(
          { ...found },
          "audit log is broken: nothing more is written to it, and its tenant's calls are refused",
        );
      } catch (error) {
        // The store cannot be reached now; what is not vouched for yet will be looked at with what comes next.
        onError(error);
      }
    }
  }

  await advanceAll(await loadAuditedTenants(store));

  return Object.freeze<Audit>({
    denied: denials.add,
    async changed({ tenant = SERVICE_TENANT, ...change }) {
      assertAuditable({ isBroken }, tenant);
      const head = toHead();
      await append([{ ...head, kind: "change", tenant, at: now(), ...change }]);
      return head.id;
    },
    isBroken,
    appended,
    vkey: toVkey(signer.key),
    async settled() {
      await denials.flush();
      await checkpoint();
    },
    health: () => ({ ok: broken.size === 0, broken: [...broken.values()] }),
    async close() {
      await denials.flush();
      await checkpoint();
    },
  });
}
