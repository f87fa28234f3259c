import { CairnError } from "../../errors.ts";
import { type ImportLock, readLock, toLockPath } from "../../imports/import-lock.ts";
import { defined } from "../../json/defined.ts";
import { isObject } from "../../json/is-object.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import type { Json } from "../../json/types.ts";
import type { Redactor } from "../../log/redact.ts";
import { readYaml } from "../../versions/manifests/yaml/read-yaml.ts";
import { toRecordingPath } from "../../examples/recording.ts";
import type { Renewal } from "../pipeline/feedback-record.ts";
import type { ChangePlan, Plan } from "../planners/plan.ts";
import type { Ground } from "../planners/planner.ts";
import { findForbidden, findReach, toChangedFiles } from "./find-change-faults.ts";
import { findPathFaults } from "./find-path-faults.ts";
import { judge, refuseOverreach } from "./judge.ts";
import type { ChangedFile, Overreach } from "./overreach.ts";

export interface RenewalGround {
  readonly ground: Pick<Ground, "version" | "files" | "readText">;
  /** Finds credentials. */
  readonly redactor: Redactor;
}

/** Files of one import: those it may change, and those it may only take away. */
interface Own {
  readonly changes: ReadonlySet<string>;
  readonly removes: ReadonlySet<string>;
}

/** Members of an upstream's manifest that say what its server lists; all others are the repository's own. */
const LISTED: ReadonlySet<string> = new Set(["tools", "protocol", "server"]);

/**
 * Holds a plan that renews an import to the files of that import. It alone may write below `imports/`, and nothing else there than its
 * own record. The narrowness stops a source, or the process that asked it once that is taken over, from reaching the tools, handlers,
 * policies and upstreams that are not of this import: no name that a source chooses leads there. What the plan reaches for beyond what
 * the import had is left to a person, who is shown it.
 */
export async function guardRenewal(
  plan: ChangePlan,
  renewal: Renewal,
  { ground, redactor }: RenewalGround,
): Promise<Plan> {
  const files = await toChangedFiles(plan.files, ground);
  const lockPath = toLockPath(renewal.name);
  const isLock = ({ path }: ChangedFile) => path === lockPath;
  const isData = (file: ChangedFile) => isLock(file) || file.path.endsWith(".recording.yaml");
  const read = await readLocks(ground, plan, lockPath);
  if (read instanceof CairnError) return refuseOverreach([toFault(lockPath, read.message)], redactor);
  const own =
    renewal.kind === "openapi" ? findOwnOfDocument(ground, lockPath, read) : findOwnOfServer(ground, renewal.name);
  const strays = files.filter(
    ({ path, after }) => !own.changes.has(path) && !(after === undefined && own.removes.has(path)),
  );
  const isText = (path: string) => files.some((file) => file.path === path && file.before !== undefined);
  const paths = files.filter((file) => !isData(file)).map(({ path }) => path);
  const faults = [
    ...strays.map(({ path }) => toFault(path, `It is no file of the import \`${renewal.name}\`.`)),
    ...findPathFaults(paths, { files: ground.files, isText }),
    ...files.flatMap((file) => findOtherReach(file, renewal)),
  ];
  if (faults.length > 0) return refuseOverreach(faults, redactor);
  const written = files.filter((file) => !isLock(file));
  const change = { files: [...written, ...toTexts(read)], said: [["title", plan.title] as const] };
  // That the upstream has other tools is what is renewed.
  const reach = findReach({ ...change, files: written }, ground.version).filter(({ rule }) => rule !== "upstream");
  return judge(plan, [...findForbidden(change, redactor), ...reach], redactor);
}

interface Locks {
  readonly before?: ImportLock;
  readonly after?: ImportLock;
}

async function readLocks(ground: RenewalGround["ground"], plan: ChangePlan, path: string): Promise<Locks | CairnError> {
  const before = ground.files.includes(path) ? await ground.readText(path) : undefined;
  const after = plan.files.get(path) ?? undefined;
  try {
    return defined({
      before: before === undefined ? undefined : readLock(before, path),
      after: after === undefined ? undefined : readLock(after, path),
    });
  } catch (error) {
    if (error instanceof CairnError) return error;
    throw error;
  }
}

/** Finds the files of an OpenAPI import: those that its record names already, and new ones of its own folder. */
function findOwnOfDocument({ files }: RenewalGround["ground"], lockPath: string, { before, after }: Locks): Own {
  const known = [...(before?.files.keys() ?? [])];
  const server = before?.server ?? "";
  const isOwn = (path: string) => path.startsWith(`manifests/${server}/`) || path.startsWith(`tools/${server}/`);
  const fresh = [...(after?.files.keys() ?? [])].filter((path) => isOwn(path) && !files.includes(path));
  return { changes: new Set([lockPath, ...known, ...fresh, `tools/${server}/_types.d.ts`]), removes: new Set() };
}

/** Finds the files of an MCP import: its upstream and the manifests of tools that call it. Their handlers may only go. */
function findOwnOfServer({ version }: RenewalGround["ground"], name: string): Own {
  const tools = [...version.tools.values()].filter(({ upstreams }) => upstreams.includes(name));
  return {
    changes: new Set([`manifests/upstreams/${name}.yaml`, ...tools.map(({ file }) => file)]),
    removes: new Set(tools.flatMap((tool) => [tool.handler, toRecordingPath(tool)])),
  };
}

/** Finds that an upstream would be asked elsewhere, or with other credentials. */
function findOtherReach({ path, before, after }: ChangedFile, { kind, name }: Renewal): readonly Overreach[] {
  if (kind !== "mcp" || path !== `manifests/upstreams/${name}.yaml`) return [];
  if (toReach(path, before) === toReach(path, after)) return [];
  return [toFault(path, "It would change more of the upstream than the tools that its server lists.")];
}

function toReach(path: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const read = readYaml(path, text);
  const content = read.ok && isObject(read.value) ? read.value : {};
  return canonicalJson(
    Object.fromEntries(Object.entries(content).filter(([key]) => !LISTED.has(key))) as Readonly<Record<string, Json>>,
  );
}

/** The texts that a record keeps, as files: nobody sees them in the record itself. */
function toTexts({ before, after }: Locks): readonly ChangedFile[] {
  return [...(after?.files ?? [])].map(([path, text]) => ({ path, before: before?.files.get(path), after: text }));
}

function toFault(path: string, message: string): Overreach {
  return { rule: "path", path, message };
}
