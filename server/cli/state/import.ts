import { resolve } from "node:path";
import { loadDump } from "../../capabilities/state/data/dump.ts";
import { showPlace } from "../../capabilities/state/data/place.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "../with-store.ts";
import { carryOut } from "./carry-out.ts";
import { CHANGE_OPTIONS, loadPlace, OVERWRITE_OPTION, STATE_ARGUMENT, STATE_TENANT_OPTION } from "./state-options.ts";

/** `cairn state import <server/scope> <file>`: what an export holds, checked as a whole before anything is written. */
export const createStateImport: CreateCommand = (context) =>
  createCommand({
    meta: { name: "state import", description: "Check an export as a whole, and write it into a state" },
    args: {
      ...STATE_ARGUMENT,
      file: { type: "positional", required: true, valueHint: "file", description: "Of `cairn state export`" },
      ...OVERWRITE_OPTION,
      ...CHANGE_OPTIONS,
      ...STATE_TENANT_OPTION,
      ...DATA_OPTION,
    },
    async run({ args }) {
      const { data } = loadAuditConfig(context.environment, args.data);
      const target = await loadPlace(context, data, args.tenant, args.state);
      const { head, source } = await loadDump(resolve(context.folder, args.file), target);
      return withStore({ context, command: "state import", data }, (store) =>
        carryOut(context, args, {
          store,
          source,
          target,
          what: { change: "state.imported", from: `${head.tenant}:${showPlace(head)} of ${head.exportedAt}` },
        }),
      );
    },
  });
