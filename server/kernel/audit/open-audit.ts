import type { RandomBytes } from "../../identifiers.ts";
import type { Log } from "../../log/log.ts";
import { SERVICE_TENANT } from "../../principal.ts";
import type { Store } from "../../store/store.ts";
import { assertAuditable, type Audit } from "./audit.ts";
import { type ChangeEvent, createEventHead, type DenialEvent, toEventCommit } from "./audit-event.ts";
import { loadAuditedTenants } from "./audited-tenants.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { type Counted, createDenials } from "./denials.ts";
import type { Signer } from "./signing-key.ts";
import { toVkey } from "./verify/note.ts";

export interface AuditOptions {
  readonly store: Store;
  readonly signer: Signer;
  readonly createId: () => string;
  readonly randomBytes: RandomBytes;
  readonly now: () => number;
  readonly log: Log;
}

/** Opens the audit once it has checked that all logs are whole, as far as they have grown since their checkpoints. */
export async function openAudit({ store, signer, createId, randomBytes, now, log }: AuditOptions): Promise<Audit> {
  const checkpoints = createCheckpoints({ store, signer, log });
  const { appended, isBroken } = checkpoints;
  const toHead = createEventHead(createId, randomBytes);

  async function append(events: readonly (ChangeEvent | DenialEvent)[]): Promise<void> {
    const commit = toEventCommit(events);
    const result = await store.commit(commit);
    if (result.ok) commit.append.forEach(({ log: name }, index) => appended(name, result.logs[index]?.seq ?? 0));
  }

  async function writeDenials(counted: readonly Counted[]): Promise<void> {
    for (const [tenant, of] of Map.groupBy(counted, (denial) => denial.tenant)) {
      if (isBroken(tenant)) continue;
      await append(of.map((denial): DenialEvent => ({ ...toHead(), ...denial }))).catch((error: unknown) => {
        log.error({ err: error }, "audit could not be written");
      });
    }
  }

  const denials = createDenials({ now, write: writeDenials });
  const settled = async () => {
    await denials.flush();
    await checkpoints.settle();
  };
  await checkpoints.advance(await loadAuditedTenants(store));

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
    settled,
    health() {
      const broken = checkpoints.broken();
      return { ok: broken.length === 0, broken };
    },
    close: settled,
  });
}
