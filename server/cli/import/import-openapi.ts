import { access } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../../errors.ts";
import type { Operation } from "../../imports/openapi/list-operations.ts";
import { planTools } from "../../imports/openapi/plan-tools.ts";
import { isAuth } from "../../imports/openapi/security.ts";
import { selectOperations } from "../../imports/openapi/select-operations.ts";
import { type CliContext, createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { readRepeated } from "../repeated.ts";
import { askForOperations, listChoices } from "./choose-operations.ts";
import { reportImport } from "./report-import.ts";
import { type StartedImport, startImport, writeImport } from "./write-import.ts";

/** Operations of a document that is imported as a whole where nobody chooses. */
const SMALL = 25;

/** `cairn import openapi <file|url>`: tools of the operations of an OpenAPI document. */
export const createImportOpenApiCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "import openapi", description: "Make tools of the operations of an OpenAPI document, or renew them" },
    args: {
      source: {
        type: "positional",
        required: false,
        description: "File or address of the document (default: that of the last import)",
        valueHint: "file|url",
      },
      name: { type: "string", description: "Name of the import and its files (default: of the API's host)" },
      server: { type: "string", description: "MCP server of the tools (default: the name)" },
      operations: {
        type: "string",
        valueHint: "pattern,...",
        description: "Operations by id, name of the tool or `GET /path`; `*` is any text; may be repeated",
      },
      tags: { type: "string", valueHint: "tag,...", description: "Operations by tag; may be repeated" },
      all: { type: "boolean", description: "All operations" },
      list: { type: "boolean", description: "Only list the operations, and say which cannot be imported" },
      "base-url": { type: "string", description: "Address of the API, in the place of the document's" },
      auth: { type: "string", description: "bearer, basic, header:<name> or none, in the place of the document's" },
    },
    async run({ args, rawArgs }) {
      const { folder } = context;
      await access(join(folder, "versions.yaml")).catch(() => {
        throw new CairnError(
          "BAD_REQUEST",
          "There is no versions.yaml here; `cairn init` makes a repository of tools.",
        );
      });
      if (args.auth !== undefined && !isAuth(args.auth))
        throw new CairnError("BAD_REQUEST", "`--auth` is bearer, basic, header:<name> or none.");
      const started = await startImport(context, args);
      const selection = {
        operations: readList(rawArgs, "operations"),
        tags: readList(rawArgs, "tags"),
        isAll: args.all === true,
      };
      if (args.list === true) {
        for (const line of listChoices(
          started.names,
          planTools(started.names, started.loaded.document, started.options),
        ))
          context.out(line);
        return EXIT.OK;
      }
      return reportImport(context, await writeImport(context, started, await choose(context, started, selection)));
    },
  });

/** Adds the operations that are asked for now to those of earlier imports. */
async function choose(
  context: CliContext,
  { names, lock, loaded }: StartedImport,
  selection: Parameters<typeof selectOperations>[1],
): Promise<ReadonlyMap<Operation, string>> {
  const isAsked = selection.isAll || selection.operations.length + selection.tags.length > 0;
  const { chosen, unused } = selectOperations(names, selection);
  if (unused.length > 0)
    throw new CairnError(
      "BAD_REQUEST",
      `No operation fits ${unused.map((one) => `\`${one}\``).join(", ")}; \`--list\` shows all.`,
    );
  const known = [...names.keys()].filter(({ key }) => lock?.tools.has(key));
  let added: readonly Operation[] = chosen;
  if (!isAsked && lock === undefined)
    added = names.size <= SMALL ? [...names.keys()] : await askForOperations(context, names, loaded.document.title);
  const wanted = new Set([...known, ...added]);
  return new Map([...names].filter(([operation]) => wanted.has(operation)));
}

function readList(rawArgs: readonly string[], name: string): readonly string[] {
  return readRepeated(rawArgs, name)
    .flatMap((text) => text.split(","))
    .map((text) => text.trim())
    .filter((text) => text !== "");
}
