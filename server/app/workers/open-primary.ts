import { randomBytes, randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config, Environment } from "../../config/config.ts";
import { toDataPaths } from "../../config/data-folder.ts";
import { RELEASE } from "../../config/optional-package.ts";
import { tryListening } from "../../http/listen.ts";
import { toWorkerLock } from "../../instance/workers/worker-lock.ts";
import { openServiceSigner, toKeyPath } from "../../kernel/audit/service-key.ts";
import type { Log } from "../../log/log.ts";
import { collectWhenIdle, openHeap } from "../../operations/collect-when-idle.ts";
import { MACHINE } from "../../store/steady-clock.ts";
import { type Git, loadGit } from "../../versions/git/git.ts";
import { openOwnData } from "../open-data.ts";
import { openSlot, type Slot, type StartWorker } from "./open-slot.ts";

export interface PrimaryOptions {
  readonly config: Config;
  /** Words behind `cairn`, for those who find the data folder in use. */
  readonly command: string;
  readonly environment: Environment;
  /** The checkout whose history the embedded repository begins with. */
  readonly checkout: string;
  readonly start: StartWorker;
  /** Ends the start, and is of no meaning after it. */
  readonly starting: AbortSignal;
  readonly log: Log;
}

/** The process that has the data folder, and whose workers serve. */
export interface Primary {
  /** Lines that greet the operator. */
  readonly lines: readonly string[];
  /** Has the workers finish what is under way, then lets go of everything. */
  close(): Promise<void>;
}

/** Milliseconds beyond the time for calls in which a worker that is asked to end does so. */
const END_MS = 30_000;

/**
 * Opens the data folder for this process alone, and starts the workers, the first of them before all others: it makes what there is
 * one of. They answer HTTP at one port, and use the store through this process, so that nobody else writes to it.
 */
export async function openPrimary(options: PrimaryOptions): Promise<Primary> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    const lines = await openWorkers(options, closing);
    return { lines, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openWorkers(
  { config, command, environment, checkout, start, starting, log }: PrimaryOptions,
  closing: (() => Promise<unknown>)[],
): Promise<readonly string[]> {
  const { data, workers, drainGrace } = config;
  const git = await loadGit({ environment, signal: starting });
  await mkdir(data, { recursive: true, mode: 0o700 });
  const onWait = (holder: string) => log.info(`waiting for ${holder} to let go of the data folder`);
  const onAlarm = (message: string) => log.error(message);
  const onError = (error: unknown) => log.error({ err: error }, "failed in the background");
  const holding = { data, config: config.store, command, now: Date.now, onWait, onAlarm, signal: starting };
  const { instance, store, storeTime } = await openOwnData(holding);
  closing.push(instance.release, store.admin.close);
  closing.push(await instance.answer(store, onError));
  const stopCollecting = collectWhenIdle(openHeap());
  closing.push(async () => stopCollecting());
  await openServiceSigner(config, store, randomBytes);
  const repository = config.repository ?? (await openEmbedded(git, data, checkout));
  const places = Array.from({ length: workers }, (_, at) => toPlace(data, at + 1));
  // Others of this account could share a port that its workers share, and take each other's callers.
  if (config.port !== 0) await tryListening(config);

  const ground = { ...environment, HOST: config.host, CAIRN_REPO: repository, CAIRN_AUDIT_KEY: toKeyPath(config) };
  const slots: Slot[] = [];
  let port = config.port;
  const elapsed = () => performance.now();
  const origin = Math.round(storeTime() - MACHINE.sinceStart());
  const open = ({ number, id, folder, lock }: Place) => {
    const slot = openSlot({
      number,
      id,
      hello: { home: toId(1), folder: data, lock, origin },
      release: RELEASE,
      store,
      members: () => slots.map(({ member }) => member()),
      environment: () => ({ ...ground, CAIRN_DATA: folder, PORT: String(port) }),
      start,
      createId: randomUUID,
      storeTime,
      elapsed,
      sleep: (ms, signal) => sleep(ms, undefined, { signal }),
      log,
      onError,
    });
    slots.push(slot);
    return slot.serves;
  };
  const stop = () => Promise.all(slots.map((slot) => slot.stop(drainGrace * 1000 + END_MS)));
  closing.push(stop);
  const onAbort = () => void stop();
  starting.throwIfAborted();
  starting.addEventListener("abort", onAbort);
  try {
    const [first, ...others] = places;
    const { lines = [], url = "", repository: shown } = first === undefined ? {} : await open(first);
    port = Number(new URL(url).port);
    await Promise.all(others.map(open));
    await instance.announce({ url, ...(shown !== undefined && { repository: shown }) });
    return lines;
  } finally {
    starting.removeEventListener("abort", onAbort);
  }
}

/** Opens the repository of a service that was given none. What it takes is loaded only here, since a primary is small otherwise. */
async function openEmbedded(git: Git, data: string, checkout: string): Promise<string> {
  const { createLoader } = await import("../../versions/load-version.ts");
  const { createEmbeddedOrigin } = await import("../../versions/registry/embedded.ts");
  return createEmbeddedOrigin({ git, data, checkout, ...createLoader() });
}

interface Place {
  readonly number: number;
  readonly id: string;
  /** The worker's own data folder: that of the service for the first, which has what a service of one process has there. */
  readonly folder: string;
  readonly lock: string;
}

function toPlace(data: string, number: number): Place {
  const { workers, instance } = toDataPaths(data);
  const folder = number === 1 ? data : join(workers, String(number));
  return { number, id: toId(number), folder, lock: toWorkerLock(instance, number) };
}

/** Makes the identifier of a worker, always the same: workspaces of runs are found by it after a restart, and the parts of sessions. */
function toId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}
