import { CairnError } from "../../errors.ts";
import type { Upstream } from "../../versions/upstream.ts";
import type { Version } from "../../versions/version.ts";
import type { Credential } from "../fetch/carry-secrets.ts";
import type { McpConnection, OnNotification } from "./client/connection.ts";
import { type Greeted, greet } from "./client/greet.ts";
import { loadTools } from "./client/load-surface.ts";
import { type Drift, findDrifts } from "./find-drifts.ts";

export interface LiveCall {
  readonly tool: string;
  readonly input: unknown;
  readonly onProgress?: (report: { progress: number; total?: number; message?: string }) => void;
}

/** Upstream that has been greeted and compared with what was imported. */
export interface LiveUpstream {
  /** Resolves with the result of `tools/call`. Rejects with UPSTREAM_DRIFTED where the tool is not what was imported. */
  call(call: LiveCall, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
  isOpen(): boolean;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /** Go with each request of this connection. */
  readonly credentials: readonly Credential[];
  /** Ends the connection. */
  readonly signal: AbortSignal;
  /** Takes what comes without a request. */
  readonly onNotification: OnNotification;
}

export type Connect = (version: Version, upstream: Upstream, options: ConnectionOptions) => Promise<McpConnection>;

export interface LiveUpstreamOptions {
  readonly version: Version;
  readonly upstream: Upstream;
  readonly connect: Connect;
  readonly credentials: readonly Credential[];
  /** Takes the drifts of each comparison. */
  readonly onChecked: (drifts: readonly Drift[]) => void;
  readonly now: () => number;
}

/** Milliseconds for a connection, its greeting and its tools. */
const CONNECT_MS = 30_000;
/** Milliseconds after which tools are compared again, for servers that change without a word. */
const RECHECK_MS = 30_000;
const INVALID_PARAMS = -32_602;
const CLIENT = { name: "cairn", version: "1" };

interface Live extends LiveUpstreamOptions, Greeted {
  readonly connection: McpConnection;
  drifts: ReadonlyMap<string, Drift>;
  checkedAt: number;
  /** True once the server has said that its tools are others. */
  isStale: boolean;
  checking?: Promise<void> | undefined;
  /** Number of calls that were made with a token for progress. */
  calls: number;
}

/** Connects to an upstream and compares its tools. Rejects with UNAVAILABLE, UPSTREAM_ERROR, FORBIDDEN or EGRESS_DENIED. */
export async function openLiveUpstream(options: LiveUpstreamOptions): Promise<LiveUpstream> {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), CONNECT_MS);
  let live: Live | undefined;
  const onNotification: OnNotification = (method) => {
    if (live !== undefined) noteChange(live, method);
  };
  try {
    const { version, upstream, credentials, connect } = options;
    const connection = await connect(version, upstream, { credentials, signal: end.signal, onNotification });
    const made = await begin(options, connection).catch(async (error: unknown) => {
      await connection.close();
      throw error;
    });
    live = made;
    return {
      call: (call, signal) => callTool(made, call, signal),
      isOpen: () => connection.isOpen(),
      async close() {
        await connection.close();
        end.abort();
      },
    };
  } catch (error) {
    end.abort();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function begin(options: LiveUpstreamOptions, connection: McpConnection): Promise<Live> {
  const greeted = await greet(connection, CLIENT);
  const live: Live = {
    ...options,
    ...greeted,
    connection,
    drifts: new Map(),
    checkedAt: -Infinity,
    isStale: true,
    calls: 0,
  };
  await check(live);
  return live;
}

/** Makes one call, and compares the tools before it where they may have changed, and after it where the server said so. */
async function callTool(live: Live, { tool, input, onProgress }: LiveCall, signal: AbortSignal) {
  await recheck(live, signal);
  refuseDrifted(live, tool);
  const progressToken = onProgress === undefined ? undefined : (live.calls += 1);
  const { result, error } = await live.ask(
    "tools/call",
    { name: tool, arguments: input, ...(progressToken === undefined ? {} : { _meta: { progressToken } }) },
    {
      signal,
      onNotification(method, params) {
        noteChange(live, method);
        if (method !== "notifications/progress" || params["progressToken"] !== progressToken) return;
        const report = toReport(params);
        if (report !== undefined) onProgress?.(report);
      },
    },
  );
  if (error?.code === INVALID_PARAMS || (result !== undefined && isUnknown(result))) live.isStale = true;
  if (live.isStale) {
    await recheck(live, signal);
    refuseDrifted(live, tool);
  }
  if (result !== undefined) return result;
  const said = error?.message ?? "it does not say why";
  throw new CairnError("UPSTREAM_ERROR", `\`${live.upstream.name}\` refuses the call of \`${tool}\`: ${said}`);
}

/** Recognises the words in which servers of the official SDK say that they do not have a tool. */
function isUnknown({ isError, content }: Readonly<Record<string, unknown>>): boolean {
  return (
    isError === true &&
    /\btool\b.*\b(?:not found|disabled)\b|unknown tool/i.test(JSON.stringify(content).slice(0, 1_000))
  );
}

function noteChange(live: Live, method: string): void {
  if (method === "notifications/tools/list_changed") live.isStale = true;
}

function toReport({ progress, total, message }: Readonly<Record<string, unknown>>) {
  if (typeof progress !== "number") return undefined;
  return {
    progress,
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message } : {}),
  };
}

function refuseDrifted({ upstream, drifts }: Live, tool: string): void {
  const { name, servesReworded } = upstream;
  const drift = drifts.get(tool);
  if (drift === undefined || (drift.kind === "reworded" && servesReworded)) return;
  const message =
    drift.kind === "missing" && isOwned(upstream)
      ? `The upstream \`${name}\` does not list \`${tool}\` with the secrets of this caller, so it is not called: they do not allow it, or the upstream has changed since this version was made.`
      : `The upstream \`${name}\` has changed since this version was made, so \`${tool}\` is not called. ${drift.message} ` +
        "A later version may have it as it is now.";
  throw new CairnError("UPSTREAM_DRIFTED", message, { details: { upstream: name, tool, drift: drift.kind } });
}

/** Says whether callers act with secrets of their own or of their tenant, and so may each be shown other tools. */
export function isOwned({ secrets }: Pick<Upstream, "secrets">): boolean {
  return secrets.some(({ of }) => of !== "service");
}

async function recheck(live: Live, signal: AbortSignal): Promise<void> {
  if (!live.isStale && live.now() - live.checkedAt < RECHECK_MS) return;
  live.checking ??= check(live).finally(() => (live.checking = undefined));
  await untilAborted(live.checking, signal);
}

async function check(live: Live): Promise<void> {
  live.isStale = false;
  live.checkedAt = live.now();
  try {
    const { label, maskValue } = live.connection;
    live.drifts = findDrifts(live.upstream, await loadTools(label, live.ask), maskValue);
  } catch (error) {
    live.isStale = true;
    throw error;
  }
  live.onChecked([...live.drifts.values()]);
}

/** Waits for work that goes on for others when this caller gives up. */
export async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const given = Promise.withResolvers<never>();
  const onAbort = () => given.reject(new CairnError("CANCELLED", "The call of the upstream was given up."));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, given.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
