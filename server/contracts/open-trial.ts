import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import type { LookupFunction } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NO_CEILINGS } from "../allowance.ts";
import { createReach } from "../compat/create-reach.ts";
import { CairnError } from "../errors.ts";
import { createIdentifiers } from "../identifiers.ts";
import { createAdmission } from "../invoke/admission.ts";
import type { Result } from "../invoke/call.ts";
import { createInvoke } from "../invoke/invoke.ts";
import { createJournal } from "../invoke/journal.ts";
import { isObject } from "../is-object.ts";
import { createCodeGraph } from "../knowledge/create-code-graph.ts";
import { createTextIndex } from "../knowledge/create-text-index.ts";
import type { Knowledge } from "../knowledge/open-knowledge.ts";
import { createLog } from "../log.ts";
import { SHAPES_ONLY } from "../redact.ts";
import { openArtifactSandbox } from "../sandbox/open-artifact-sandbox.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { openLmdbStore } from "../store/lmdb.ts";
import type { Dispatch } from "../syscalls/dispatch.ts";
import { toTarget } from "../syscalls/egress.ts";
import { openSyscalls } from "../syscalls/open-syscalls.ts";
import { createTuning } from "../tuner/create-tuning.ts";
import type { Tool, Version } from "../versions/version.ts";

/** How a call on trial ended, and which hosts it wanted that it could not have. */
export interface Tried {
  readonly result: Result;
  readonly hosts: readonly string[];
}

/** Calls as the service makes them, in real isolates, over a store of their own that is thrown away. */
export interface Trial {
  /** Each call finds nothing that another one left behind. */
  call(version: Version, tool: Tool, input: unknown): Promise<Tried>;
  close(): Promise<void>;
}

export interface TrialOptions {
  /** Hosts that may be asked, and what is asked in their place; there is no way to any other. */
  readonly egressMap: ReadonlyMap<string, string>;
  readonly now: () => number;
}

/** Calls that run at once; others wait. Each has a program of its own, and one beyond those that fit would be refused. */
const AT_ONCE = 4;
const PROGRAMS = 2 * AT_ONCE;

export async function openTrial({ egressMap, now }: TrialOptions): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-trial-"));
  const store = await openLmdbStore({ directory: folder, now });
  const sandbox = await openSandbox({ isolates: PROGRAMS, spare: false, now });
  const artifacts = openArtifactSandbox({ now });
  const wanted = new Map<string, Set<string>>();
  const log = createLog("silent");
  const journal = createJournal({ store, log });
  const { ledgers, assigner } = createTuning({ store, now, onError: () => undefined });
  const { settled } = journal;
  const createId = createIdentifiers(now);
  const syscalls = openSyscalls({
    egressMap,
    now,
    lookup: refuseLookup,
    ledgers,
    settled,
    store,
    createId,
    storeTime: now,
    exports: join(folder, "exports"),
    artifacts,
    onRunEnded: () => undefined,
    knowledge: knowNothing,
  });
  const prepared = new WeakMap<Version, (tool: Tool) => Version>();
  const inTurn = createTurns(AT_ONCE);
  let calls = 0;
  const invoke = createInvoke({
    store,
    sandbox,
    admit: createAdmission({ store, ceilings: NO_CEILINGS, now, elapsed: () => performance.now(), log }),
    journal,
    // What a tool promises must not depend on what is being tried out: calls that nobody could reward take no part in that.
    assigner: { assign: (request) => assigner.assign({ ...request, isNested: true }) },
    onRefused: () => undefined,
    dispatch: offline(syscalls.dispatch, egressMap, (tenant, host) => wanted.get(tenant)?.add(host)),
    createId,
    randomBytes,
    now,
    durability: "effects",
    modelAvailable: false,
    redactor: SHAPES_ONLY,
    log,
  });

  return Object.freeze<Trial>({
    async call(version, tool, input) {
      const tenant = `trial-${(calls += 1)}`;
      const hosts = new Set<string>();
      wanted.set(tenant, hosts);
      const principal = { tenant, actor: "trial", capabilities: new Set(["*"]) };
      const result = await inTurn(() => invoke({ version: prepare(version)(tool), tool, input, principal }));
      wanted.delete(tenant);
      return { result, hosts: [...hosts] };
    },
    async close() {
      await journal.settled();
      await syscalls.close();
      await sandbox.close();
      await artifacts.close();
      await store.admin.close();
      await rm(folder, { recursive: true, force: true });
    },
  });

  function prepare(version: Version): (tool: Tool) => Version {
    const known = prepared.get(version);
    if (known !== undefined) return known;
    const made = createPrepare(version);
    prepared.set(version, made);
    return made;
  }
}

/** Has so much done at once, and the rest after it. */
function createTurns(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const running = new Set<Promise<unknown>>();
  return async (work) => {
    while (running.size >= limit) await Promise.race(running);
    const done = work();
    const settled = done.then(
      () => undefined,
      () => undefined,
    );
    running.add(settled);
    return done.finally(() => running.delete(settled));
  };
}

/** Versions for the calls of each tool. Every call has an isolate of its own, so that what it does not need is left out. */
function createPrepare(version: Version): (tool: Tool) => Version {
  // How much callers may take says nothing about what a tool answers.
  const unlimited = { ...version, policies: version.policies.map((policy) => ({ ...policy, limits: {} })) };
  const { key, modules } = version.program;
  const reach = createReach(version.program);
  const byHandler = new Map<string, Version>();
  return ({ handler, uses }) => {
    if (uses.has("tools.call") || uses.has("repository.read")) return unlimited;
    const known = byHandler.get(handler);
    if (known !== undefined) return known;
    const reached = reach(handler);
    const own = {
      ...version.program,
      key: JSON.stringify([key, handler]),
      modules: new Map([...modules].filter(([path]) => reached.has(path))),
    };
    const made = { ...unlimited, program: own };
    byHandler.set(handler, made);
    return made;
  };
}

/** Tells of every host that a tool may reach by its manifest, and cannot here; what it may not reach is refused as ever. */
function offline(
  dispatch: Dispatch,
  egressMap: ReadonlyMap<string, string>,
  onWanted: (tenant: string, host: string) => void,
): Dispatch {
  return async (call, name, args) => {
    const url = isObject(args) ? args["url"] : undefined;
    if (name === "fetch" && call.tool.uses.has("fetch") && typeof url === "string") {
      const target = toTarget(url, call.tool.egress, { egressMap });
      if (!target.mapped) {
        onWanted(call.principal.tenant, target.url.host);
        throw new CairnError(
          "UPSTREAM_ERROR",
          `\`${target.url.host}\` could not be reached: there is no network here.`,
        );
      }
    }
    return dispatch(call, name, args);
  };
}

/** There is no repository to look into: nothing is found, and what is named is not there. */
async function knowNothing({ program }: Version): Promise<Knowledge> {
  const texts = new Map<string, string>();
  return { graph: createCodeGraph(texts, program), index: await createTextIndex({ texts, skipped: [] }) };
}

/** What a stand-in redirects to is not asked either. */
const refuseLookup: LookupFunction = (hostname, _options, callback) => {
  callback(Object.assign(new Error(`no network: ${hostname}`), { code: "ENOTFOUND" }), "", 4);
};
