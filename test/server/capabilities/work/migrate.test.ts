import { describe, expect, test } from "vitest";
import { claimTask } from "../../../../server/capabilities/work/claim-task.ts";
import { createTask } from "../../../../server/capabilities/work/create-task.ts";
import { applyMigration, checkMigration } from "../../../../server/capabilities/work/migrate.ts";
import type { Json } from "../../../../server/store/store.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { ADA, createWorkBench, EVE } from "../../../helpers/work-bench.ts";
import fixture from "../../../fixtures/stores/work-1.json" with { type: "json" };

async function setUp() {
  const clock = { at: Date.UTC(2026, 0, 1) };
  const store = await openTestStore(() => clock.at);
  return { store, bench: createWorkBench(store, clock) };
}

const RENAME = { task: new Map([[1, rename]]), run: new Map([[1, rename]]) };

function rename({ result_summary = null, ...rest }: Readonly<Record<string, Json>>) {
  return { ...rest, summary: result_summary };
}

describe("migrations of stored work", () => {
  test("read a store of schema version 1 as it was written", async () => {
    const { store } = await setUp();
    await store.commit({ set: fixture.map(({ key, value }) => ({ key, value })) });
    expect(await checkMigration(store)).toEqual({
      schema_version: 1,
      records: { task: { 1: 2 }, run: { 1: 1 } },
      outdated: 0,
      problems: [],
    });
    expect(await applyMigration(store)).toMatchObject({ outdated: 0 });
  });

  test("upgrade every older record, and only once", async () => {
    const { store } = await setUp();
    await store.commit({ set: fixture.map(({ key, value }) => ({ key, value })) });
    const options = { target: 2, upgrades: RENAME };
    expect(await checkMigration(store, options)).toMatchObject({ outdated: 3, problems: [] });
    expect(await applyMigration(store, options)).toEqual({
      schema_version: 2,
      records: { task: { 2: 2 }, run: { 2: 1 } },
      outdated: 0,
      problems: [],
    });
    const upgraded = await Array.fromAsync(store.scan({ prefix: ["task"] }), ({ value }) => value);
    expect(upgraded).toEqual([
      expect.objectContaining({ schema_version: 2, summary: null }),
      expect.objectContaining({ schema_version: 2, summary: null }),
    ]);
    expect(await applyMigration(store, options)).toMatchObject({ outdated: 0 });
  });

  test("refuse a newer record, naming it, and change nothing", async () => {
    const { store } = await setUp();
    const [first, ...others] = fixture;
    const newer = { ...first?.value, schema_version: 3 } as Json;
    const older = others.map(({ key, value }) => ({ key, value: { ...value, schema_version: 1 } as Json }));
    await store.commit({ set: [{ key: first?.key ?? [], value: newer }, ...older] });
    const options = { target: 2, upgrades: RENAME };
    const message = expect.stringContaining(
      "is of schema version 3, which this Cairn does not know; it knows 2 at most",
    );
    await expect(applyMigration(store, options)).rejects.toMatchObject({ name: "CONFLICT", message });
    expect(await checkMigration(store, options)).toMatchObject({ outdated: others.length, problems: [message] });
  });

  test("refuse what nothing upgrades, and what no such record is", async () => {
    const { store } = await setUp();
    await store.commit({
      set: [
        { key: ["task", "acme", "work", "old"], value: { schema_version: 0 } },
        { key: ["task", "acme", "work", "odd"], value: { schema_version: 1, title: 7 } },
      ],
    });
    const { problems } = await checkMigration(store);
    expect(problems).toEqual([
      expect.stringContaining("The task `odd`: A stored task cannot be understood"),
      expect.stringContaining("The task `old` is of schema version 0, which nothing upgrades."),
    ]);
  });

  test("see one tenant's records alone where one is named", async () => {
    const { store, bench } = await setUp();
    await bench.act(ADA, (desk) => createTask(desk, { title: "a", objective: "a" }));
    await bench.act(EVE, (desk) => createTask(desk, { title: "e", objective: "e" }));
    await bench.act(ADA, (desk) => claimTask(desk, { workerId: "w1" }));
    expect((await checkMigration(store, { tenant: "acme" })).records).toEqual({ task: { 1: 1 }, run: { 1: 1 } });
    expect((await checkMigration(store)).records).toEqual({ task: { 1: 2 }, run: { 1: 1 } });
  });
});
