import { createCommand, type CreateCommand } from "../command.ts";
import { createDepsAdd } from "./add.ts";
import { createDepsCheck } from "./check.ts";
import { createDepsRemove } from "./remove.ts";
import { createDepsUpdate } from "./update.ts";

/** `cairn deps`: packages of npm that handlers import, bundled and committed. */
export const createDepsCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "deps", description: "Bundle packages of npm for handlers, and freeze them with the version" },
    subCommands: {
      add: createDepsAdd(context),
      update: createDepsUpdate(context),
      remove: createDepsRemove(context),
      check: createDepsCheck(context),
    },
  });
