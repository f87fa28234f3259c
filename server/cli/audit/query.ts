import { loadAuditedTenants } from "../../kernel/audit/audited-tenants.ts";
import { type AuditFilter, queryLog } from "../../kernel/audit/query-log.ts";
import { printable } from "../../text/printable.ts";
import { DATA_OPTION, loadAuditConfig, TENANT_OPTION, withStore } from "../with-store.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { readTime } from "../read-time.ts";

/** `cairn audit query`: records as JSON Lines, oldest first. */
export const createAuditQuery: CreateCommand = (context) =>
  createCommand({
    meta: { name: "audit query", description: "Print the records that audit logs name, as JSON Lines" },
    args: {
      ...TENANT_OPTION,
      kind: { type: "enum", options: ["call", "denial", "change"], description: "What they are of" },
      actor: { type: "string", description: "Who did it" },
      tool: { type: "string", description: "The tool's full name" },
      outcome: { type: "string", description: "`ok`, the name of an error or of a change" },
      version: { type: "string", description: "Semver or commit that answered" },
      conversation: { type: "string", description: "A conversation's id" },
      since: { type: "string", valueHint: "time", description: "RFC 3339: not before" },
      until: { type: "string", valueHint: "time", description: "RFC 3339: before" },
      ...DATA_OPTION,
    },
    async run({ args }) {
      const { environment, out } = context;
      const { tenant, data: named, since, until, ...wanted } = args;
      const words = ["kind", "actor", "tool", "outcome", "version", "conversation"] as const;
      const filter: AuditFilter = {
        ...Object.fromEntries(words.flatMap((word) => (wanted[word] === undefined ? [] : [[word, wanted[word]]]))),
        ...(since === undefined ? {} : { since: readTime("since", since) }),
        ...(until === undefined ? {} : { until: readTime("until", until) }),
      };
      const { data } = loadAuditConfig(environment, named);
      return withStore({ context, command: "audit query", data }, async (store) => {
        for (const log of tenant === undefined ? await loadAuditedTenants(store) : [tenant]) {
          for await (const found of queryLog(store, log, filter)) out(printable(JSON.stringify(found)));
        }
        return EXIT.OK;
      });
    },
  });
