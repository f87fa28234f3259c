import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ArchitectContext } from "../../server/architect/pipeline/context.ts";
import type { FeedbackRecord } from "../../server/architect/pipeline/feedback-record.ts";
import type { Repository } from "../../server/architect/pipeline/repository.ts";
import type { Candidate, Run } from "../../server/architect/pipeline/run.ts";
import type { Verification } from "../../server/architect/pipeline/verify/verification.ts";
import type { StepDone, WorkBook } from "../../server/architect/pipeline/work-book.ts";
import type { Plan } from "../../server/architect/planners/plan.ts";
import type { GateReport } from "../../server/capabilities/work/gate.ts";
import type { Workspaces } from "../../server/capabilities/workspace/open-workspaces.ts";
import type { Workspace } from "../../server/capabilities/workspace/workspace.ts";
import { CairnError } from "../../server/errors.ts";
import { createRedactor } from "../../server/log/redact.ts";
import { loader } from "./loader.ts";
import type { Registry } from "../../server/versions/registry/registry-types.ts";
import type { Version } from "../../server/versions/version.ts";
import { createGreeter } from "../fixtures/greeter.ts";
import { createMemoryForge, createMemoryRepository, type MemoryForge, type MemoryRepository } from "./memory-forge.ts";
import { loadFiles } from "./plan-ground.ts";

export const ID = "01a20306-1dca-7000-9757-e99bba9294a1";
export const NOW = Date.UTC(2026, 0, 1);
export const GREET = "manifests/runner/greet.yaml";

/** What the steps of the Architect work with, in memory: nothing starts a process, and nothing waits. */
export interface World {
  readonly context: ArchitectContext;
  readonly repository: MemoryRepository;
  readonly forge: MemoryForge;
  /** The commit of version 1.0.0, from which everything begins. */
  readonly first: string;
  readonly said: string[];
  readonly audited: object[];
  /** The names of the workspaces that there are. */
  readonly workspaces: ReadonlyMap<string, unknown>;
  /** The next plan that the planner makes; undefined: none. */
  plan: Plan | undefined;
  verification: Verification;
  /** Called when somebody would wait for the forge. */
  onPause: () => void;
  readVersion(oid: string): Promise<Version>;
}

export const PASSED: Verification = { status: "passed", checks: [], required: "patch", concerns: [] };
export const FAILED: Verification = {
  status: "failed",
  checks: [{ name: "examples", status: "failed", message: "It greets otherwise.", durationMs: 1 }],
  required: "patch",
  concerns: [],
};

export async function createWorld(given: Partial<ArchitectContext> = {}): Promise<World> {
  const repository = createMemoryRepository();
  const forge = createMemoryForge(repository);
  const greeter = new Map(Object.entries(await createGreeter()));
  const first = repository.commit(greeter, []);
  repository.branches.set("main", first);
  repository.tags.set("v1.0.0", first);
  const versions = new Map<string, Promise<Version>>();
  const folders = new Map<string, Map<string, string>>();

  async function load(oid: string): Promise<Version> {
    const loaded = await loadFiles(repository.read(oid).files);
    if (!loaded.ok) throw new CairnError("NOT_FOUND", JSON.stringify(loaded.problems));
    return { ...loaded.version, commit: oid };
  }
  const readVersion = (oid: string) => {
    const known = versions.get(oid) ?? load(oid);
    versions.set(oid, known);
    return known;
  };

  const world: World = {
    repository,
    forge,
    first,
    said: [],
    audited: [],
    workspaces: folders,
    plan: {
      kind: "change",
      title: "Greet by name",
      changes: ["The greeting says the name."],
      files: new Map([[GREET, (greeter.get(GREET) ?? "").replace("Greets somebody.", "Greets by name.")]]),
    },
    verification: PASSED,
    onPause: () => {
      throw new Error("Nothing is waited for here.");
    },
    readVersion,
    get context() {
      return context;
    },
  };
  const registry: Partial<Registry> = {
    read: readVersion,
    resolve: async (segment: string) => {
      const oid = repository.tags.get(`v${segment}`) ?? segment;
      return { version: await readVersion(oid) } as Awaited<ReturnType<Registry["resolve"]>>;
    },
    describe: async () => ({ record: { state: "served" } }) as Awaited<ReturnType<Registry["describe"]>>,
    refresh: async () => ({ ok: true, added: [], failed: new Map(), changed: false }),
    findBases: async () => [],
  };
  const context: ArchitectContext = {
    store: undefined as never,
    createId: () => ID,
    storeTime: () => NOW,
    now: () => NOW,
    ledgers: undefined as never,
    settled: async () => undefined,
    repository: createRepositoryView(repository),
    registry: registry as Registry,
    toPrincipal: (_version, { tenant, actor, roles }) => ({
      tenant,
      actor,
      capabilities: new Set(roles.includes("sender") ? ["architect:chat"] : []),
    }),
    workspaces: createMemoryWorkspaces(repository, folders),
    filesOf: async (oid) => {
      const { files } = repository.read(oid);
      return {
        paths: [...files.keys()].toSorted(),
        readText: async (path) => files.get(path),
        describeImpact: async () => "It affects nothing else.",
      };
    },
    planners: [{ name: "directives", plan: async () => world.plan }],
    redactor: createRedactor([]),
    verify: async () => world.verification,
    prepare: () => undefined,
    loader,
    forge,
    changes: {
      has: () => Promise.reject(new Error()),
      loadOwn: () => Promise.reject(new Error()),
      loadFiles: () => Promise.reject(new Error()),
      isIn: () => Promise.reject(new Error()),
    },
    landsAtOnce: true,
    checkName: "cairn",
    audit: {
      changed: async (change: object) => {
        world.audited.push(change);
        return ID;
      },
      denied: (error: unknown) => void world.audited.push({ denied: error }),
    } as unknown as ArchitectContext["audit"],
    attachments: { readView: async () => undefined, fetcher: { fetch: async () => Promise.reject(new Error()) } },
    tell: (_record, stage, message) => void world.said.push(`${stage}: ${message}`),
    watchForge: () => ({ pause: async () => world.onPause(), close: () => undefined }),
    onError: (error) => {
      throw error;
    },
    signal: new AbortController().signal,
    ...given,
  };
  return world;
}

function createRecord(world: World, given: Partial<FeedbackRecord> = {}): FeedbackRecord {
  return {
    schema_version: 1,
    id: ID,
    tenant: "acme",
    actor: "ada",
    capabilities: ["architect:chat"],
    roles: ["sender"],
    servers: [],
    version: "1.0.0",
    commit: world.first,
    scope: "work",
    message: "Greet by name.",
    attachments: [],
    dry_run: false,
    created_at: "2026-01-01T00:00:00Z",
    run_id: ID,
    stage: "received",
    planner: null,
    attempt: 0,
    proposal: null,
    outcome: null,
    ...given,
  };
}

export interface MemoryBook extends WorkBook {
  readonly texts: Map<string, string>;
  readonly saved: FeedbackRecord[];
  readonly ended: (readonly [string, string])[];
  readonly done: StepDone[];
  gate: GateReport;
}

/** The run of one piece of feedback, in memory. */
export function createMemoryBook(given: Partial<Pick<MemoryBook, "isApproved" | "texts">> = {}): MemoryBook {
  const { isApproved = false, texts = new Map<string, string>() } = given;
  const book: MemoryBook = {
    runId: ID,
    isApproved,
    texts,
    saved: [],
    ended: [],
    done: [],
    gate: { status: "passed", risk_level: "low", checks: [], files: [] },
    async keep({ reports, texts: more = new Map<string, string>(), done = [] }) {
      for (const { name, status, more: fields } of reports) texts.set(name, JSON.stringify({ status, ...fields }));
      for (const [name, text] of more) texts.set(name, text);
      book.done.push(...done);
    },
    write: async (name, content) => void texts.set(name, content),
    read: async (name) => texts.get(name),
    block: async (step, message) => void book.ended.push([`blocked ${step}`, message]),
    transact: () => Promise.reject(new Error("Nothing else is written here.")),
    assertHeld: async () => undefined,
    judge: async () => book.gate,
    async save(record, ...done) {
      book.saved.push(record);
      book.done.push(...done);
    },
    complete: async (record, summary) => {
      book.saved.push(record);
      book.ended.push(["completed", summary]);
    },
    fail: async (_record, summary) => void book.ended.push(["failed", summary]),
    reject: async (_record, reason) => void book.ended.push(["rejected", reason]),
  };
  return book;
}

export interface TestRun extends Run {
  readonly book: MemoryBook;
}

export async function createRun(
  world: World,
  given: Partial<FeedbackRecord> = {},
  book: MemoryBook = createMemoryBook(),
): Promise<TestRun> {
  const record = createRecord(world, given);
  return { record, book, version: await world.readVersion(record.commit), replans: 0 };
}

/** A candidate that greets by name, made from where `main` is. */
export async function createCandidate(world: World, given: Partial<Candidate> = {}): Promise<Candidate> {
  const head = world.repository.branches.get("main") ?? "";
  const text = world.repository.read(head).files.get(GREET) ?? "";
  const files = new Map([[GREET, text.replace("Greets somebody.", "Greets by name.")]]);
  const baseVersion = await world.readVersion(head);
  return {
    plan: { kind: "change", title: "Greet by name", changes: ["The greeting says the name."], files },
    base: { branch: "main", head, build: "" },
    baseVersion,
    semver: "1.0.1",
    before: "1.0.0",
    files,
    workspace: await world.context.workspaces.create(`${ID}-0`, head),
    verification: PASSED,
    diff: "-somebody\n+by name\n",
    impact: "It affects nothing else.",
    values: [],
    ...given,
  };
}

function createRepositoryView({ branches, tags, read, listAncestors }: MemoryRepository): Repository {
  const findBase: Repository["findBase"] = async (commit, { branch: preferred = "main" } = {}) => {
    const head = branches.get(preferred) ?? "";
    if (!listAncestors(head).includes(commit)) throw new CairnError("CONFLICT", "No branch has this version any more.");
    return { branch: preferred, head, build: "" };
  };
  const listChangedPaths: Repository["listChangedPaths"] = async (before, after) => {
    const [one, other] = [read(before).files, read(after).files];
    return [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path));
  };
  return {
    findBase,
    listTags: async () => new Set(tags.keys()),
    findAddition: async (path, head) =>
      listAncestors(head).findLast((oid) => read(oid).files.has(path)) ?? Promise.reject(new Error("Nothing adds it.")),
    findParent: async (commit) => read(commit).parents[0] ?? "",
    findMergeBase: async (one, other) => listAncestors(one).find((oid) => listAncestors(other).includes(oid)) ?? "",
    listChangedPaths,
    async bringsOnlyBase({ head, was }) {
      const { parents } = read(head);
      return parents.length === 2 && parents[0] === was;
    },
    mergeLines: async () => undefined,
  };
}

function createMemoryWorkspaces(repository: MemoryRepository, folders: Map<string, Map<string, string>>): Workspaces {
  const open = (name: string, base: string, files: Map<string, string>): Workspace => ({
    runId: name,
    base,
    fs: {
      write: async (path: string, text: string) => void files.set(path, text),
      remove: async (path: string) => void files.delete(path),
    } as unknown as Workspace["fs"],
    exec: { run: () => Promise.reject(new Error("Nothing runs here.")) },
    git: {
      diff: async (paths: readonly string[]) => ({ diff: `${paths.join("\n")}\n`, bytes: 1, truncated: false }),
    } as unknown as Workspace["git"],
    reset: async () => undefined,
    async inspect(look) {
      const folder = await mkdtemp(join(tmpdir(), "cairn-world-"));
      try {
        for (const [path, text] of files) {
          await mkdir(join(folder, dirname(path)), { recursive: true });
          await writeFile(join(folder, path), text);
        }
        return await look(folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  });
  return {
    async create(name, commit) {
      const files = folders.get(name) ?? new Map(repository.read(commit).files);
      folders.set(name, files);
      return open(name, commit, files);
    },
    find: async () => undefined,
    remove: async (name) => void folders.delete(name),
    async discard(prefix) {
      for (const name of folders.keys()) if (name.startsWith(prefix)) folders.delete(name);
    },
    list: async () => [...folders.keys()],
    close: async () => undefined,
  };
}
