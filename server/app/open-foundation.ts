import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { Registry as Metrics } from "prom-client";
import { type Authentication, openAuthentication } from "../auth/open-authentication.ts";
import { type CallerSecrets, openCallerSecrets } from "../capabilities/secrets/caller-secrets.ts";
import { createSecrets, type Secrets } from "../capabilities/secrets/secrets.ts";
import type { Config } from "../config/config.ts";
import { isLoopback } from "../config/secure-url.ts";
import { createIdentifiers, createRandomPool, type RandomBytes } from "../identifiers.ts";
import type { Instance } from "../instance/hold-or-ask.ts";
import { createNodes, type Nodes } from "../instance/nodes.ts";
import { defined } from "../json/defined.ts";
import type { Audit } from "../kernel/audit/audit.ts";
import { openAudit } from "../kernel/audit/open-audit.ts";
import { openServiceSigner, pinServiceKey } from "../kernel/audit/service-key.ts";
import type { Log } from "../log/log.ts";
import { findUnusableSecrets } from "../operations/doctor/check-credentials.ts";
import { collectWhenIdle, openHeap } from "../operations/collect-when-idle.ts";
import { observeProcess } from "../operations/process-metrics.ts";
import { measureStore } from "../operations/store-metrics.ts";
import { lookAgain } from "../store/look-again.ts";
import { loadSecret } from "../store/secret.ts";
import type { Store } from "../store/store.ts";
import type { NodeDoor } from "../http/node-door.ts";
import type { Link } from "../instance/workers/open-link.ts";
import { openOwnData, type OwnData, warnOfData } from "./open-data.ts";
import { openWorkerData, type WorkerData } from "./workers/open-worker-data.ts";
import { type OpenedSandboxes, openSandboxes } from "./open-sandboxes.ts";
import { CairnError } from "../errors.ts";

/** Steps that let go of what was opened, to be taken in reverse. */
export type Closing = (() => Promise<void>)[];

/** The parts that all others of a service stand on: its data, who calls, the audit, sandboxes, time and chance. */
export interface Foundation {
  readonly instance: Instance;
  readonly store: Store;
  /** Milliseconds since 1970, as the store counts them. */
  readonly storeTime: () => number;
  /** Nodes that share the store; absent where it is this service's alone. */
  readonly nodes?: Nodes;
  /** False for a worker that leaves to the first what one of them does for all. */
  readonly isFirst: boolean;
  /** The data folder of the service, which a worker has in common with others. */
  readonly common: string;
  /** The way in for other workers; absent: this is none. */
  readonly door?: NodeDoor;
  readonly auth: Authentication;
  readonly audit: Audit;
  readonly sandboxes: OpenedSandboxes;
  readonly secrets: Secrets;
  readonly callerSecrets: CallerSecrets;
  readonly metrics: Metrics;
  readonly createId: () => string;
  readonly randomBytes: RandomBytes;
  readonly now: () => number;
  /** Milliseconds that nobody sets back. */
  readonly elapsed: () => number;
  readonly onIncident: (incident: string) => void;
  readonly onError: (error: unknown) => void;
}

export interface FoundationOptions {
  readonly config: Config;
  /** The words behind `cairn`, for those who find the data folder in use. Absent: `serve`. */
  readonly command?: string;
  /** Ends the start, and is of no meaning after it. */
  readonly starting?: AbortSignal;
  /** The way to the process that has the data folder; absent: this one takes it. */
  readonly worker?: Link;
  readonly log: Log;
}

/** Opens the foundation. Steps that close it are in `closing` as soon as there is something to close, also when it rejects. */
export async function openFoundation(options: FoundationOptions, closing: Closing): Promise<Foundation> {
  const { config, log, worker, command = "serve" } = options;
  const elapsed = () => performance.now();
  const metrics = new Metrics();
  const onError = (error: unknown) => log.error({ err: error }, "failed in the background");
  await mkdir(config.data, { recursive: true, mode: 0o700 });
  const isFirst = worker === undefined || worker.hello.self.id === worker.hello.home;
  if (isFirst) await warnOfData(config.data, log);
  for (const { message, advice } of await findUnusableSecrets(config)) log.warn({ advice }, message);
  const onWait = (holder: string) => log.info(`waiting for ${holder} to let go of the data folder`);
  const onAlarm = (message: string) => log.error(message);
  const holding = {
    data: config.data,
    config: config.store,
    command,
    now: Date.now,
    onWait,
    onAlarm,
    signal: options.starting,
  };
  const own: OwnData & Partial<WorkerData> = worker ? await openWorkerData(worker) : await openOwnData(holding);
  const { instance, storeTime } = own;
  // What one node writes down, others compare with their time.
  const now = own.members === undefined ? Date.now : storeTime;
  const measured = measureStore(own.store, metrics, elapsed);
  const store = own.members === undefined ? measured : lookAgain(measured, storeTime);
  closing.push(instance.release, store.admin.close);
  closing.push(await instance.answer(store, onError));
  const stopObserving = observeProcess(metrics, now());
  const stopCollecting = collectWhenIdle(openHeap());
  closing.push(
    async () => stopObserving(),
    async () => stopCollecting(),
  );
  const auth = await openAuthentication({ config: config.auth, store, randomBytes, fetch, now, uptime: elapsed, log });
  assertGuarded(auth.isOpen, config.host);
  const random = createRandomPool(randomBytes);
  const { members, door } = own;
  const key = members && (await loadSecret(store, "nodes", randomBytes));
  const nodes = members && key && createNodes({ members, key, fetch, storeTime, elapsed });
  const createId = createIdentifiers(now, random);
  const signer = await openServiceSigner(config, store, randomBytes);
  // Workers have the key of one data folder.
  if (nodes !== undefined && worker === undefined) await pinServiceKey(config, store, signer);
  const audit = await openAudit({ store, signer, createId, randomBytes: random, now, log });
  closing.push(() => audit.close());
  const onIncident = (incident: string) => log.warn({ incident }, "sandbox");
  const sandboxes = await openSandboxes({ now, elapsed, onIncident, log });
  closing.push(sandboxes.handlers.close, sandboxes.artifacts.close);
  const callerSecrets = openCallerSecrets({ store, audit, key: config.secrets.key, randomBytes: random, now });
  const secrets = createSecrets({ config: config.secrets, ofCallers: callerSecrets });
  const parts = { instance, store, storeTime, auth, audit, sandboxes, secrets, callerSecrets, metrics };
  return {
    ...parts,
    isFirst,
    common: worker?.hello.folder ?? config.data,
    ...defined({ nodes, door }),
    createId,
    randomBytes: random,
    now,
    elapsed,
    onIncident,
    onError,
  };
}

/** Refuses an address at which others on the network would be let in as well. @throws BAD_REQUEST */
export function assertGuarded(isOpen: boolean, host: string): void {
  if (!isOpen || isLoopback(host)) return;
  throw new CairnError(
    "BAD_REQUEST",
    `HOST is \`${host}\`, which others can reach, and callers need no token. Set CAIRN_AUTH=tokens and make one with ` +
      "`cairn token create`, or set CAIRN_OAUTH_ISSUER; without either, Cairn listens on 127.0.0.1 only.",
  );
}
