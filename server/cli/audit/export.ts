import { resolve } from "node:path";
import { loadAuditedTenants } from "../../kernel/audit/audited-tenants.ts";
import { createCheckpointer } from "../../kernel/audit/checkpoints.ts";
import { exportLog } from "../../kernel/audit/export-log.ts";
import { loadServiceSigner } from "../../kernel/audit/service-key.ts";
import { DATA_OPTION, loadAuditConfig, TENANT_OPTION, withStore } from "../with-store.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { createProgress } from "../progress.ts";

/** `cairn audit export <dir>`: the logs as files, up to this moment. */
export const createAuditExport: CreateCommand = (context) =>
  createCommand({
    meta: { name: "audit export", description: "Write audit logs into a folder, for whoever is to verify them" },
    args: {
      dir: { type: "positional", required: true, description: "Folder to write into, one folder a tenant" },
      ...TENANT_OPTION,
      ...DATA_OPTION,
    },
    async run({ args }) {
      const { environment, folder, out, err } = context;
      const config = loadAuditConfig(environment, args.data);
      const signer = await loadServiceSigner(config);
      return withStore({ context, command: "audit export", data: config.data }, async (store) => {
        const advance = createCheckpointer({ store, signer });
        const progress = createProgress(context);
        const tenants = args.tenant === undefined ? await loadAuditedTenants(store) : [args.tenant];
        let code: number = EXIT.OK;
        for (const tenant of tenants) {
          const broken = await advance(tenant);
          const entries = await exportLog(store, tenant, resolve(folder, args.dir), (count) =>
            progress(`${tenant}: ${count} entries so far`),
          );
          out(`${tenant}: ${entries} entries`);
          if (broken === undefined) continue;
          err(`cairn: the log of \`${tenant}\` is broken at entry ${broken.seq}: ${broken.problem}.`);
          code = EXIT.FAILED;
        }
        return code;
      });
    },
  });
