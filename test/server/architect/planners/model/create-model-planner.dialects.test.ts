import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { createModelPlanner } from "../../../../../server/architect/planners/model/create-model-planner.ts";
import { createModelSyscalls } from "../../../../../server/capabilities/model/model.ts";
import { readConfig } from "../../../../../server/config/config.ts";
import { createRedactor } from "../../../../../server/log/redact.ts";
import { createRunningCall } from "../../../../helpers/running-call.ts";
import { type Dialect, DIALECTS, startDialect } from "../../../../stand-ins/model-dialects.ts";
import { createGround } from "../../ground.ts";

/** Reads the settings that docs/architect-model.md shows for an endpoint, with a secret in the variable that they name. */
function readExample({ name, key = "" }: Dialect) {
  const page = readFileSync("docs/architect-model.md", "utf8");
  const [, example = ""] =
    new RegExp(`^### ${RegExp.escape(name)}$[^#]*?\`\`\`sh\\n(.*?)\`\`\``, "ms").exec(page) ?? [];
  const settings = Object.fromEntries([...example.matchAll(/^(\w+)=(\S+)/gm)].map(([, one, value]) => [one, value]));
  const [, variable = "NONE"] = /^env:(\w+)$/.exec(settings["CAIRN_MODEL_KEY"] ?? "") ?? [];
  const read = readConfig({ ...settings, [variable]: key });
  if (!read.ok || read.config.model === undefined) throw new Error(`No settings for ${name}: ${JSON.stringify(read)}`);
  const { model } = read.config;
  // A file of the example is not on this machine.
  return model.key !== undefined && "file" in model.key ? { ...model, key: { value: key } } : model;
}

const edit = (find: string) => ({
  change: {
    title: "Say Hi",
    changes: ["It says Hi."],
    edits: [{ path: "tools/runner/greet.ts", replace: [{ find, with: "Hi" }] }],
  },
});

async function plan(dialect: Dialect, model: ReturnType<typeof readExample>) {
  const calls = [
    { name: "outline", input: {} },
    { name: "try_plan", input: edit("Not there") },
    { name: "submit_plan", input: edit("Hello") },
  ];
  const endpoint = await startDialect(dialect, calls, 1);
  onTestFinished(endpoint.close);
  const waits: number[] = [];
  const planner = createModelPlanner({
    model: { ...model, url: endpoint.url },
    now: Date.now,
    redactor: createRedactor([]),
    pause: (milliseconds) => Promise.resolve(waits.push(milliseconds)),
  });
  const made = planner.plan({ message: "Greet people by saying Hi.", attachments: [] }, await createGround());
  return { endpoint, waits, made };
}

describe.each(DIALECTS)("the example for $name", (dialect) => {
  const model = readExample(dialect);

  test("names the documented address, and gives a key by reference where one is wanted", () => {
    expect(model).toMatchObject({ url: dialect.base, name: expect.stringMatching(/\S/) });
    expect(model.key).toEqual(dialect.key && { value: dialect.key });
  });

  test("plans with repairs, and sends nothing that the endpoint does not take", async () => {
    const { endpoint, waits, made } = await plan(dialect, model);
    expect(await made).toMatchObject({ kind: "change", evidence: { turns: 3, repairs: 1, estimated: false } });
    expect(waits).toEqual([1000]);
    const limit = dialect.name === "OpenAI" ? "max_completion_tokens" : "max_tokens";
    for (const request of endpoint.requests) {
      expect(Object.keys(request).toSorted()).toEqual([limit, "messages", "model", "tool_choice", "tools"].toSorted());
    }
    // Being busy, and for OpenAI one field that is then left out for good.
    expect(endpoint.refusals).toHaveLength(dialect.name === "OpenAI" ? 2 : 1);
  });

  test.runIf(dialect.key !== undefined)("says in the endpoint's words that a key is wrong", async () => {
    const { made } = await plan(dialect, { ...model, key: { value: "another" } });
    const words = JSON.stringify(dialect.unauthorized.body).match(/"(?:message|detail)":"([^"]+)"/)?.[1];
    await expect(made).rejects.toMatchObject({
      name: "UPSTREAM_ERROR",
      message: expect.stringContaining(`It says: ${words}`),
    });
    await expect(made).rejects.toThrow("`CAIRN_MODEL_KEY`");
  });

  test("answers `ctx.model`, also with a temperature and a call that comes back", async () => {
    const endpoint = await startDialect(dialect, [
      { name: "weather", input: { place: "Kiel" } },
      { name: "", input: {} },
    ]);
    onTestFinished(endpoint.close);
    const generate = createModelSyscalls({ ...model, url: endpoint.url }, Date.now)["model.generate"];
    const call = createRunningCall({ tool: { name: "t", server: "s" } });
    const input = { type: "object", properties: { place: { type: "string" } } };
    const asked = {
      messages: [{ role: "user", text: "Is it raining in Kiel?" }],
      tools: [{ name: "weather", description: "Weather.", input }],
      temperature: 0.2,
    };
    const first = (await generate?.run(call, asked)) as { toolCalls: { id: string; name: string }[] } | undefined;
    const toolCalls = first?.toolCalls ?? [];
    expect(toolCalls).toMatchObject([{ name: "weather" }]);
    const answers = toolCalls.map(({ id, name }) => ({ role: "tool", id, name, output: { rain: true } }));
    const messages = [...asked.messages, { role: "assistant", toolCalls }, ...answers];
    expect(await generate?.run(call, { ...asked, messages })).toMatchObject({ text: "Hello.", toolCalls: [] });
  });
});

test("a model that is not there is said with the settings to check", async () => {
  const ollama = DIALECTS.find(({ name }) => name === "Ollama");
  if (ollama === undefined) throw new Error("no Ollama");
  const { made } = await plan(ollama, { ...readExample(ollama), name: "missing" });
  await expect(made).rejects.toThrow(
    'The model endpoint answered with 404. It has no such address or no such model; check `CAIRN_MODEL_URL`, to which `/chat/completions` is added, and `CAIRN_MODEL_NAME`. It says: model "missing" not found, try pulling it first',
  );
});
