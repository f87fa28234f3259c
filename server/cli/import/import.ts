import { createCommand, type CreateCommand } from "../command.ts";
import { createImportMcpCommand } from "./import-mcp.ts";

/** `cairn import`: tools made of what others serve already. */
export const createImportCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "import", description: "Make tools of what others serve already, and renew them" },
    subCommands: { mcp: createImportMcpCommand(context) },
  });
