import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../server/json/types.ts";
import { LOCAL_PRINCIPAL, type Principal } from "../../../server/principal.ts";
import { createRunReader } from "../../../server/resources/runs.ts";
import { evidenceKey, runKey, runLog } from "../../../server/store/keys.ts";
import { openTestStore } from "../../helpers/store.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

const RUN = "01a2026b-747b-7000-a732-2e8da80d7ad3";
const TASK = "01a2026b-7330-7000-a99d-882e675a9e78";
const AT = "2026-11-23T12:00:00Z";
const NOTES = "# Notes\n";

async function setUp() {
  const store = await openTestStore();
  const { tenant } = LOCAL_PRINCIPAL;
  const version = createTestVersion({
    servers: [
      { name: "work", state: "work" },
      { name: "other", state: "work" },
    ],
    tools: [
      { name: "status", server: "work", uses: new Set(["work.read"]), requiredCapabilities: ["status"] },
      { name: "unlike", server: "other" },
    ],
  });
  const digest = hash("sha256", NOTES);
  const run = {
    schema_version: 1,
    run_id: RUN,
    task_id: TASK,
    workflow: "external",
    status: "completed",
    risk_level: null,
    run_path: `runs/${RUN}`,
    timestamps: { created_at: AT, updated_at: AT, ended_at: AT },
    version: "1.0.0",
    commit: version.commit,
    worker_id: "w1",
    actor: { tenant, name: "local" },
    fence: 1,
    attempt: 1,
    lease: { seconds: 300, expires_at: AT },
    steps: [],
    artifacts: { "notes.md": { digest, bytes: NOTES.length, written_at: AT } },
    result_summary: "Done.",
  };
  const event = {
    schema_version: 1,
    kind: "run.began",
    at: AT,
    task_id: TASK,
    run_id: RUN,
    actor: "local",
    details: {},
  };
  await store.commit({
    set: [
      { key: runKey(tenant, "work", RUN), value: run as unknown as Json },
      { key: evidenceKey(tenant, digest), value: NOTES },
    ],
    append: [{ log: runLog(tenant, RUN), entry: event }],
  });
  const read = (variables: Record<string, string>, principal: Principal = LOCAL_PRINCIPAL, name = "work") => {
    const server = version.servers.get(name);
    if (server === undefined) throw new TypeError(`There is no server ${name}.`);
    return createRunReader(store)({ version, server, principal, uri: "runs://x", variables });
  };
  return { read, run, digest };
}

describe("[W5] the path that a run's record names", () => {
  test("leads to the run with the addresses of its evidence", async () => {
    const { read, run, digest } = await setUp();
    expect(await read({ run_id: RUN })).toEqual({
      ...run,
      artifacts: {
        "notes.md": { uri: `runs://${RUN}/artifacts/notes.md`, digest, bytes: NOTES.length, written_at: AT },
        "journal/events.jsonl": { uri: `runs://${RUN}/artifacts/journal/events.jsonl` },
      },
    });
  });

  test("leads to each piece of evidence as it was written, and to the journal", async () => {
    const { read } = await setUp();
    expect(await read({ run_id: RUN, name: "notes.md" })).toBe(NOTES);
    const journal = String(await read({ run_id: RUN, journal: "events.jsonl" }));
    expect(JSON.parse(journal)).toMatchObject({ seq: 0, kind: "run.began", run_id: RUN });
  });

  test.each<readonly [string, Record<string, string>, Principal, string]>([
    ["of a name that the run has not", { run_id: RUN, name: "constructor" }, LOCAL_PRINCIPAL, "work"],
    ["of another journal", { run_id: RUN, journal: "x.jsonl" }, LOCAL_PRINCIPAL, "work"],
    ["of another run", { run_id: TASK }, LOCAL_PRINCIPAL, "work"],
    ["of no id", { run_id: "../x" }, LOCAL_PRINCIPAL, "work"],
    ["of another tenant", { run_id: RUN }, { ...LOCAL_PRINCIPAL, tenant: "other" }, "work"],
    ["to those who may read no task", { run_id: RUN }, { ...LOCAL_PRINCIPAL, capabilities: new Set<string>() }, "work"],
    ["on a server that has no tasks", { run_id: RUN }, LOCAL_PRINCIPAL, "other"],
  ])("leads nowhere: one %s", async (_, variables, principal, server) => {
    const { read } = await setUp();
    await expect(read(variables, principal, server)).rejects.toMatchObject({ name: "NOT_FOUND" });
  });
});
