import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CairnError } from "../../errors.ts";
import { defined } from "../../json/defined.ts";
import { listImports, loadUpstream } from "../../imports/drift/list-imports.ts";
import { type ImportLock, loadLock, toLockPath, writeLock } from "../../imports/import-lock.ts";
import { mergeFiles } from "../../imports/merge-files.ts";
import { saveText } from "../../imports/save-text.ts";
import { nameImport } from "../../imports/openapi/base-url.ts";
import { listOperations, type Operation } from "../../imports/openapi/list-operations.ts";
import { loadDocument, type LoadedDocument } from "../../imports/openapi/load-document.ts";
import { planTools, type ToolPlan } from "../../imports/openapi/plan-tools.ts";
import { recordAnswers, type RecordedAnswers } from "../../imports/openapi/record-answers.ts";
import { toConstant } from "../../imports/openapi/security.ts";
import { nameTools } from "../../imports/openapi/tool-names.ts";
import { type WrittenFiles, writeFiles } from "../../imports/openapi/write-files.ts";
import { formatProblems } from "../../versions/format-problems.ts";
import type { CliContext } from "../command.ts";
import { createProgress } from "../progress.ts";
import { openTarget } from "../versions/open-target.ts";
import { refreshTypes } from "../versions/refresh-types.ts";
import type { ImportReport } from "./report-import.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const LIBRARY = "tools/_lib/http-api.ts";
/** Time that recorded examples read, in milliseconds since 1970; fixed, so that an import twice writes the same files. */
const RECORDED_AT = Date.UTC(2026, 0, 31, 12);
const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** An import whose document is loaded. */
export interface StartedImport {
  readonly loaded: LoadedDocument;
  readonly name: string;
  readonly lock: ImportLock | undefined;
  readonly names: ReadonlyMap<Operation, string>;
  readonly options: Parameters<typeof planTools>[2];
}

/** Options of a command line about an import; the rest is as it was the last time. */
interface Given {
  readonly source?: string | undefined;
  readonly name?: string | undefined;
  readonly server?: string | undefined;
  readonly "base-url"?: string | undefined;
  readonly auth?: string | undefined;
}

/** Starts an import anew, or again. `loaded`: its document, where that is here already. @throws BAD_REQUEST, NOT_FOUND or UPSTREAM_ERROR */
export async function startImport(
  { folder }: Pick<CliContext, "folder">,
  args: Given,
  given?: LoadedDocument,
): Promise<StartedImport> {
  const earlier = args.name === undefined ? undefined : await loadLock(folder, checkName(args.name));
  const source = args.source ?? earlier?.source;
  if (source === undefined) throw new CairnError("BAD_REQUEST", "Name the file or the address of an OpenAPI document.");
  const loaded = given ?? (await loadDocument(source, { folder, fetch }));
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
      secrets: lock?.secrets ?? new Map(),
      isAgain: lock !== undefined,
      taken: await findTakenSecrets(folder, name),
    },
  };
}

/**
 * Finds the names of secrets that other imports have: with one of these, a host would get what belongs to another. Of an import whose
 * credentials a person named, the record has no name; it is that of the import.
 */
async function findTakenSecrets(folder: string, name: string): Promise<ReadonlySet<string>> {
  const others = (await listImports(folder)).filter((one) => !(one.kind === "openapi" && one.name === name));
  const names = others.map(async (one) => {
    if (one.kind === "mcp") return (await loadUpstream(folder, one.name)).secrets?.map((secret) => secret.name) ?? [];
    const { secrets, auth = "none" } = (await loadLock(folder, one.name)) ?? { secrets: new Map<string, string>() };
    return [...secrets.values(), ...(auth === "none" ? [] : [toConstant(one.name)])];
  });
  return new Set((await Promise.all(names)).flat());
}

function checkName(name: string): string {
  if (NAME.test(name)) return name;
  throw new CairnError(
    "BAD_REQUEST",
    `\`${name}\` cannot be a name: it has lower-case letters, digits and dashes, after a letter, at most 32.`,
  );
}

/** Writes the tools of some operations into a folder. Edits that people made since the last import stay. */
export async function writeImport(
  context: CliContext,
  { loaded, name, lock, names, options }: StartedImport,
  chosen: ReadonlyMap<Operation, string>,
): Promise<ImportReport> {
  const { folder } = context;
  const { server, source, baseUrl, auth } = options;
  const { title } = loaded.document;
  const { plans, refused, secrets } = planTools(chosen, loaded.document, options);
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
  const next = {
    source,
    digest: loaded.digest,
    server,
    ...defined({ baseUrl, auth }),
    tools,
    secrets,
    files: new Map(files),
  };
  if (!isNothing) await saveText(join(folder, toLockPath(name)), writeLock(next));
  const { examples } = written;
  const others = [...names].flatMap(([operation, stem]) => (chosen.has(operation) ? [] : [stem]));
  return { name, title, total: names.size, plans, refused, others, outcomes, lock, examples, ...checked };
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
