import { CairnError } from "../../errors.ts";
import type { Upstream } from "../../versions/upstream.ts";
import type { Version } from "../../versions/version.ts";
import type { Drift } from "./find-drifts.ts";
import { type Connect, type LiveCall, type LiveUpstream, openLiveUpstream, untilAborted } from "./live-upstream.ts";

/** One call of a tool of an upstream. */
export interface UpstreamCall extends LiveCall {
  readonly version: Version;
  readonly upstream: Upstream;
  /** Tenants share no connection: what a server remembers of its session is one tenant's. */
  readonly tenant: string;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/** Drifts of one upstream of one version. */
export interface DriftReport {
  readonly version: string;
  readonly commit: string;
  readonly upstream: string;
  readonly drifts: readonly Drift[];
}

/** Connections to the upstreams of all versions. */
export interface Upstreams {
  /**
   * Resolves with the result of `tools/call`. Rejects with UPSTREAM_DRIFTED where the tool is not what was imported,
   * UPSTREAM_ERROR, UPSTREAM_TIMEOUT, UNAVAILABLE, FORBIDDEN for a command or EGRESS_DENIED for a host that is not allowed.
   */
  call(request: UpstreamCall): Promise<Readonly<Record<string, unknown>>>;
  /** Returns the drifts that were found last, of each upstream of each version. */
  reports(): readonly DriftReport[];
  close(): Promise<void>;
}

export interface UpstreamsOptions {
  readonly connect: Connect;
  /** Is called when the drifts of an upstream become others; with none when they are over. */
  readonly onDrift?: (report: DriftReport) => void;
  readonly now: () => number;
}

/** Milliseconds after which a connection that nobody uses is closed. */
const IDLE_MS = 5 * 60_000;
/** Connections at once; of commands, each of which is a process. */
const LIMITS = { url: 256, command: 16 } as const;

interface Entry {
  readonly kind: keyof typeof LIMITS;
  readonly live: Promise<LiveUpstream>;
  running: number;
  usedAt: number;
  timer?: NodeJS.Timeout | undefined;
}

interface State extends UpstreamsOptions {
  readonly entries: Map<string, Entry>;
  readonly reports: Map<string, DriftReport>;
}

export function openUpstreams(options: UpstreamsOptions): Upstreams {
  const state: State = { ...options, entries: new Map(), reports: new Map() };
  return Object.freeze<Upstreams>({
    call: (request) => call(state, request),
    reports: () => [...state.reports.values()].filter(({ drifts }) => drifts.length > 0),
    async close() {
      await Promise.all([...state.entries.keys()].map((key) => drop(state, key)));
    },
  });
}

async function call(state: State, request: UpstreamCall): Promise<Readonly<Record<string, unknown>>> {
  const { upstream, patienceMs, signal } = request;
  const late = AbortSignal.timeout(Math.max(1, Math.ceil(patienceMs)));
  const limited = AbortSignal.any([signal, late]);
  try {
    return await callOnce(state, request, limited).catch((error: unknown) => {
      // The server has forgotten its session, and so did nothing.
      if (error instanceof CairnError && error.name === "SESSION_NOT_FOUND") return callOnce(state, request, limited);
      throw error;
    });
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error;
    const message = `The upstream \`${upstream.name}\` did not answer within ${Math.round(patienceMs)} ms.`;
    throw new CairnError("UPSTREAM_TIMEOUT", message, { cause: error });
  }
}

async function callOnce(state: State, request: UpstreamCall, signal: AbortSignal) {
  const { version, upstream, tenant } = request;
  const key = JSON.stringify([version.commit, upstream.name, tenant]);
  const entry = state.entries.get(key) ?? open(state, key, request);
  clearTimeout(entry.timer);
  entry.running += 1;
  try {
    return await (await untilAborted(entry.live, signal)).call(request, signal);
  } catch (error) {
    if (isLost(error) || !(await isOpen(entry))) await drop(state, key, entry);
    throw error;
  } finally {
    entry.running -= 1;
    entry.usedAt = state.now();
    if (entry.running === 0 && state.entries.get(key) === entry) {
      entry.timer = setTimeout(() => void drop(state, key, entry), IDLE_MS).unref();
    }
  }
}

function isLost(error: unknown): boolean {
  return error instanceof CairnError && (error.name === "SESSION_NOT_FOUND" || error.name === "UNAVAILABLE");
}

async function isOpen({ live }: Entry): Promise<boolean> {
  return live.then(
    (upstream) => upstream.isOpen(),
    () => false,
  );
}

function open(state: State, key: string, request: UpstreamCall): Entry {
  const { kind } = request.upstream.reach;
  makeRoom(state, kind);
  const entry: Entry = { kind, live: toLive(state, request), running: 0, usedAt: state.now() };
  // Those that wait for it hear of it.
  entry.live.catch(() => state.entries.get(key) === entry && state.entries.delete(key));
  state.entries.set(key, entry);
  return entry;
}

/** Closes the connection that nobody has used for longest, where there are as many as may be. @throws UNAVAILABLE */
function makeRoom(state: State, kind: keyof typeof LIMITS): void {
  const alike = [...state.entries].filter(([, entry]) => entry.kind === kind);
  if (alike.length < LIMITS[kind]) return;
  const [oldest] = alike.filter(([, { running }]) => running === 0).toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
  if (oldest === undefined) throw new CairnError("UNAVAILABLE", "Too many upstreams are in use at once.");
  void drop(state, ...oldest);
}

function toLive({ connect, reports, onDrift, now }: State, { version, upstream }: UpstreamCall): Promise<LiveUpstream> {
  const key = JSON.stringify([version.commit, upstream.name]);
  return openLiveUpstream({
    version,
    upstream,
    connect,
    now,
    onChecked(drifts) {
      const report = { version: version.semver, commit: version.commit, upstream: upstream.name, drifts };
      const before = reports.get(key)?.drifts ?? [];
      reports.set(key, report);
      if (JSON.stringify(before) !== JSON.stringify(drifts)) onDrift?.(report);
    },
  });
}

async function drop({ entries }: State, key: string, entry = entries.get(key)): Promise<void> {
  if (entry === undefined) return;
  clearTimeout(entry.timer);
  if (entries.get(key) === entry) entries.delete(key);
  const live = await entry.live.catch(() => undefined);
  await live?.close().catch(() => undefined);
}
