import { createCommand, type CreateCommand } from "../command.ts";
import { createImportOpenApiCommand } from "./import-openapi.ts";

/** `cairn import`: tools made of what describes an API elsewhere. */
export const createImportCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "import", description: "Make tools of an API's own description" },
    subCommands: { openapi: createImportOpenApiCommand(context) },
  });
