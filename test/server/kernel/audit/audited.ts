import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Audit } from "../../../../server/kernel/audit/audit.ts";
import { openAudit } from "../../../../server/kernel/audit/open-audit.ts";
import { loadSigner, type Signer } from "../../../../server/kernel/audit/signing-key.ts";
import { createJournal, type Journal } from "../../../../server/kernel/journal.ts";
import type { CallRecord } from "../../../../server/kernel/record.ts";
import { createLog } from "../../../../server/log/log.ts";
import type { Store } from "../../../../server/store/store.ts";
import { createTransaction } from "../../../../server/kernel/transaction.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { createId, toCallRecord } from "./call-record.ts";

export interface Audited {
  readonly store: Store;
  readonly signer: Signer;
  readonly audit: Audit;
  readonly journal: Journal;
  /** Lines of log. */
  readonly logged: string[];
  /** Writes the record of a call that had effects. */
  call(tenant: string, more?: Partial<CallRecord>): Promise<CallRecord>;
}

export async function openSigner(): Promise<Signer> {
  return loadSigner(join(await temporaryFolder(), "audit.key"), randomBytes);
}

/** A store with an audit and a journal, as a service has them. */
export async function openAudited(
  options: { readonly store?: Store; readonly signer?: Signer; readonly now?: () => number } = {},
): Promise<Audited> {
  const store = options.store ?? (await openTestStore());
  const signer = options.signer ?? (await openSigner());
  const now = options.now ?? Date.now;
  const logged: string[] = [];
  const log = createLog("info", { write: (line) => void logged.push(line) });
  const audit = await openAudit({ store, signer, createId, randomBytes, now, log });
  onTestFinished(() => audit.close());
  const journal = createJournal({ store, log, audit });
  return {
    store,
    signer,
    audit,
    journal,
    logged,
    async call(tenant, more = {}) {
      const record = toCallRecord(tenant, more);
      await journal.commit(record, createTransaction(store).staged());
      return record;
    },
  };
}
