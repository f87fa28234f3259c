import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../../server/auth/caller.ts";
import { tunedAgentFiles } from "../fixtures/tuned-agent.ts";
import { RUNNER } from "../helpers/agent.ts";
import { type ArchitectService, openArchitectService } from "../helpers/architect-service.ts";
import { connectMcp, readJsonResource } from "../helpers/mcp-client.ts";
import { createShared } from "../helpers/temporary.ts";

/** Every version of the agent, the oldest first; the default tone is the only thing in which they differ. */
const TONES = { "1.0.0": "dry", "1.1.0": "kind", "1.2.0": "loud" } as const;
const VERSIONS = Object.keys(TONES) as readonly (keyof typeof TONES)[];
const ANYBODY: Caller = { tenant: "acme", actor: "ada", roles: ["all"], scopes: new Set(["*"]) };

function filesOf(version: keyof typeof TONES): Record<string, string> {
  const parent = VERSIONS[VERSIONS.indexOf(version) - 1];
  return tunedAgentFiles({
    version,
    ...(parent === undefined ? {} : { parent }),
    style: `parameters: { tone: { type: categorical, values: [dry, kind, loud], default: ${TONES[version]} } }
experiment: { strategy: { kind: thompson }, exploration: { share: 0 } }
`,
    files: {
      "manifests/policies/access.yaml": 'roles: { all: ["*"] }\n',
      "manifests/runner/server.yaml": RUNNER.replace(
        "resources:\n",
        'resources:\n  - { uri: "gs://bucket/table.csv", name: Table, mimeType: text/csv, link: true }\n',
      ),
    },
  });
}

const shared = createShared();
let service: ArchitectService;
beforeAll(async () => {
  const files = filesOf(VERSIONS[0] ?? "1.0.0");
  service = await openArchitectService({ files, people: { "": ANYBODY }, atEnd: shared.atEnd });
  const { clone } = service;
  for (const version of VERSIONS.slice(1)) {
    await clone.commit(filesOf(version));
    await clone.tag(`v${version}`);
  }
  await clone.git("push", "--quiet", "origin", "HEAD:main", "--tags");
  await service.service.registry.refresh();
});
afterAll(shared.undoAll);

const open = (version: string, server: string) => connectMcp(`${service.service.url}/agent/${version}/${server}`);

/** The tone that calls of a version run with, as its tuner says. */
async function toneOf(version: string): Promise<unknown> {
  const { experiments } = await readJsonResource(await open(version, "tuner"), "state://active");
  return (experiments as readonly { readonly values: { readonly tone: string } }[])[0]?.values.tone;
}

/** One rewarded conversation with a version. */
async function converse(version: string, reward: number) {
  const [runner, tuner] = [await open(version, "runner"), await open(version, "tuner")];
  const { structuredContent } = await runner.callTool({ name: "runner.chat", arguments: { message: "hello" } });
  const { reply, conversation_id } = structuredContent as {
    readonly reply: { readonly style: { readonly tone: string } };
    readonly conversation_id: string;
  };
  const credited = await tuner.callTool({ name: "tuner.bandit_reward", arguments: { conversation_id, reward } });
  return { runner, tuner, reply, conversation_id, credited: credited.structuredContent };
}

async function readLines(uri: string, tuner: Awaited<ReturnType<typeof open>>): Promise<readonly object[]> {
  const [content] = (await tuner.readResource({ uri })).contents as readonly { readonly text: string }[];
  return (content?.text ?? "").split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as object]));
}

describe("the resources of a version", () => {
  test("[R6] say what calls run with, what lies elsewhere, and what changed", async () => {
    const runner = await open("1.1.0", "runner");
    const commit = await service.clone.git("rev-parse", "v1.1.0");
    expect(await readJsonResource(runner, "state://active")).toEqual({
      agent: "tuned",
      version: "1.1.0",
      commit,
      server: "runner",
      tools: ["chat", "get", "plain"].map((name) => ({ name: `runner.${name}`, version: "1.0.0" })),
      parameters: { style: { tone: "kind" } },
    });
    expect(await readJsonResource(runner, "state://assets")).toEqual({
      version: "1.1.0",
      commit,
      assets: [
        { uri: "gs://bucket/table.csv", name: "Table", mimeType: "text/csv" },
        { uri: "s3://bucket/model.bin", name: "Model", mimeType: "application/octet-stream" },
      ],
    });
    expect(await readJsonResource(runner, "compat://manifest")).toMatchObject({
      version: "1.1.0",
      commit,
      parent: { version: "1.0.0", commit: await service.clone.git("rev-parse", "v1.0.0") },
      declared_changes: ["Changes of 1.1.0."],
      changes: [
        { change: "changed", what: "experiment style", properties: ["baseline"] },
        { change: "changed", what: "parameter style.tone", properties: ["default"] },
      ],
    });
  });

  test("[T5] show what is active and staged in the tuner, its results line by line, and pictures", async () => {
    const { tuner, conversation_id } = await converse("1.2.0", 0.75);
    expect(await readJsonResource(tuner, "state://active")).toMatchObject({
      version: "1.2.0",
      experiments: [{ experiment: "style", values: { tone: "loud" }, why: "default" }],
    });
    expect(await readJsonResource(tuner, "state://staging")).toMatchObject({
      version: "1.2.0",
      experiments: [{ experiment: "style", counts: { assigned: 1, rewarded: 1, waiting: 0 } }],
    });
    expect(await readLines("eval://micro_results.jsonl", tuner)).toMatchObject([
      { experiment: "style", conversation_id, arm: "loud", reward: 0.75, propensities: { loud: 1 } },
    ]);
    const { contents } = await tuner.readResource({ uri: "assets://plots/style-arm-means.svg" });
    expect(contents).toMatchObject([{ mimeType: "image/svg+xml", text: expect.stringMatching(/^<svg [^]*style/) }]);
  });

  test("[T5] are pictures by HTTP as well, which are sent again when there is something new", async () => {
    const { tuner } = await converse("1.1.0", 0.5);
    const base = `${service.service.url}/agent/1.1.0`;
    const at = `${base}/api/plots/style-arm-means.svg`;
    const [content] = (await tuner.readResource({ uri: "assets://plots/style-arm-means.svg" })).contents;
    const first = await fetch(at);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "content-type": "image/svg+xml",
      "cache-control": "private, no-cache",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "cairn-version": "1.1.0",
    });
    expect(content).toMatchObject({ text: await first.text() });
    const etag = first.headers.get("etag") ?? "";
    const again = () => fetch(at, { headers: { "if-none-match": etag } });
    expect((await again()).status).toBe(304);
    await converse("1.1.0", 1);
    expect((await again()).status).toBe(200);
    for (const name of ["style-nothing.svg", "style-arm-means", "other-arm-means.svg", "%2e%2e.svg"]) {
      expect([name, (await fetch(`${base}/api/plots/${name}`)).status]).toEqual([name, 404]);
    }
    const { paths } = (await (await fetch(`${base}/openapi.json`)).json()) as { readonly paths: object };
    expect(paths).toMatchObject({
      "/api/plots/{name}": {
        get: { parameters: [{ schema: { enum: expect.arrayContaining(["style-arm-means.svg"]) } }] },
      },
    });
  });

  test("[C3] are objects in object stores, and of each scheme of the service", async () => {
    const { runner, tuner, conversation_id } = await converse("1.0.0", 1);
    const read = async (client: typeof runner, uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return content !== undefined && "text" in content ? content.text : undefined;
    };
    for (const [client, uri, content] of [
      [runner, "s3://bucket/model.bin", "s3://bucket/model.bin"],
      [runner, "gs://bucket/table.csv", "gs://bucket/table.csv"],
      [runner, "state://active", '"tone": "dry"'],
      [runner, `logs://${conversation_id}`, '"tool": "runner.chat"'],
      [runner, `session://${conversation_id}`, '"calls": 1'],
      [runner, "compat://manifest", '"version": "1.0.0"'],
      [tuner, "eval://micro_results.jsonl", `"conversation_id":"${conversation_id}"`],
      [tuner, "assets://plots/style-arm-means.svg", "<svg "],
    ] as const) {
      expect([uri, await read(client, uri)]).toEqual([uri, expect.stringContaining(content)]);
    }
  });
});

describe("every version", () => {
  test.each(VERSIONS)("[V2] has a runner, a tuner and an Architect of its own: %s", async (version) => {
    const [runner, tuner] = [await open(version, "runner"), await open(version, "tuner")];
    for (const client of [runner, tuner]) expect(client.getServerVersion()).toMatchObject({ version });
    const before = await readLines("eval://micro_results.jsonl", tuner);
    const { reply, conversation_id, credited } = await converse(version, 0.5);
    expect(reply.style.tone).toBe(TONES[version]);
    expect(credited).toMatchObject({ status: "success" });
    const results = await readLines("eval://micro_results.jsonl", tuner);
    expect(results.slice(before.length)).toMatchObject([{ conversation_id, reward: 0.5 }]);
    const message = `Promote ${TONES[version] === "dry" ? "kind" : "dry"} for style.`;
    const { status, headers, body } = await service.chat("", { message, dry_run: true }, { version });
    expect(headers.get("cairn-version")).toBe(version);
    expect([status, body]).toEqual([
      200,
      { result: "tuned", notes: expect.stringMatching(/^Dry run: nothing was changed/) },
    ]);
  });

  test("[A1] has an Architect that takes a message, attachments and dry_run, and nothing else", async () => {
    const message = "Promote dry for style.";
    for (const [body, fault] of [
      [{}, "message"],
      [{ message: 7 }, "message"],
      [{ message, attachments: "logs://recent" }, "attachments"],
      [{ message, attachments: ["recent"] }, "attachments"],
      [{ message, dry_run: "yes" }, "dry_run"],
      [{ message, dryRun: true }, "dryRun"],
      [{ message, priority: 1 }, "priority"],
    ] as const) {
      const { status, body: problem } = await service.chat("", body, { version: "1.1.0" });
      expect([status, problem.name, problem.detail]).toEqual([400, "BAD_REQUEST", expect.stringContaining(fault)]);
    }
    const all = { message, attachments: ["logs://recent", "eval://micro_results.jsonl"], dry_run: true };
    expect((await service.chat("", all, { version: "1.1.0" })).body).toMatchObject({ result: "tuned" });
  });

  test("[A4] has an Architect that looks into evaluations and state by itself, and says what it saw", async () => {
    const ask = async (message: string) => (await service.chat("", { message }, { version: "1.2.0" })).body;
    const { tuner } = await converse("1.2.0", 1);
    const rewards = (await readLines("eval://micro_results.jsonl", tuner)) as readonly { readonly reward: number }[];
    const mean = rewards.reduce((sum, { reward }) => sum + reward, 0) / rewards.length;
    expect(await ask("Reward was better with loud for style.")).toEqual({
      result: "rejected",
      notes: expect.stringContaining(`\`loud\` has a mean reward of ${mean} over ${rewards.length} rewards`),
    });
    expect(await ask("Promote loud for style.")).toEqual({
      result: "rejected",
      notes: expect.stringContaining("already"),
    });
  });

  test("[A8] has an Architect that goes by what that version's own calls were rewarded with", async () => {
    for (const [index, version] of VERSIONS.entries()) await converse(version, (index + 1) / 4);
    const seen = VERSIONS.map(async (version) => {
      const results = await readLines("eval://micro_results.jsonl", await open(version, "tuner"));
      const rewards = (results as readonly { readonly reward: number }[]).map(({ reward }) => reward);
      const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
      return `\`${TONES[version]}\` has a mean reward of ${Number(mean.toFixed(3))} over ${rewards.length} rewards`;
    });
    const notes = VERSIONS.map(async (version) => {
      const message = `Reward was better with ${TONES[version]} for style.`;
      return (await service.chat("", { message }, { version })).body.notes;
    });
    const expected = await Promise.all(seen);
    expect(await Promise.all(notes)).toEqual(expected.map((text) => expect.stringContaining(text)));
  });

  test("[A8] is tuned by its own Architect, and no other version with it", async () => {
    expect(await Promise.all(VERSIONS.map(toneOf))).toEqual(["dry", "kind", "loud"]);
    const { body } = await service.chat("", { message: "Promote loud for style." }, { version: "1.0.0" });
    expect(body).toMatchObject({ result: "tuned", notes: expect.stringContaining("`style` now runs with `loud`") });
    expect(await Promise.all(VERSIONS.map(toneOf))).toEqual(["loud", "kind", "loud"]);
    expect((await converse("1.0.0", 1)).reply.style.tone).toBe("loud");
    expect((await converse("1.1.0", 1)).reply.style.tone).toBe("kind");
  });
});
