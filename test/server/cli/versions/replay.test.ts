import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentFiles, type AgentTool } from "../../../helpers/agent.ts";
import { runCairn, runInProcess, startCairn } from "../../../helpers/cairn.ts";
import { createRepository } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

const SCHEMAS = `input: { type: object, properties: { name: { type: string }, secret: { type: string } } }
output: { type: object, required: [text], properties: { text: { type: string }, conversation_id: { type: string } } }`;
const tool = (body: string, more = ""): AgentTool => ({
  handler: `export default (input, ctx) => ({ text: ${body} });\n`,
  manifest: `record: true\n${SCHEMAS}\n${more}`,
});
const FIXED = "deterministic: true\nredact: [/secret]";
const BEFORE = {
  greet: tool("`Hello, ${input.name}!`", FIXED),
  loose: tool("String(ctx.random())", "uses: [random]"),
  gone: tool("'here'"),
};
/** Answers with how often it was called, and when. */
const VISIT: AgentTool = {
  handler: `export default async (input, ctx) => {
  const count = ((await ctx.state.get(["n"])) ?? 0) + 1;
  await ctx.state.set(["n"], count);
  return { text: \`\${count} at \${ctx.now()} by \${ctx.random()}\` };
};\n`,
  manifest: `record: { tape: true }\n${SCHEMAS}\nsideEffect: true\nuses: [state.read, state.write, clock, random]`,
};
const ISSUED = `input: { type: object }
output: { type: object, properties: { token: { type: string }, say: { type: string } } }
record: true\ndeterministic: true\nredact: [/token]\n`;
/** A value that the record of the call has masked, and that nothing else has in this form. */
const toToken = "const t = 'swordfish'.toUpperCase() + [7, 7].join('-');\n";

describe("cairn replay", { timeout: 120_000 }, () => {
  test("runs what was recorded of a version with another one, and says what differs and how often", async () => {
    const repository = await createRepository();
    await repository.commit(agentFiles({ version: "1.0.0", tools: { ...BEFORE, visit: VISIT } }));
    await repository.tag("v1.0.0");
    const data = join(await temporaryFolder(), "data");
    const { url, stop } = await startCairn(["serve", repository.path, "--data", data]);
    const call = async (name: string, input: object) => {
      const response = await fetch(`${url}/agent/1.0.0/api/tools/runner.${name}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(input),
      });
      expect(response.status).toBe(200);
    };
    for (const name of ["Ada", "Ada", "Bo"]) await call("greet", { name });
    await call("greet", { name: "Eve", secret: "swordfish" });
    await call("loose", {});
    for (const name of ["Ada", "Bo"]) await call("visit", { name });
    await call("gone", {});
    const replay = (...args: string[]) =>
      runInProcess(["replay", ".", "--from", "1.0.0", "--data", data, ...args], { cwd: repository.path });

    const same = await replay();
    expect([same.code, same.stdout]).toEqual([
      0,
      [
        "not compared  1 x  runner.greet: its input was redacted",
        "not compared  1 x  runner.loose: its answer is not deterministic, and it has no tape",
        "not compared  1 x  runner.gone: its answer is not deterministic, and it has no tape",
        "8 calls: 5 same, 0 different, 3 not compared\n",
      ].join("\n"),
    ]);
    await repository.commit({
      "tools/runner/greet.ts": "export default ({ name }) => ({ text: name === 'Ada' ? 'Hi' : `Hello, ${name}!` });\n",
      "tools/runner/gone.ts": null,
      "manifests/runner/gone.yaml": null,
      "tools/runner/visit.ts": VISIT.handler.replace("+ 1;", "+ 2;"),
    });
    const differs = await replay();
    expect([
      differs.code,
      differs.stdout.replaceAll(/call [\w-]+/g, "call ID").replaceAll(/ at [\d.]+ by [\d.]+/g, " at T"),
    ]).toEqual([
      1,
      [
        "different  2 x  runner.greet: /text: another value",
        '    call ID: /text: expected "Hello, Ada!", got "Hi"',
        '    input   {"name":"Ada"}',
        '    before  {"output":{"text":"Hello, Ada!"}}',
        '    now     {"output":{"text":"Hi"}}',
        "different  2 x  runner.visit: /text: another value",
        '    call ID: /text: expected "1 at T", got "2 at T"',
        '    input   {"name":"Ada"}',
        '    before  {"output":{"text":"1 at T"}}',
        '    now     {"output":{"text":"2 at T"}}',
        'different  2 x  runner.visit: state "n": another value',
        '    call ID: state ["n"]: expected 1, got 2',
        '    input   {"name":"Ada"}',
        '    before  {"output":{"text":"1 at T"}}',
        '    now     {"output":{"text":"2 at T"}}',
        "different  1 x  runner.gone: the candidate has no such tool",
        "    call ID",
        "not compared  1 x  runner.greet: its input was redacted",
        "not compared  1 x  runner.loose: its answer is not deterministic, and it has no tape",
        "8 calls: 1 same, 5 different, 2 not compared\n",
      ].join("\n"),
    ]);
    const readLines = async (...args: string[]) =>
      (await replay("--json", ...args)).stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { kind: string });
    const lines = await readLines("--tool", "runner.greet");
    expect(lines.map(({ kind }) => kind)).toEqual(["call", "call", "call", "call", "cause", "cause", "summary"]);
    expect(lines[0]).toMatchObject({
      schemaVersion: 1,
      tool: "runner.greet",
      outcome: "different",
      differences: [{ path: "/text", expected: "Hello, Ada!", actual: "Hi" }],
    });
    expect(lines[4]).toMatchObject({ cause: "/text: another value", count: 2, example: { input: { name: "Ada" } } });
    expect(lines[6]).toMatchObject({ same: 1, different: 2, not_compared: 1 });
    const chosen = await readLines("--limit", "5", "--sample", "2", "--seed", "a");
    expect(chosen.filter(({ kind }) => kind === "call")).toHaveLength(2);
    const none = await replay("--since", "2999-01-01T00:00:00Z");
    expect([none.code, none.stdout]).toEqual([5, "0 calls: 0 same, 0 different, 0 not compared\n"]);
    await stop();
  });

  test("leaves what it found to be read as results of the candidate, also after a restart", async () => {
    const results = `resources: [{ uri: "eval://micro_results.jsonl", name: Results, provider: tuner.results }]\n`;
    const files = { "manifests/runner/server.yaml": `name: runner\ndescription: R.\n${results}` };
    const issue = (body: string): AgentTool => ({
      handler: `${toToken}export default (input, ctx) => { ${body} };\n`,
      manifest: ISSUED,
    });
    const issues = { issue: issue("return { token: t, say: `made ${t}` }"), refuse: issue("return { token: t }") };
    const repository = await createRepository();
    await repository.commit(agentFiles({ version: "1.0.0", tools: { ...BEFORE, ...issues }, files }));
    await repository.tag("v1.0.0");
    const tools = {
      greet: { ...tool("`Hi, ${input.name}!`", FIXED), version: "1.0.1" },
      loose: BEFORE.loose,
      issue: { ...issue("return { token: 'none', say: `got ${t}` }"), version: "1.0.1" },
      refuse: { ...issue("throw ctx.fail('NOT_FOUND', `no ${t}`)"), version: "1.0.1" },
    };
    await repository.commit({
      ...agentFiles({ version: "2.0.0", parent: "1.0.0", tools, files }),
      "manifests/runner/gone.yaml": null,
      "tools/runner/gone.ts": null,
    });
    await repository.tag("v2.0.0");
    const data = join(await temporaryFolder(), "data");
    const serve = () => startCairn(["serve", repository.path, "--data", data]);
    const first = await serve();
    const call = async (name: string, input: object) => {
      const response = await fetch(`${first.url}/agent/1.0.0/api/tools/runner.${name}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(input),
      });
      expect(response.status).toBe(200);
    };
    await call("greet", { name: "Ada" });
    await call("gone", {});
    await call("issue", {});
    await call("refuse", {});
    const replay = () => runCairn(["replay", "v2.0.0", "--from", "1.0.0", "--data", data], { cwd: repository.path });
    for (const { code, stdout } of [await replay(), await replay()]) {
      expect(code).toBe(1);
      expect(stdout).toContain('/say: expected "made [redacted]", got a text of 16 characters (not shown)');
      expect(stdout).toContain("it ends with NOT_FOUND (message not shown)");
      expect(stdout).not.toContain("SWORDFISH");
    }

    const greeted = {
      kind: "replayed",
      tool: "runner.greet",
      outcome: "different",
      reasons: ['/text: expected "Hello, Ada!", got "Hi, Ada!"'],
    };
    const missed = { kind: "replayed", tool: "runner.gone", outcome: "different" };
    const byTool = expect.arrayContaining([
      expect.objectContaining(greeted),
      expect.objectContaining(missed),
    ]) as unknown;
    expect(await readResults(first.url, "2.0.0")).toEqual(byTool);
    expect(await readResults(first.url, "2.0.0")).toHaveLength(4);
    expect(await readResults(first.url, "1.0.0")).toEqual([]);
    await first.stop();
    expect(await readFile(join(data, "store", "data.mdb"), "latin1")).not.toContain("SWORDFISH");
    const second = await serve();
    expect(await readResults(second.url, "2.0.0")).toEqual(byTool);
    await second.stop();
  });
});

async function readResults(url: string, version: string): Promise<unknown[]> {
  const response = await fetch(`${url}/agent/${version}/runner`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "resources/read",
      params: { uri: "eval://micro_results.jsonl" },
    }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { result } = (await response.json()) as { result: { contents: { text: string }[] } };
  const text = result.contents.map((content) => content.text).join("");
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as unknown]));
}
