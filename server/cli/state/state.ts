import { createCommand, type CreateCommand } from "../command.ts";
import { createStateCheck } from "./check.ts";
import { createStateCopy } from "./copy.ts";
import { createStateDelete } from "./delete.ts";
import { createStateExport } from "./export.ts";
import { createStateGet } from "./get.ts";
import { createStateImport } from "./import.ts";
import { createStateList } from "./list.ts";
import { createStateShow } from "./show.ts";

/** `cairn state ...`: data that tools keep, for the operator of its data folder. */
export const createStateCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "state", description: "List, show, check, export, import, move and delete what tools keep" },
    subCommands: {
      list: createStateList(context),
      show: createStateShow(context),
      get: createStateGet(context),
      check: createStateCheck(context),
      export: createStateExport(context),
      import: createStateImport(context),
      copy: createStateCopy("copy")(context),
      move: createStateCopy("move")(context),
      delete: createStateDelete(context),
    },
  });
