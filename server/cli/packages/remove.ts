import { removePackages } from "../../imports/packages/packages-lock.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { chooseLocked } from "./choose-locked.ts";

/** `cairn deps remove <package>...`: takes bundled packages out, with their types and licences. */
export const createDepsRemove: CreateCommand = (context) =>
  createCommand({
    meta: { name: "deps remove", description: "Take bundled packages out, with their types and licences" },
    args: {
      package: {
        type: "positional",
        required: true,
        valueHint: "package...",
        description: "Packages, by their names or those of their files",
      },
    },
    async run({ args }) {
      const { lock, chosen } = await chooseLocked(context, args._);
      const stems = chosen.map(([stem]) => stem);
      await removePackages(context.folder, stems, lock);
      for (const stem of stems) context.out(`removed  tools/_deps/${stem}.js`);
      return EXIT.OK;
    },
  });
