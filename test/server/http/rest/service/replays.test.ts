import { expect, test } from "vitest";
import { createToPrincipal } from "../../../../../server/auth/to-principal.ts";
import { keepReplays } from "../../../../../server/examples/keep-replays.ts";
import { createReplaysOperation } from "../../../../../server/http/rest/service/replays.ts";
import type { Registry } from "../../../../../server/versions/registry/registry-types.ts";
import { NOTHING_REVOKED } from "../../../../../server/versions/revoked.ts";
import type { Version } from "../../../../../server/versions/version.ts";
import { createMemoryTree } from "../../../../fixtures/trees/create-memory-tree.ts";
import { agentFiles } from "../../../../helpers/agent.ts";
import { loader } from "../../../../helpers/loader.ts";
import { openTestStore } from "../../../../helpers/store.ts";
import { answerOperation } from "./answer-operation.ts";

const FROM = "a".repeat(40);
const TO = "b".repeat(40);
const HANDLER = { handler: "export default () => ({});\n" };
const GUARDED = { ...HANDLER, manifest: "requiredCapabilities: [tool:runner.guarded]" };

async function load(commit: string, version: string): Promise<Version> {
  const files = { "manifests/policies/access.yaml": 'roles: { chief: ["tool:*"] }\n' };
  const tree = createMemoryTree(agentFiles({ version, tools: { echo: HANDLER, guarded: GUARDED }, files }));
  const loaded = await loader.load(tree, commit);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.version;
}

/** Opens a store with three replays of one tenant, and asks for them. */
async function openReplays() {
  const store = await openTestStore();
  const versions = new Map([
    ["1.0.0", await load(FROM, "1.0.0")],
    ["2.0.0", await load(TO, "2.0.0")],
  ]);
  const keep = (id: string, tool: string, outcome: "same" | "different", at: number, from = FROM) => {
    const record = { schemaVersion: 1, tool, outcome, reasons: [`reason of ${id}`], capabilities: [], at } as const;
    return { from, id, record, ttl: 60_000 };
  };
  await keepReplays(store, "acme", TO, [
    keep("one", "runner.echo", "same", 1),
    keep("two", "runner.echo", "different", 2),
    keep("three", "runner.guarded", "different", 3),
    keep("of another version", "runner.echo", "different", 4, "c".repeat(40)),
  ]);
  const registry = {
    inspect: async (segment: string) => ({ version: versions.get(segment) }),
  } as unknown as Pick<Registry, "inspect">;
  const operation = createReplaysOperation({ registry, store, toPrincipal: createToPrincipal(() => NOTHING_REVOKED) });
  return (tenant: string, roles: readonly string[], scopes: readonly string[], query = "?from=1.0.0&to=2.0.0") =>
    answerOperation(operation, { tenant, actor: "ada", roles, scopes: new Set(scopes) }, query);
}

test("replays of one version with another are counted and listed, what differs first", async () => {
  const ask = await openReplays();
  expect(await ask("acme", ["chief"], ["versions:read", "runner"])).toEqual({
    from: FROM,
    to: TO,
    counts: { different: 2, not_compared: 0, same: 1 },
    replays: [
      expect.objectContaining({ call_id: "three", reasons: ["reason of three"] }),
      expect.objectContaining({ call_id: "two", outcome: "different", at: "1970-01-01T00:00:00.002Z" }),
      expect.objectContaining({ call_id: "one", outcome: "same" }),
    ],
    truncated: false,
  });
  expect(await ask("acme", ["chief"], ["*"], "?from=1.0.0&to=2.0.0&limit=1")).toMatchObject({
    counts: { different: 2 },
    replays: [{ call_id: "three" }],
    truncated: true,
  });
});

test("replays of tools that a caller may not use, of other servers and of other tenants are not told", async () => {
  const ask = await openReplays();
  expect(await ask("acme", [], ["versions:read", "runner"])).toMatchObject({ counts: { different: 1, same: 1 } });
  expect(await ask("acme", ["chief"], ["versions:read"])).toMatchObject({ replays: [] });
  expect(await ask("other", ["chief"], ["*"])).toMatchObject({ replays: [] });
});

test("both versions have to be named", async () => {
  const ask = await openReplays();
  await expect(ask("acme", [], ["*"], "?from=1.0.0")).rejects.toMatchObject({ name: "BAD_REQUEST" });
});
