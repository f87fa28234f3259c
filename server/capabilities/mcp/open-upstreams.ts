import { isDeepStrictEqual } from "node:util";
import { CairnError } from "../../errors.ts";
import type { Upstream } from "../../versions/upstream.ts";
import type { Version } from "../../versions/version.ts";
import type { Credential } from "../fetch/carry-secrets.ts";
import type { Owner } from "../secrets/secrets.ts";
import type { Drift } from "./find-drifts.ts";
import {
  type Connect,
  isOwned,
  type LiveCall,
  type LiveUpstream,
  openLiveUpstream,
  untilAborted,
} from "./live-upstream.ts";

/** One call of a tool of an upstream. */
export interface UpstreamCall extends LiveCall {
  readonly version: Version;
  readonly upstream: Upstream;
  /** Tenants share no connection, nor do actors with secrets of their own: what a server remembers is of one of them. */
  readonly caller: Owner;
  readonly credentials: readonly Credential[];
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/** Drifts of one upstream of one version. */
export interface DriftReport {
  readonly version: string;
  readonly commit: string;
  readonly upstream: string;
  /** Tenant with whose secret, or with whose caller's, it was seen. Absent: all callers see it. */
  readonly tenant?: string;
  readonly drifts: readonly Drift[];
}

/** Connections to the upstreams of all versions. */
export interface Upstreams {
  /**
   * Resolves with the result of `tools/call`. Rejects with UPSTREAM_DRIFTED where the tool is not what was imported,
   * UPSTREAM_ERROR, UPSTREAM_TIMEOUT, UNAVAILABLE, FORBIDDEN for a command or EGRESS_DENIED for a host that is not allowed.
   */
  call(request: UpstreamCall): Promise<Readonly<Record<string, unknown>>>;
  /** Returns the drifts that were found last, of each upstream of each version, with those of all callers together. */
  reports(): readonly Omit<DriftReport, "tenant">[];
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

/** Owners of secrets whose drifts are remembered; the oldest is forgotten first. */
const REPORT_LIMIT = 1_000;

interface Entry {
  readonly kind: keyof typeof LIMITS;
  readonly live: Promise<LiveUpstream>;
  readonly credentials: readonly Credential[];
  running: number;
  usedAt: number;
  timer?: NodeJS.Timeout | undefined;
  closing?: Promise<void>;
}

interface State extends UpstreamsOptions {
  readonly entries: Map<string, Entry>;
  /** By upstream, version and owner of the secrets. */
  readonly reports: Map<string, DriftReport>;
}

export function openUpstreams(options: UpstreamsOptions): Upstreams {
  const state: State = { ...options, entries: new Map(), reports: new Map() };
  return Object.freeze<Upstreams>({
    call: (request) => call(state, request),
    reports: () => uniteReports(state.reports.values()),
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
  const key = JSON.stringify([...toPlace(request), ...toOwner(request, "tenant")]);
  const known = state.entries.get(key);
  // A session that began with one credential is not continued with another: it may be somebody else's.
  if (known !== undefined && !isDeepStrictEqual(known.credentials, request.credentials)) retire(state, key, known);
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
    if (entry.running === 0) {
      if (state.entries.get(key) !== entry) void drop(state, key, entry);
      else entry.timer = setTimeout(() => void drop(state, key, entry), IDLE_MS).unref();
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
  const { credentials } = request;
  const entry: Entry = { kind, live: toLive(state, request), credentials, running: 0, usedAt: state.now() };
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

function toLive(state: State, request: UpstreamCall): Promise<LiveUpstream> {
  const { connect, reports, onDrift, now } = state;
  const { version, upstream, credentials } = request;
  const key = JSON.stringify([...toPlace(request), ...toOwner(request, "service")]);
  const { tenant } = request.caller;
  return openLiveUpstream({
    version,
    upstream,
    connect,
    credentials,
    now,
    onChecked(all) {
      // Servers list to each caller what it may use, so a tool that one does not see is no alarm for all.
      const drifts = isOwned(upstream) ? all.filter(({ kind }) => kind !== "missing") : all;
      const whose = isOwned(upstream) ? { tenant } : {};
      const report = { version: version.semver, commit: version.commit, upstream: upstream.name, ...whose, drifts };
      const before = reports.get(key)?.drifts ?? [];
      reports.delete(key);
      if (drifts.length > 0) reports.set(key, report);
      const [oldest] = reports.size > REPORT_LIMIT ? reports.keys() : [];
      if (oldest !== undefined) reports.delete(oldest);
      if (JSON.stringify(before) !== JSON.stringify(drifts)) onDrift?.(report);
    },
  });
}

function toPlace({ version, upstream }: UpstreamCall): readonly string[] {
  return [version.commit, upstream.name];
}

/** Returns whose a connection, or what was seen with it, is: at least as much apart as `least` says. */
function toOwner({ upstream: { secrets }, caller }: UpstreamCall, least: "service" | "tenant"): readonly string[] {
  if (secrets.some(({ of }) => of === "caller")) return [caller.tenant, caller.actor];
  return least === "tenant" || secrets.some(({ of }) => of === "tenant") ? [caller.tenant] : [];
}

/** Unites what different callers saw of an upstream: how many they are, and who, is nobody's concern. */
function uniteReports(reports: Iterable<DriftReport>): readonly Omit<DriftReport, "tenant">[] {
  const united = new Map<string, Omit<DriftReport, "tenant">>();
  for (const { tenant: _tenant, ...report } of reports) {
    const key = JSON.stringify([report.commit, report.upstream]);
    const drifts = united.get(key)?.drifts ?? [];
    const more = report.drifts.filter(({ tool }) => !drifts.some((known) => known.tool === tool));
    united.set(key, { ...report, drifts: [...drifts, ...more] });
  }
  return [...united.values()];
}

/** Lets the calls of a connection end, and has none begin with it. */
function retire(state: State, key: string, entry: Entry): void {
  clearTimeout(entry.timer);
  state.entries.delete(key);
  if (entry.running === 0) void drop(state, key, entry);
}

async function drop({ entries }: State, key: string, entry = entries.get(key)): Promise<void> {
  if (entry === undefined) return;
  clearTimeout(entry.timer);
  if (entries.get(key) === entry) entries.delete(key);
  entry.closing ??= entry.live.then((live) => live.close()).catch(() => undefined);
  await entry.closing;
}
