import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import type { LookupFunction } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NO_CEILINGS } from "../config/allowance.ts";
import { createReach } from "../semver/declared/handler-reach.ts";
import { createIdentifiers } from "../identifiers.ts";
import type { Result } from "../kernel/call.ts";
import { DEPTH_LIMIT } from "../kernel/invoke.ts";
import { type Capabilities, type KernelOptions, openKernel } from "../kernel/open-kernel.ts";
import { createCodeGraph } from "../capabilities/knowledge/create-code-graph.ts";
import { createTextIndex } from "../capabilities/knowledge/create-text-index.ts";
import type { Knowledge } from "../capabilities/knowledge/open-knowledge.ts";
import { createLog } from "../log/log.ts";
import { SHAPES_ONLY } from "../log/redact.ts";
import { openArtifactSandbox } from "../kernel/isolates/open-artifact-sandbox.ts";
import { openSandbox } from "../kernel/isolates/open-sandbox.ts";
import { openLmdbStore } from "../store/lmdb/lmdb.ts";
import { type CapabilityOptions, openCapabilities } from "../capabilities/open-capabilities.ts";
import type { Secrets } from "../capabilities/secrets/secrets.ts";
import { defined } from "../json/defined.ts";
import type { Tool, Version } from "../versions/version.ts";
import { createPlay, type Play } from "./playback/create-play.ts";
import type { Hosts } from "./recording.ts";
import { createFetchOnTrial, createUpstreamOnTrial, type Running } from "./on-trial.ts";

/** Result of a trial call. */
export interface Tried {
  readonly result: Result;
  /** Things that it asked for and could not have, so that nothing is known of it: hosts in backquotes, or a model. */
  readonly missing: readonly string[];
  /** Says whether it, or a call that it made, was ended by a limit of time, of which a busy machine has less. */
  readonly isLate: boolean;
}

/** Calls as the service makes them, in real isolates, over a store of their own that is thrown away. */
export interface Trial {
  /** Each call finds nothing that another one left behind. Without `hosts`, there are those that are mapped. */
  call(version: Version, tool: Tool, input: unknown, hosts?: Hosts): Promise<Tried>;
  /** Runs a recorded call out of its tape. */
  readonly play: Play;
  close(): Promise<void>;
}

export interface TrialOptions {
  /** Hosts that may be asked, and what is asked in their place; there is no way to any other. */
  readonly egressMap: ReadonlyMap<string, string>;
  readonly now: () => number;
  /** True if every host is reachable, so that its answers can be recorded. */
  readonly hasNetwork?: boolean;
  /** Secrets that requests to hosts carry then; absent: none. */
  readonly secrets?: Secrets;
}

const LIMITS_OF_TIME: ReadonlySet<string> = new Set(["CPU_LIMIT", "TIME_LIMIT"]);

/** Calls that run at once; others wait. */
const AT_ONCE = 4;
/** Each call has a program of its own, as has each that it makes, and one beyond those that fit would be refused. */
const PROGRAMS = AT_ONCE * (1 + DEPTH_LIMIT);

/** Calls under way, by the tenant that each is made for. */
type Calls = Map<string | undefined, Running>;

export async function openTrial(options: TrialOptions): Promise<Trial> {
  const { now } = options;
  const folder = await mkdtemp(join(tmpdir(), "cairn-trial-"));
  const store = await openLmdbStore({ directory: folder, now });
  const running: Calls = new Map();
  const sandbox = await openSandbox({
    isolates: PROGRAMS,
    spare: false,
    now: ({ tenant }) => now() + (running.get(tenant)?.ahead ?? 0),
  });
  const artifacts = openArtifactSandbox({ now });
  const createId = createIdentifiers(now);
  const parts = { store, artifacts, createId, exports: join(folder, "exports") };
  const capabilities = openTrialCapabilities(options, running, parts);
  const { invoke, ...kernel } = openKernel({
    store,
    sandbox,
    capabilities,
    denied: () => undefined,
    ceilings: NO_CEILINGS,
    durability: "effects",
    bodyTtl: 0,
    createId,
    randomBytes,
    now,
    elapsed: () => performance.now(),
    redactor: SHAPES_ONLY,
    log: createLog("silent"),
    ...createHooks(running),
  });
  const inTurn = createTurns(AT_ONCE);
  let calls = 0;

  return Object.freeze<Trial>({
    call: (version, tool, input, hosts) =>
      inTurn(async () => {
        const tenant = `trial-${(calls += 1)}`;
        const ahead = hosts?.at === undefined ? 0 : hosts.at - now();
        const own: Running = { hosts, ahead, missing: new Set(), isLate: false };
        running.set(tenant, own);
        const principal = { tenant, actor: "trial", capabilities: new Set(["*"]) };
        const result = await invoke({ version, tool, input, principal });
        running.delete(tenant);
        return { result, missing: [...own.missing], isLate: own.isLate };
      }),
    play: createPlay({ ...capabilities, store, sandbox, now, redactor: SHAPES_ONLY }),
    async close() {
      await kernel.close();
      await sandbox.close();
      await artifacts.close();
      await store.admin.close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

/** Opens what handlers can ask for on trial: no repository, no hosts but those that are mapped or played. */
function openTrialCapabilities(
  { egressMap, now, hasNetwork = false, secrets }: TrialOptions,
  running: Calls,
  parts: Pick<CapabilityOptions, "store" | "artifacts" | "createId" | "exports">,
): Capabilities {
  const capabilities = openCapabilities({
    egressMap,
    now,
    aroundFetch: createFetchOnTrial(egressMap, hasNetwork, (tenant) => running.get(tenant)),
    aroundUpstream: createUpstreamOnTrial(hasNetwork, (tenant) => running.get(tenant)),
    ...(hasNetwork ? defined({ secrets }) : { lookup: refuseLookup }),
    ...parts,
    storeTime: now,
    onRunEnded: () => undefined,
    onError: () => undefined,
    knowledge: knowNothing,
  });
  const { assigner } = capabilities;
  return {
    ...capabilities,
    // What a tool promises must not depend on what is being tried out: calls that nobody could reward take no part in that.
    assigner: { ...assigner, assign: (request) => assigner.assign({ ...request, isNested: true }) },
  };
}

/** Creates what notes of each call what it could not have. */
function createHooks(running: Calls): Required<Pick<KernelOptions, "aroundDispatch" | "around">> {
  const prepare = createPrepare();
  return {
    aroundDispatch: (dispatch) => (call, name, args) => {
      if (name === "model.generate") running.get(call.principal.tenant)?.missing.add("a model");
      return dispatch(call, name, args);
    },
    around: (once) => async (call) => {
      // What a tool answers is tried, not who has to approve the call.
      const approved = { taskId: "", by: "trial", mayRun: true };
      const result = await once({ ...call, approved, version: prepare(call.version, call.tool) });
      const own = running.get(call.principal.tenant);
      if (own !== undefined && !result.ok && LIMITS_OF_TIME.has(result.error.name)) own.isLate = true;
      return result;
    },
  };
}

/** Creates a queue that does so much at once, and the rest after it. */
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

/**
 * Versions for the calls of each tool, also for calls that tools make. Every call has an isolate of its own, so that what
 * it does not need is left out.
 */
function createPrepare(): (version: Version, tool: Tool) => Version {
  const made = new WeakMap<Version, (tool: Tool) => Version>();
  return (version, tool) => {
    const known = made.get(version) ?? prepareFrom(version);
    made.set(version, known);
    const prepared = known(tool);
    // A tool that another one calls is one of the whole version.
    made.set(prepared, known);
    return prepared;
  };
}

function prepareFrom(version: Version): (tool: Tool) => Version {
  // How much callers may take says nothing about what a tool answers.
  const unlimited = { ...version, policies: version.policies.map((policy) => ({ ...policy, limits: {} })) };
  const { key, modules } = version.program;
  const reach = createReach(version.program);
  const byHandler = new Map<string, Version>();
  return ({ handler, uses }) => {
    if (uses.has("repository.read")) return unlimited;
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

/** Stands in for the knowledge of a repository, of which a trial has none: searches find nothing, and names do not exist. */
async function knowNothing({ program }: Version): Promise<Knowledge> {
  const texts = new Map<string, string>();
  return { graph: createCodeGraph(texts, program), index: await createTextIndex({ texts, skipped: [] }) };
}

/** Refuses every host: one that a stand-in redirects to is not asked either. */
const refuseLookup: LookupFunction = (hostname, _options, callback) => {
  callback(Object.assign(new Error(`no network: ${hostname}`), { code: "ENOTFOUND" }), "", 4);
};
