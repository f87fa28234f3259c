import { setTimeout as sleep } from "node:timers/promises";
import { listNeeds, type Secrets } from "../capabilities/secrets/secrets.ts";
import { loadDiskRoom, LOW_BYTES, showRoom } from "../config/disk-room.ts";
import type { Audit } from "../kernel/audit/audit.ts";
import type { Store } from "../store/store.ts";
import type { Upstreams } from "../capabilities/mcp/open-upstreams.ts";
import type { Registry, RegistryStatus } from "../versions/registry/registry-types.ts";
import type { CheckResult, HealthCheck } from "./health.ts";
import type { Sandboxes } from "./service-metrics.ts";

/** Milliseconds between two trial writes: each costs a flush of the disk. */
const TRIAL_MS = 5000;
const TRIAL_KEY = ["operations", "trial"];
/** Quarantined versions that are named, and those whose handlers are confined. */
const NAMED_LIMIT = 20;
/** Milliseconds to wait for versions that are not loaded yet. */
const LOOK_MS = 300;

export interface ServiceChecksOptions {
  readonly store: Store;
  readonly registry: Pick<Registry, "status" | "inspect">;
  readonly secrets: Secrets;
  /** Path of the data folder. */
  readonly data: string;
  readonly sandboxes: Sandboxes;
  readonly audit: Pick<Audit, "health">;
  readonly upstreams: Pick<Upstreams, "reports">;
  /** Says whether runs can execute commands. */
  readonly commands: { readonly available: boolean; readonly reason?: string };
  readonly now: () => number;
}

/** Creates the checks of what the service needs to answer calls. A repository that is away is a warning: what is here stays served. */
export function createServiceChecks(options: ServiceChecksOptions): readonly HealthCheck[] {
  const { registry, sandboxes, audit, commands, upstreams, now } = options;
  const { status } = registry;
  return [
    createStoreTrial(options),
    { name: "disk:free", run: () => checkDisk(options.data) },
    { name: "repository:age", run: () => checkRepository(status(), now()) },
    { name: "versions:states", run: () => checkVersions(status()) },
    { name: "versions:labels", run: () => checkLabels(status()) },
    { name: "secrets:missing", run: () => checkSecrets(options) },
    { name: "policies:revoked", run: () => checkRevoked(status()) },
    {
      name: "sandbox:processes",
      run() {
        const { processes } = sandboxes.handlers.stats();
        return { status: processes > 0 ? "pass" : "fail", observedValue: processes };
      },
    },
    { name: "sandbox:offenders", run: () => checkOffenders(sandboxes) },
    {
      name: "commands:sandbox",
      run: () =>
        commands.available
          ? { status: "pass" }
          : { status: "warn", output: `Runs execute no commands: ${commands.reason ?? "there is no sandbox"}` },
    },
    { name: "upstreams:drift", run: () => checkUpstreams(upstreams.reports()) },
    {
      name: "audit:chain",
      run() {
        const { ok, broken } = audit.health();
        return ok ? { status: "pass" } : { status: "fail", observedValue: broken, output: "A log is not whole." };
      },
    },
  ];
}

function createStoreTrial({ store, now }: ServiceChecksOptions): HealthCheck {
  let triedAt = -Infinity;
  return {
    name: "store:trial",
    async run() {
      await store.get(TRIAL_KEY);
      if (now() - triedAt >= TRIAL_MS) {
        await store.commit({ set: [{ key: TRIAL_KEY, value: now() }] });
        triedAt = now();
      }
      return { status: "pass" };
    },
  };
}

/** A store on a full disk takes some commits and refuses others, so a trial alone would come and go. */
async function checkDisk(data: string): Promise<CheckResult> {
  const room = await loadDiskRoom(data);
  const observed = { observedValue: room.free, observedUnit: "B" };
  if (!room.isFull && room.free >= LOW_BYTES) return { status: "pass", ...observed };
  const output = room.isFull ? "No space is left on the disk of the data folder." : `${showRoom(room)} are free.`;
  return { status: room.isFull ? "fail" : "warn", ...observed, output };
}

function checkRepository({ lastSuccess, lastFailure, failingSince }: RegistryStatus, now: number): CheckResult {
  const age = lastSuccess === undefined ? {} : toAge(now - Date.parse(lastSuccess));
  if (failingSince === undefined) return { status: "pass", ...age };
  const output = `Not read since ${failingSince}: ${lastFailure?.message ?? "unknown"}`;
  return { status: "warn", ...age, output };
}

function checkVersions({
  versions,
  unverified,
  quarantined,
  quarantinedVersions,
  alarms,
  missing,
}: RegistryStatus): CheckResult {
  const served = versions - unverified - quarantined;
  const named = quarantinedVersions.slice(0, NAMED_LIMIT);
  const observedValue = {
    served,
    unverified,
    quarantined: named,
    quarantinedCount: quarantined,
    ...(missing.size > 0 && { missing: [...missing.keys()].slice(0, NAMED_LIMIT), missingCount: missing.size }),
  };
  const faults = [
    ...(alarms.size > 0 ? [`${alarms.size} tags were moved or deleted upstream.`] : []),
    ...(missing.size > 0 ? [`${missing.size} versions cannot be brought in; /sync says why.`] : []),
  ];
  return faults.length === 0
    ? { status: "pass", observedValue }
    : { status: "warn", observedValue, output: faults.join(" ") };
}

function checkLabels({ labels, labelProblems }: RegistryStatus): CheckResult {
  const [first] = labelProblems;
  const observedValue = Object.fromEntries(labels);
  if (first === undefined) return { status: "pass", observedValue };
  const { file, line, column, message, fix } = first;
  const more = labelProblems.length > 1 ? ` And ${labelProblems.length - 1} more.` : "";
  return { status: "warn", observedValue, output: `${file}:${line}:${column}: ${message} ${fix}${more}` };
}

/**
 * Looks for secrets of the service that the newest version, or one with a label, needs and does not have. Those of tenants and
 * callers are theirs to set. Versions that take long to load are looked at the next time, so that readiness waits for none.
 */
async function checkSecrets({ registry, secrets }: ServiceChecksOptions): Promise<CheckResult> {
  const looked = await Promise.race([findMissing(registry, secrets), sleep(LOOK_MS, undefined, { ref: false })]);
  const missing = [...new Set(looked)].slice(0, NAMED_LIMIT);
  if (missing.length === 0) return { status: "pass" };
  return {
    status: "warn",
    observedValue: missing,
    output: "Calls of tools that need them fail; CAIRN_SECRETS sets them.",
  };
}

async function findMissing(registry: ServiceChecksOptions["registry"], secrets: Secrets): Promise<readonly string[]> {
  const names = ["latest", ...registry.status().labels.keys()];
  const found = await Promise.all(names.map((name) => registry.inspect(name).catch(() => undefined)));
  const needed = found.flatMap((one) =>
    one === undefined ? [] : [...one.version.tools.values()].flatMap((tool) => listNeeds(one.version, tool)),
  );
  const byName = new Map(needed.filter(({ of }) => of === "service").map((secret) => [secret.name, secret]));
  const nobody = { tenant: "", actor: "" };
  const values = [...byName.values()].map(async (secret) =>
    (await secrets.find(secret, nobody).catch(() => undefined)) === undefined ? [secret.name] : [],
  );
  return (await Promise.all(values)).flat();
}

function checkRevoked({ revokedProblems: [first] }: RegistryStatus): CheckResult {
  if (first === undefined) return { status: "pass" };
  const where = `${first.file}:${first.line}:${first.column}: ${first.message}`;
  const output = `What the default branch revokes is not certain; what it revoked before stays so. ${where}`;
  return { status: "warn", output };
}

function checkOffenders(sandboxes: Sandboxes): CheckResult {
  const offenders = Object.entries(sandboxes).flatMap(([sandbox, { stats }]) =>
    stats().offenders.map((offender) => ({ sandbox, ...offender })),
  );
  if (offenders.length === 0) return { status: "pass", observedValue: [] };
  const output = `${offenders.length} took isolates down lately; their calls run one at a time.`;
  return { status: "warn", observedValue: offenders.slice(-NAMED_LIMIT), output };
}

function checkUpstreams(reports: ReturnType<Upstreams["reports"]>): CheckResult {
  if (reports.length === 0) return { status: "pass" };
  const observedValue = reports.slice(0, NAMED_LIMIT).map(({ version, upstream, drifts }) => {
    return { version, upstream, tools: drifts.slice(0, NAMED_LIMIT).map(({ tool, kind }) => `${tool} (${kind})`) };
  });
  const output = `${reports.length} upstreams are not what versions were made with; calls of these tools are refused.`;
  return { status: "warn", observedValue, output };
}

function toAge(milliseconds: number) {
  return { observedValue: Math.max(0, Math.round(milliseconds / 1000)), observedUnit: "s" };
}
