import { resolve } from "node:path";
import { checkBackup, restoreBackup } from "../../backup/restore-backup.ts";
import { readConfig, readDataFolder } from "../../config/config.ts";
import { CairnError } from "../../errors.ts";
import { findServiceSigner } from "../../kernel/audit/service-key.ts";
import { summarise } from "./backup.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { createProgress, toSignal } from "../progress.ts";

/** `cairn restore <from>`: makes a data folder of a backup. */
export const createRestoreCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "restore", description: "Make a data folder of a backup, or look whether a backup is whole" },
    args: {
      from: { type: "positional", required: true, valueHint: "folder", description: "What `cairn backup` made" },
      check: { type: "boolean", description: "Compare the backup with its checksums, and write nothing" },
      data: {
        type: "string",
        valueHint: "folder",
        description: "The data folder to be: missing or empty (default: CAIRN_DATA, or .cairn)",
      },
    },
    async run({ args }) {
      const { environment, folder, out, err, now } = context;
      const backup = resolve(folder, args.from);
      const [progress, signal] = [createProgress(context), toSignal(context)];
      const onEntry = (path: string) => {
        if (signal.aborted) throw new CairnError("CANCELLED", "Stopped; nothing was restored.");
        progress(`at \`${path}\``);
      };
      if (args.check === true) {
        const manifest = await checkBackup({ backup, onEntry });
        out(`${backup} is whole: ${summarise(manifest)}, as of ${manifest.begunAt}`);
        return EXIT.OK;
      }
      const data = args.data === undefined ? readDataFolder(environment) : resolve(folder, args.data);
      const manifest = await restoreBackup({ backup, data, now, onEntry });
      out(`${data} holds what was backed up at ${manifest.begunAt}: ${summarise(manifest)}`);
      const read = readConfig({ ...environment, CAIRN_DATA: data });
      await findServiceSigner(read.ok ? read.config : { data }).catch((error: unknown) => {
        err(`cairn: before you start a service: ${(error as Error).message}`);
      });
      return EXIT.OK;
    },
  });
