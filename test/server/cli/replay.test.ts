import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentFiles, type AgentTool } from "../../helpers/agent.ts";
import { runCairn, startCairn } from "../../helpers/cairn.ts";
import { createRepository } from "../../helpers/repository.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";

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

describe("cairn replay", { timeout: 120_000 }, () => {
  test("runs what was recorded of a version with another one, and says what differs and how often", async () => {
    const repository = await createRepository();
    await repository.commit(agentFiles({ version: "1.0.0", tools: BEFORE }));
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
    await call("gone", {});
    const replay = (...args: string[]) =>
      runCairn(["replay", ".", "--from", "1.0.0", "--data", data, ...args], { cwd: repository.path });

    const same = await replay();
    expect([same.code, same.stdout]).toEqual([
      0,
      "skipped    1 x  runner.greet: its input was redacted\n6 calls: 5 same, 0 different, 1 skipped\n",
    ]);
    await repository.commit({
      "tools/runner/greet.ts": "export default ({ name }) => ({ text: name === 'Ada' ? 'Hi' : `Hello, ${name}!` });\n",
      "tools/runner/gone.ts": null,
      "manifests/runner/gone.yaml": null,
    });
    const differs = await replay();
    expect([differs.code, differs.stdout]).toEqual([
      1,
      [
        'different  2 x  runner.greet: /text: expected "Hello, Ada!", got "Hi"',
        "different  1 x  runner.gone: the candidate has no such tool",
        "skipped    1 x  runner.greet: its input was redacted",
        "6 calls: 2 same, 3 different, 1 skipped\n",
      ].join("\n"),
    ]);
    const lines = (await replay("--json", "--tool", "runner.greet")).stdout.trim().split("\n");
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      schemaVersion: 1,
      tool: "runner.greet",
      outcome: "different",
      differences: [{ path: "/text", expected: "Hello, Ada!", actual: "Hi" }],
    });
    expect((await replay("--since", "2999-01-01T00:00:00Z")).stdout).toBe("0 calls: 0 same, 0 different, 0 skipped\n");

    // What is not deterministic is held to what the older version's schema promises, and to examples of the same input.
    await repository.commit({
      "manifests/runner/greet.yaml": null,
      "tools/runner/greet.ts": null,
      "manifests/runner/loose.yaml": `name: runner.loose\nversion: 1.0.0\ndescription: D.\nuses: [random]\nexamples:\n  - { input: {}, matches: { properties: { text: { const: other } } } }\ninput: { type: object }\noutput: { type: object }\n`,
      "tools/runner/loose.ts": "export default () => ({ text: 7 });\n",
    });
    const loose = await replay("--tool", "runner.loose");
    expect([loose.code, loose.stdout]).toEqual([
      1,
      expect.stringMatching(/runner\.loose: \/text .*string[\s\S]*got 7/),
    ]);
    await stop();
  });
});
