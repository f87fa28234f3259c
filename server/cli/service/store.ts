import { copyStore } from "../../app/copy-store.ts";
import { loadStoreConfig, type StoreConfig } from "../../config/config-store.ts";
import { CairnError } from "../../errors.ts";
import { createCommand, type CommandContext, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { createProgress } from "../progress.ts";
import { DATA_OPTION, loadAuditConfig } from "../with-store.ts";

const PLACE = "`lmdb`, or `postgres://user@host/database` with CAIRN_STORE_PASSWORD";

/** `cairn store copy`: the store of a stopped service into a database, or back. */
export const createStoreCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "store", description: "Move the store of a stopped service into a database, or back" },
    subCommands: { copy: createStoreCopy(context) },
  });

function createStoreCopy(context: CommandContext) {
  return createCommand({
    meta: { name: "store copy", description: "Copy the store as it is, and use the copy from then on" },
    args: {
      from: { type: "string", required: true, valueHint: "place", description: `Where it is: ${PLACE}` },
      to: { type: "string", required: true, valueHint: "place", description: `Where it goes: ${PLACE}` },
      ...DATA_OPTION,
    },
    async run({ args }) {
      const { environment, out, err, now } = context;
      const { data } = loadAuditConfig({ ...environment, CAIRN_STORE: "lmdb" }, args.data);
      const [from, to] = [readPlace(context, args.from), readPlace(context, args.to)];
      const database = to.engine === "postgres" ? to : from;
      if (from.engine === to.engine || database.engine === "lmdb") {
        throw new CairnError("BAD_REQUEST", "One of `--from` and `--to` must be `lmdb`, the other a database.");
      }
      const direction = to.engine === "postgres" ? "to-database" : "to-folder";
      const onWait = (holder: string) => err(`cairn: waiting for ${holder} to let go of \`${data}\``);
      const onProgress = createProgress(context);
      const { entries, links, results, left } = await copyStore({
        data,
        command: "store copy",
        database,
        direction,
        now,
        onWait,
        onProgress,
      });
      out(`${entries} entries, ${links} links of logs and ${results} results of commits were copied, each as it was.`);
      out(
        direction === "to-database"
          ? `Set CAIRN_STORE to the database from now on. The former store stays in \`${left}\`, out of use.`
          : "Unset CAIRN_STORE from now on. The former store stays in its database, out of use.",
      );
      return EXIT.OK;
    },
  });
}

function readPlace({ environment }: CommandContext, place: string): StoreConfig {
  return loadStoreConfig({ ...environment, CAIRN_STORE: place });
}
