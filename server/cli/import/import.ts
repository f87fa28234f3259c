import { createCommand, type CreateCommand } from "../command.ts";
import { createImportMcpCommand } from "./import-mcp.ts";
import { createImportOpenApiCommand } from "./import-openapi.ts";

/** `cairn import`: tools made of what others serve or describe already. */
export const createImportCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "import", description: "Make tools of what others serve or describe already, and renew them" },
    subCommands: { mcp: createImportMcpCommand(context), openapi: createImportOpenApiCommand(context) },
  });
