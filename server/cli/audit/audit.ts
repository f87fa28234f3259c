import { createAuditExport } from "./export.ts";
import { createAuditKey } from "./key.ts";
import { createAuditQuery } from "./query.ts";
import { createAuditRedact } from "./redact.ts";
import { createAuditVerify } from "./verify.ts";
import { createCommand, type CreateCommand } from "../command.ts";

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
