import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createBeliefClient, type BeliefClient } from "../helpers/belief-client.ts";
import { type RunningCairn, runInProcess, startCairn } from "../helpers/cairn.ts";
import { createCheckoutRepository } from "../helpers/checkout-repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const CALLERS = 64;
/** A power of two, so that sums are exact. */
const STEP = 2 ** -12;
const OPERATIONS = process.env["CAIRN_LONG"] === undefined ? 8 : 60;
const KILLS = process.env["CAIRN_LONG"] === undefined ? 2 : 12;

const shared = createShared();
let repository: string;
let data: string;
let cairn: RunningCairn;
let client: BeliefClient;

async function start(): Promise<void> {
  cairn = await startCairn(["serve", repository, "--data", data], {}, shared.atEnd);
  client = createBeliefClient(cairn.url);
}

beforeAll(async () => {
  repository = (await createCheckoutRepository(await temporaryFolder(shared.atEnd))).repository.path;
  data = await temporaryFolder(shared.atEnd);
  await start();
}, 60_000);
afterAll(shared.undoAll);

const create = async (belief: number, energy: number): Promise<string> =>
  String((await client.output("node.create", { belief, energy }))["node_id"]);

describe("the wire", () => {
  test("[B1] shakes hands in 2024-11-05", async () => {
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion: "2024-11-05", capabilities: {}, clientInfo };
    for (const given of [params, {}]) {
      expect((await client.ask("initialize", given)).result).toMatchObject({
        protocolVersion: "2024-11-05",
        capabilities: { tools: {}, resources: {}, prompts: {} },
      });
    }
  });

  test("[B1] [B7] lists the ten tools as schemas/mcp_tools.schema.json has them", async () => {
    const { result } = await client.ask("tools/list", {});
    const listed = (result?.["tools"] ?? []) as { name: string; inputSchema: object; description: string }[];
    const { $defs } = JSON.parse(readFileSync("schemas/mcp_tools.schema.json", "utf8")) as {
      $defs: Record<string, { properties: Record<string, { const: unknown }> }>;
    };
    const specified = Object.values($defs).map(({ properties }) => [
      properties["name"]?.const,
      properties["inputSchema"]?.const,
      properties["sideEffects"]?.const,
    ]);
    const effects = (text: string) => {
      const named = /Side effects: ([\w, ]+)\.$/.exec(text)?.[1] ?? "";
      return named === "none" ? [] : named.split(", ");
    };
    const found = listed.map(({ name, inputSchema, description }) => [name, inputSchema, effects(description)]);
    expect(found).toHaveLength(10);
    expect(found).toEqual(expect.arrayContaining(specified));
    expect(specified).toHaveLength(10);
  });

  test.each([
    ["[B3] what there is no tool for", { name: "node.destroy" }, 3000, "INVALID_TOOL"],
    ["[B3] a wrong parameter", { name: "node.query", arguments: { node_id: "x" } }, 2000, "BAD_REQUEST"],
    ["[B3] a node that is not there", { name: "node.query", arguments: { node_id: "999" } }, 4004, "NODE_NOT_FOUND"],
  ])("answers %s with both codes", async (_, params, code, name) => {
    const { error } = await client.ask("tools/call", params);
    expect(error).toMatchObject({ code, data: { code, name } });
  });

  test("[B3] answers what would break an invariant with both codes", async () => {
    const src = await create(0.5, 1);
    const { error } = await client.call("edge.bind", { src, dst: src, weight: 1 });
    expect(error).toMatchObject({ code: 5000, data: { code: 5000, name: "INVARIANT_VIOLATION" } });
  });

  test.each(["NaN", "Infinity", "-Infinity", "1e999", "nan", '"NaN"', "0x1", "1e400"])(
    "[B4] refuses %s as a number, and nothing is made",
    async (number) => {
      const before = await client.output("lineage.replay", {});
      for (const [belief, energy] of [
        [number, "1"],
        ["0.5", number],
      ]) {
        const input = `{"belief":${belief},"energy":${energy}}`;
        const { error } = await client.raw(
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"node.create","arguments":${input}}}`,
        );
        // What is no JSON is refused before anybody knows what it was to be.
        const isJson = /^(?:1e|")/.test(number);
        expect(error).toMatchObject({ code: isJson ? 2000 : -32700 });
        if (isJson) expect(error).toMatchObject({ data: { code: 2000, name: "BAD_REQUEST" } });
      }
      expect(await client.output("lineage.replay", {})).toEqual(before);
    },
  );

  test("[B4] takes -0 as 0", async () => {
    const { result } = await client.raw(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"node.create","arguments":{"belief":-0,"energy":-0.0}}}',
    );
    expect(result?.["structuredContent"]).toMatchObject({ belief: 0, energy: 0 });
  });

  test("[B4] takes a body of 1 MB, and refuses one more byte as a bad request", async () => {
    const toBody = (length: number) => {
      const make = (padding: string) =>
        JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "governor.status", arguments: { padding } },
        });
      return make("x".repeat(length - make("").length));
    };
    const MB = 1024 * 1024;
    const whole = await client.raw(toBody(MB));
    expect([whole.status, whole.result?.["structuredContent"]]).toMatchObject([200, { coherent: true }]);
    const more = await client.raw(toBody(MB + 1));
    expect([more.status, more.error]).toMatchObject([413, { code: 2000, data: { code: 2000, name: "BAD_REQUEST" } }]);
  });
});

describe("docs/beliefs.md", () => {
  test("[B7] has a client that uses every tool and prints what the page says", { timeout: 60_000 }, async () => {
    const page = readFileSync("docs/beliefs.md", "utf8");
    const [, program = ""] = /```js\n(.*?)```/s.exec(page) ?? [];
    const [, printed = ""] = /```text\n(.*?)```/s.exec(page) ?? [];
    const { result } = await client.ask("tools/list", {});
    const names = ((result?.["tools"] ?? []) as { name: string }[]).map(({ name }) => name);
    expect(names.filter((name) => !program.includes(`"${name}"`))).toEqual([]);
    const fresh = await startCairn(["serve", repository, "--data", await temporaryFolder()]);
    const args = ["--input-type=module", "--eval", program];
    const env = { ...process.env, CAIRN_URL: fresh.url };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(stdout).toBe(printed);
  });
});

describe("an exported lineage", () => {
  const read = async (uri: string) => {
    const { result, error } = await client.ask("resources/read", { uri });
    const [content] = (result?.["contents"] ?? []) as { text: string; mimeType: string }[];
    return { ...content, error };
  };

  test("[B2] is read by clients, and verified by the program in docs/beliefs.md", { timeout: 60_000 }, async () => {
    const [, program = ""] = /```python\n(.*?)```/s.exec(readFileSync("docs/beliefs.md", "utf8")) ?? [];
    const folder = await temporaryFolder();
    await writeFile(join(folder, "verify.py"), program);
    const fetchExport = async (path: string) => {
      const { checksum } = await client.output("lineage.export", { path });
      const { text = "", mimeType } = await read(`exports://beliefs/${path}`);
      expect(mimeType).toBe("application/json");
      await writeFile(join(folder, path), text);
      return String(checksum);
    };
    const verify = (...args: string[]) =>
      promisify(execFile)("python3", ["verify.py", ...args], { cwd: folder }).then(
        ({ stdout }) => stdout.trim(),
        ({ stderr }: { stderr: string }) => stderr.trim(),
      );
    await create(0.5, 1);
    const earlier = await fetchExport("earlier.json");
    await create(0.25, 1);
    const later = await fetchExport("later.json");
    expect(await verify("later.json", later, "earlier.json")).toMatch(/^\d+ mutations, verified$/);

    expect(await verify("later.json", earlier)).toBe("the file is not the one that was answered with");
    const text = readFileSync(join(folder, "later.json"), "utf8");
    const digest = (content: string) => createHash("sha256").update(content).digest("hex");
    const forged = text.replace(/"checksum":"./, '"checksum":"z');
    await writeFile(join(folder, "forged.json"), forged);
    expect(await verify("forged.json", digest(forged))).toBe("entry 0 of forged.json is not what it should be");
    const spaced = text.replaceAll(",", ", ");
    await writeFile(join(folder, "spaced.json"), spaced);
    expect(await verify("spaced.json", digest(spaced))).toBe("spaced.json is not in canonical form");
    const rewritten = text.replace(/(?<="checksum":")[0-9a-f]{8}/, "00000000");
    await writeFile(join(folder, "rewritten.json"), rewritten);
    expect(await verify("rewritten.json", digest(rewritten), "earlier.json")).toBe(
      "the lineage does not go on from the one of before",
    );
  });

  test("[B6] is nobody's whose it is not", async () => {
    for (const uri of ["exports://beliefs/none.json", "exports://beliefs/..%2Fa.json", "exports://runner/a.json"]) {
      expect((await read(uri)).error).toMatchObject({ data: { name: "NOT_FOUND" } });
    }
  });
});

describe("64 callers at once", () => {
  test(
    "[B5] each see one order of things that agrees with time, and every invariant holds after",
    { timeout: 600_000 },
    async () => {
      const counter = await create(0, 1_000);
      const before = ((await client.output("lineage.replay", {}))["entries"] as unknown[]).length;
      const log: {
        readonly kind: "add" | "look";
        readonly from: number;
        readonly to: number;
        readonly count: number;
      }[] = [];
      let time = 0;
      const caller = async (who: number) => {
        for (let turn = 0; turn < OPERATIONS; turn += 1) {
          const kind = (who + turn) % 2 === 0 ? "add" : "look";
          const from = (time += 1);
          const { belief } =
            kind === "add"
              ? await client.output("node.mutate", { node_id: counter, delta: STEP })
              : await client.output("node.query", { node_id: counter });
          log.push({ kind, from, to: (time += 1), count: Number(belief) / STEP });
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, (_, who) => caller(who)));

      const adds = log.filter(({ kind }) => kind === "add");
      // Each addition has its own place in the order.
      expect(adds.map(({ count }) => count).sort((a, b) => a - b)).toEqual(adds.map((_, index) => index + 1));
      // What had ended before something began is before it in that order.
      for (const one of log) {
        const earlier = log.filter(({ to }) => to < one.from).map(({ count }) => count);
        const least = Math.max(0, ...earlier) + (one.kind === "add" ? 1 : 0);
        expect(one.count).toBeGreaterThanOrEqual(least);
        expect(one.count).toBeLessThanOrEqual(adds.filter(({ from }) => from < one.to).length);
      }
      const { entries } = (await client.output("lineage.replay", {})) as { entries: { seq: number }[] };
      expect(entries.slice(before)).toHaveLength(adds.length);
      expect(await client.output("governance.status", {})).toMatchObject({ checksum_valid: true, coherent: true });
    },
  );

  test("[B5] bind no cycle between them", { timeout: 120_000 }, async () => {
    const ring = await Promise.all(Array.from({ length: 8 }, () => create(0.5, 1)));
    const bound = await Promise.all(
      ring.flatMap((src, index) =>
        [1, 7].map(
          async (on) => (await client.call("edge.bind", { src, dst: ring[(index + on) % 8] ?? "", weight: 1 })).error,
        ),
      ),
    );
    // Of two edges the other way round one at most is there, and a ring lacks one.
    const forward = bound.filter((_, index) => index % 2 === 0).filter((error) => error === undefined).length;
    const backward = bound.filter((_, index) => index % 2 === 1).filter((error) => error === undefined).length;
    expect(forward + backward).toBeLessThanOrEqual(8);
    expect([forward, backward].every((count) => count < 8)).toBe(true);
    expect(bound.every((error) => error === undefined || error.code === 5000)).toBe(true);
  });
});

describe("kill -9", () => {
  test(`[B2] [B5] loses nothing that was acknowledged, ${KILLS} times`, { timeout: 600_000 }, async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const counter = await create(0, 1_000);
      const known = ((await client.output("lineage.replay", {}))["entries"] as { checksum: string }[]).at(-1);
      let [begun, acknowledged] = [0, 0];
      const callers = Array.from({ length: 16 }, async () => {
        for (;;) {
          begun += 1;
          try {
            await client.output("node.mutate", { node_id: counter, delta: STEP });
          } catch {
            // The service is gone, and nobody knows what became of this one.
            return;
          }
          acknowledged += 1;
        }
      });
      await vi.waitFor(() => expect(acknowledged).toBeGreaterThan(20 + 15 * kill), { timeout: 60_000, interval: 5 });
      await cairn.stop("SIGKILL");
      await Promise.all(callers);
      await start();
      const { belief } = await client.output("node.query", { node_id: counter });
      const kept = Number(belief) / STEP;
      expect(kept).toBeGreaterThanOrEqual(acknowledged);
      expect(kept).toBeLessThanOrEqual(begun);
      const { entries } = (await client.output("lineage.replay", {})) as { entries: { checksum: string }[] };
      const since = entries.findIndex(({ checksum }) => checksum === known?.checksum);
      expect(entries.length - 1 - since).toBe(kept);
      expect(await client.output("governance.status", {})).toMatchObject({ checksum_valid: true, coherent: true });
    }
  });
});

describe("what clients can read", () => {
  test(
    "[B6] holds nothing of weights, topology, vectors, energies or what the lineage says",
    { timeout: 120_000 },
    async () => {
      // Numbers that are nothing else's, so that finding one anywhere is a leak.
      const marks = { belief: 0.7310585786, energy: 918273.645546, weight: 0.2689414213, delta: 0.0119202922 };
      const [src, dst] = [await create(marks.belief, marks.energy), await create(0.5, 1)];
      const bound = await client.output("edge.bind", { src, dst, weight: marks.weight });
      await client.output("node.mutate", { node_id: dst, delta: marks.delta });
      const seen: string[] = [];
      const see = (value: unknown) => void seen.push(JSON.stringify(value));
      for (const tool of ["governor.status", "governance.status", "lineage.replay"]) see(await client.call(tool, {}));
      see(await client.call("edge.propagate", { edge_id: "0" }));
      for (const node_id of [src, dst]) see(await client.call("esv.audit", { node_id }));
      see(await client.call("lineage.export", { path: "seen.json" }));
      // Errors, the cycle's among them.
      see(await client.call("edge.bind", { src: dst, dst: src, weight: marks.weight }));
      see(await client.call("node.create", { belief: 2, energy: marks.energy }));
      see(await client.call("node.query", { node_id: "999999" }));
      for (const method of ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]) {
        see(await client.ask(method, {}));
      }
      const { result: resources } = await client.ask("resources/list", {});
      for (const { uri } of (resources?.["resources"] ?? []) as { uri: string }[]) {
        see(await client.ask("resources/read", { uri }));
      }
      for (const path of [
        "/agent/0.1.0/api/tools",
        "/versions/0.1.0",
        "/metrics",
        "/healthz",
        "/agent/0.1.0/openapi.json",
      ]) {
        seen.push(await (await fetch(cairn.url + path)).text());
      }
      for (const uri of ["logs://recent", "session://", "state://active", "state://assets"]) {
        for (const server of ["runner", "beliefs"]) {
          const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } });
          const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
          seen.push(
            await (await fetch(`${cairn.url}/agent/0.1.0/${server}`, { method: "POST", headers, body })).text(),
          );
        }
      }
      const exported = await temporaryFolder();
      expect((await runInProcess(["audit", "export", exported, "--data", data])).code).toBe(0);
      const files = [
        ...globSync(`${exported}/**/*`, { withFileTypes: true }),
        ...globSync(`${data}/exports/**/*`, { withFileTypes: true }),
      ].filter((entry) => entry.isFile());
      expect(files.length).toBeGreaterThan(2);
      for (const file of files) seen.push(readFileSync(join(file.parentPath, file.name), "utf8"));
      seen.push(cairn.output());

      const all = seen.join("\n");
      for (const due of ["checksum", "beliefs: drift and coherence"]) expect(all).toContain(due);
      for (const mark of Object.values(marks)) expect(all).not.toContain(String(mark).replace(/^0/, ""));
      for (const mark of ["918273645546", 'reservoir":"', 'allocated":', 'deviation":', '"op":', '"prev":"00']) {
        // The audit log is a chain as well, whose first entry may be of calls or of a change.
        const told = seen.filter((text) => text.includes(mark) && !/"(?:calls|events)":/.test(text));
        expect([mark, told]).toEqual([mark, []]);
      }
      expect(bound).toEqual({
        edge_id: expect.any(Number),
        src: Number(src),
        dst: Number(dst),
        weight: marks.weight,
        timestamp: expect.any(String),
      });
    },
  );
});
