import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { Entry, Json, Key, Store } from "../../store/store.ts";
import { readRun } from "./run.ts";
import { readTask, WORK_SCHEMA_VERSION } from "./task.ts";

/** Upgrades of records to the next schema version, by the version that they are of. */
export type Upgrades = ReadonlyMap<number, (record: Readonly<Record<string, Json>>) => Readonly<Record<string, Json>>>;

/** The kinds of records with a `schema_version`, as their keys begin, too. */
const KINDS = [
  { kind: "task", read: readTask },
  { kind: "run", read: readRun },
] as const;

/** None yet: the first schema version is the present one. */
const UPGRADES: Readonly<Record<(typeof KINDS)[number]["kind"], Upgrades>> = { task: new Map(), run: new Map() };

export interface MigrationReport {
  readonly schema_version: number;
  /** Records by kind and schema version. */
  readonly records: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Number of records older than the present schema version. */
  readonly outdated: number;
  /** Faults: records that are newer, or that cannot be understood. */
  readonly problems: readonly string[];
}

export interface MigrationOptions {
  /** Whose records; absent: everybody's. */
  readonly tenant?: string;
  readonly target?: number;
  readonly upgrades?: typeof UPGRADES;
}

/** Says which records are older than they should be, and which cannot be read; changes nothing. */
export async function checkMigration(store: Store, options: MigrationOptions = {}): Promise<MigrationReport> {
  const { tenant, target = WORK_SCHEMA_VERSION, upgrades = UPGRADES } = options;
  const records: Record<string, Record<string, number>> = {};
  const problems: string[] = [];
  let outdated = 0;
  for (const { kind, read } of KINDS) {
    const counts: Record<string, number> = (records[kind] = {});
    for await (const { key, value } of store.scan({ prefix: toPrefix(kind, tenant) })) {
      const version = versionOf(value);
      counts[String(version)] = (counts[String(version)] ?? 0) + 1;
      if (version < target) outdated += 1;
      const problem = findProblem(kind, key, value, { target, upgrades, read });
      if (problem !== undefined) problems.push(problem);
    }
  }
  return { schema_version: target, records, outdated, problems };
}

/** Records of one commit. */
const BATCH = 500;

/**
 * Brings every older record up to date, in commits of its own; a record that others write meanwhile is looked at again.
 *
 * @throws CONFLICT when there are records that cannot be understood, or are newer: then nothing is changed.
 */
export async function applyMigration(store: Store, options: MigrationOptions = {}): Promise<MigrationReport> {
  const { tenant, target = WORK_SCHEMA_VERSION, upgrades = UPGRADES } = options;
  const before = await checkMigration(store, options);
  if (before.problems.length > 0) {
    throw new CairnError("CONFLICT", `Nothing was migrated. ${before.problems.slice(0, 3).join(" ")}`);
  }
  for (const { kind } of KINDS) {
    let batch: Entry[] = [];
    for await (const entry of store.scan({ prefix: toPrefix(kind, tenant) })) {
      if (versionOf(entry.value) < target) batch.push(entry);
      if (batch.length < BATCH) continue;
      await write(store, batch, upgrades[kind], target);
      batch = [];
    }
    await write(store, batch, upgrades[kind], target);
  }
  return checkMigration(store, options);
}

function toPrefix(kind: string, tenant: string | undefined): Key {
  return tenant === undefined ? [kind] : [kind, tenant];
}

async function write(store: Store, batch: readonly Entry[], upgrades: Upgrades, target: number): Promise<void> {
  if (batch.length === 0) return;
  const set = batch.map(({ key, value }) => ({ key, value: upgrade(value, upgrades, target) ?? value }));
  const done = await store.commit({ check: batch.map(({ key, rev }) => ({ key, rev })), set });
  if (done.ok) return;
  // One by one, so that a record that changes all the time does not keep the others.
  for (const { key } of batch) {
    const entry = await store.get(key);
    if (entry === undefined || versionOf(entry.value) >= target) continue;
    const value = upgrade(entry.value, upgrades, target) ?? entry.value;
    await store.commit({ check: [{ key, rev: entry.rev }], set: [{ key, value }] });
  }
}

function findProblem(
  kind: string,
  key: Key,
  value: Json,
  {
    target,
    upgrades,
    read,
  }: Required<Omit<MigrationOptions, "tenant">> & { readonly read: (value: unknown) => unknown },
): string | undefined {
  const name = `The ${kind} \`${String(key.at(-1))}\``;
  const version = versionOf(value);
  if (version > target) {
    return `${name} is of schema version ${version}, which this Cairn does not know; it knows ${target} at most.`;
  }
  const upgraded = upgrade(value, upgrades[kind === "task" ? "task" : "run"], target);
  if (upgraded === undefined) return `${name} is of schema version ${version}, which nothing upgrades.`;
  try {
    if (target === WORK_SCHEMA_VERSION) read(upgraded);
    return undefined;
  } catch (error) {
    return error instanceof CairnError ? `${name}: ${error.message}` : `${name} cannot be read.`;
  }
}

function upgrade(value: Json, upgrades: Upgrades, target: number): Json | undefined {
  let record = value;
  for (let version = versionOf(value); version < target; version += 1) {
    const step = upgrades.get(version);
    if (step === undefined || !isObject(record)) return undefined;
    record = { ...step(record as Readonly<Record<string, Json>>), schema_version: version + 1 };
  }
  return record;
}

/** 0 stands for a record without one. */
function versionOf(value: Json): number {
  const version = isObject(value) ? value["schema_version"] : undefined;
  return typeof version === "number" && Number.isInteger(version) ? version : 0;
}
