import { createAuditExport } from "./export.ts";
import { createAuditQuery } from "./query.ts";
import { createAuditRedact } from "./redact.ts";
import { createAuditVerify } from "./verify.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { loadServiceSigner } from "../../kernel/audit/service-key.ts";
import { toLogKey } from "../../kernel/audit/verify/checkpoint.ts";
import { toVkey } from "../../kernel/audit/verify/note.ts";
import { DATA_OPTION, loadAuditConfig, TENANT_OPTION } from "../with-store.ts";
import { EXIT } from "../exit-codes.ts";

/** `cairn audit ...`: what an auditor does. */
export const createAuditCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "audit", description: "Read, export and verify the audit logs" },
    subCommands: {
      key: createAuditKey(context),
      export: createAuditExport(context),
      verify: createAuditVerify(context),
      query: createAuditQuery(context),
      redact: createAuditRedact(context),
    },
  });

/** `cairn audit key`: what checkpoints are verified with. */
const createAuditKey: CreateCommand = ({ environment, out }) =>
  createCommand({
    meta: { name: "audit key", description: "Print the public key that checkpoints are signed with" },
    args: {
      ...DATA_OPTION,
      tenant: {
        ...TENANT_OPTION.tenant,
        description: "Under the name of this tenant's log, as other verifiers want it",
      },
    },
    async run({ args }) {
      const { key } = await loadServiceSigner(loadAuditConfig(environment, args.data));
      out(toVkey(args.tenant === undefined ? key : toLogKey(key, args.tenant)));
      return EXIT.OK;
    },
  });
