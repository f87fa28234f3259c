import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CairnError } from "../../errors.ts";
import { defined } from "../../json/defined.ts";
import { type ImportLock, loadLock, toLockPath, writeLock } from "../../imports/import-lock.ts";
import { mergeFiles } from "../../imports/merge-files.ts";
import { saveText } from "../../imports/save-text.ts";
import { nameImport } from "../../imports/openapi/base-url.ts";
import { listOperations, type Operation } from "../../imports/openapi/list-operations.ts";
import { loadDocument, type LoadedDocument } from "../../imports/openapi/load-document.ts";
import { planTools, type ToolPlan } from "../../imports/openapi/plan-tools.ts";
import { recordAnswers, type RecordedAnswers } from "../../imports/openapi/record-answers.ts";
import { isAuth, toConstant } from "../../imports/openapi/security.ts";
import { selectOperations } from "../../imports/openapi/select-operations.ts";
import { nameTools } from "../../imports/openapi/tool-names.ts";
import { type WrittenFiles, writeFiles } from "../../imports/openapi/write-files.ts";
import { formatProblems } from "../../versions/format-problems.ts";
import { type CliContext, createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { createProgress } from "../progress.ts";
import { readRepeated } from "../repeated.ts";
import { openTarget } from "../versions/open-target.ts";
import { refreshTypes } from "../versions/refresh-types.ts";
import { askForOperations, listChoices } from "./choose-operations.ts";
import { reportImport } from "./report-import.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const LIBRARY = "tools/_lib/http-api.ts";
/** Operations of a document that is imported as a whole where nobody chooses. */
const SMALL = 25;
/** Time that recorded examples read, in milliseconds since 1970; fixed, so that an import twice writes the same files. */
const RECORDED_AT = Date.UTC(2026, 0, 31, 12);
const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** `cairn import openapi <file|url>`: tools of the operations of an OpenAPI document. */
export const createImportOpenApiCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "openapi", description: "Make tools of the operations of an OpenAPI document, or renew them" },
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
      const started = await start(context, args);
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
      return importDocument(context, started, await choose(context, started, selection));
    },
  });

interface Started {
  readonly loaded: LoadedDocument;
  readonly name: string;
  readonly lock: ImportLock | undefined;
  readonly names: ReadonlyMap<Operation, string>;
  readonly options: Parameters<typeof planTools>[2];
}

interface Given {
  readonly source?: string | undefined;
  readonly name?: string | undefined;
  readonly server?: string | undefined;
  readonly "base-url"?: string | undefined;
  readonly auth?: string | undefined;
}

async function start({ folder }: CliContext, args: Given): Promise<Started> {
  const earlier = args.name === undefined ? undefined : await loadLock(folder, checkName(args.name));
  const source = args.source ?? earlier?.source;
  if (source === undefined) throw new CairnError("BAD_REQUEST", "Name the file or the address of an OpenAPI document.");
  const loaded = await loadDocument(source, { folder, fetch });
  const operations = listOperations(loaded.document);
  if (operations.length === 0) throw new CairnError("BAD_REQUEST", `\`${source}\` has no operations under \`paths\`.`);
  const name = args.name ?? nameImport(loaded.document, source);
  const lock = earlier ?? (await loadLock(folder, name));
  const server = args.server ?? lock?.server ?? name;
  return {
    loaded,
    name,
    lock,
    names: nameTools(operations, { server: checkName(server), known: lock?.tools ?? new Map() }),
    options: {
      server,
      source,
      baseUrl: args["base-url"] ?? lock?.baseUrl,
      auth: args.auth ?? lock?.auth,
      secret: toConstant(name),
    },
  };
}

function checkName(name: string): string {
  if (NAME.test(name)) return name;
  throw new CairnError(
    "BAD_REQUEST",
    `\`${name}\` cannot be a name: it has lower-case letters, digits and dashes, after a letter, at most 32.`,
  );
}

/** Adds the operations that are asked for now to those of earlier imports. */
async function choose(
  context: CliContext,
  { names, lock, loaded }: Started,
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

async function importDocument(
  context: CliContext,
  { loaded, name, lock, names, options }: Started,
  chosen: ReadonlyMap<Operation, string>,
): Promise<number> {
  const { folder } = context;
  const { server, source, baseUrl, auth } = options;
  const { title } = loaded.document;
  const { plans, refused } = planTools(chosen, loaded.document, options);
  const library = await readFile(join(ROOT, LIBRARY), "utf8");
  const written = writeFiles(plans, { name, server, title, library });
  const before = splitRecordings(lock?.files ?? new Map());
  const isNothing = plans.length === 0 && lock === undefined;
  const merged = isNothing ? new Map() : await mergeFiles(folder, { base: before.others, next: written.files });
  const checked: Checked = isNothing ? {} : await check(context, plans, written);
  const { recordings = before.recordings } = checked;
  const recorded = await mergeFiles(folder, { base: before.recordings, next: recordings, isWhole: true });
  const outcomes = new Map([...merged, ...recorded]);
  const files = [...written.files, ...recordings].filter(
    ([path]) => outcomes.get(path) !== "kept" || lock?.files.has(path),
  );
  const tools = new Map(plans.map(({ operation, stem }) => [operation.key, stem]));
  const next = { source, digest: loaded.digest, server, ...defined({ baseUrl, auth }), tools, files: new Map(files) };
  if (!isNothing) await saveText(join(folder, toLockPath(name)), writeLock(next));
  const { examples } = written;
  return reportImport(context, {
    name,
    title,
    total: names.size,
    plans,
    refused,
    outcomes,
    lock,
    examples,
    ...checked,
  });
}

function splitRecordings(files: ReadonlyMap<string, string>) {
  const isRecording = ([path]: readonly [string, string]) => path.endsWith(".recording.yaml");
  const all = [...files];
  return {
    recordings: new Map(all.filter(isRecording)),
    others: new Map(all.filter((file) => !isRecording(file))),
  };
}

interface Checked extends Partial<RecordedAnswers> {
  /** Problems of the tree, as text, where it does not load. */
  readonly problems?: string;
}

/** Checks that the tools here load, writes their types, and records what their examples send. */
async function check(context: CliContext, plans: readonly ToolPlan[], written: WrittenFiles): Promise<Checked> {
  const { loaded, readText, close } = await openTarget(context, ".");
  try {
    if (!loaded.ok) return { problems: formatProblems(loaded.problems, "text").trimEnd() };
    await refreshTypes(context.folder, loaded.version, [...new Set(plans.map(({ server }) => server))]);
    const progress = createProgress(context);
    let count = 0;
    const examples = new Map(
      plans.flatMap(({ server, stem, output: { status } }) => {
        const example = written.examples.get(`${server}.${stem}`);
        return example === undefined ? [] : [[`${server}.${stem}`, { ...example, status }] as const];
      }),
    );
    const onTool = () => progress(`${++count} of ${examples.size} examples are recorded`);
    return await recordAnswers({ version: loaded.version, readText, examples, at: RECORDED_AT, onTool });
  } finally {
    close();
  }
}
