import { randomBytes } from "node:crypto";
import { createEventHead } from "../../kernel/audit/audit-event.ts";
import { redact } from "../../kernel/audit/redact.ts";
import { isName } from "../../auth/claims.ts";
import { CairnError } from "../../errors.ts";
import { createIdentifiers } from "../../identifiers.ts";
import { DATA_OPTION, loadAuditConfig, TENANT_OPTION, withStore } from "../with-store.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";

/** `cairn audit redact <id>`: for what must not be kept, which the chain outlives. */
export const createAuditRedact: CreateCommand = (context) =>
  createCommand({
    meta: { name: "audit redact", description: "Take a record away for good; the log then says that it was" },
    args: {
      id: {
        type: "positional",
        required: true,
        description: "Of the record: a call's id, or that of a denial or change",
      },
      tenant: { ...TENANT_OPTION.tenant, required: true },
      actor: { type: "string", required: true, description: "Who takes it away, for the log" },
      ...DATA_OPTION,
    },
    async run({ args }) {
      if (!isName(args.actor)) {
        const message = "`--actor` must say who takes it away, without characters that nobody sees.";
        throw new CairnError("BAD_REQUEST", message);
      }
      const { environment, out } = context;
      const { data } = loadAuditConfig(environment, args.data);
      return withStore({ context, command: "audit redact", data }, async (store) => {
        const toHead = createEventHead(createIdentifiers(Date.now), randomBytes);
        await redact({ store, toHead, now: Date.now }, args.tenant, new Set([args.id]), args.actor);
        out(`The record \`${args.id}\` is gone.`);
        return EXIT.OK;
      });
    },
  });
