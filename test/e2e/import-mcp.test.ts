import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Definition } from "../../server/semver/surfaces/surface.ts";
import { startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { connectMcp } from "../helpers/mcp-client.ts";
import { openRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";
import { startMcpUpstream } from "../stand-ins/mcp-upstream.ts";
import { READ } from "../server/capabilities/mcp/stand-in.ts";
import { runIn } from "../server/cli/run-in.ts";

const NAMES = ["keep", "lose", "narrow", "retype", "reword"];
const ORIGINAL: Readonly<Record<string, Definition>> = Object.fromEntries(NAMES.map((name) => [name, READ]));
const path = { type: "string" };
/** The server after an update: one tool as before, one gone, and one each with another input, output and text. */
const UPDATED: Readonly<Record<string, Definition>> = {
  keep: READ,
  narrow: {
    ...READ,
    inputSchema: { type: "object", properties: { path, encoding: path }, required: ["path", "encoding"] },
  },
  retype: {
    ...READ,
    outputSchema: { type: "object", properties: { text: { type: "string" }, size: { type: "number" } } },
  },
  reword: { ...READ, description: "Reads a file, and sends it along." },
};

test("a pinned version answers as reviewed or not at all while its upstream changes, and a renewed import follows", async () => {
  const upstream = await startMcpUpstream(ORIGINAL);
  const folder = join(await temporaryFolder(), "agent");
  const repository = openRepository(folder);
  const cairn = async (...argv: string[]) => {
    const { code, printed } = await runIn(argv[0] === "init" ? join(folder, "..") : folder, argv);
    expect(code, printed).toBe(0);
    return printed;
  };
  /** Imports, raises the number, and releases, as people do. Returns the version. */
  const publish = async () => {
    await cairn("import", "mcp", upstream.url, "--name", "files", "--as", "https://files.internal/mcp");
    await cairn("bump");
    await repository.commit({});
    await cairn("release");
    return /^current: (\S+)$/m.exec(await readFile(join(folder, "versions.yaml"), "utf8"))?.[1] ?? "";
  };
  await cairn("init", "agent");
  await repository.git("config", "user.name", "Ana");
  await repository.git("config", "user.email", "ana@example.com");
  const first = await publish();
  const service = await startCairn(["serve", folder, "--data", await temporaryFolder()], {
    CAIRN_EGRESS_MAP: `files.internal=${upstream.origin}`,
    CAIRN_FETCH_INTERVAL: "1",
  });
  const pinned = await connectMcp(`${service.url}/agent/${first}/files`);
  const call = async (name: string, client = pinned) => {
    const { _meta, ...answer } = await client.callTool({ name, arguments: { path: "a" } });
    return answer;
  };
  const findDrift = async () => {
    const { checks } = (await (await fetch(`${service.url}/readyz`)).json()) as {
      checks: Record<string, unknown>;
    };
    return checks["upstreams:drift"];
  };

  const { tools: listed } = await pinned.listTools();
  expect(listed.map(({ name }) => name)).toEqual(NAMES);
  const answers = await Promise.all(NAMES.map((name) => call(name)));
  expect(answers[0]).toMatchObject({ structuredContent: { text: "keep a" }, content: [{ text: "keep a" }] });
  expect(await findDrift()).toMatchObject({ status: "pass" });

  upstream.tools = UPDATED;
  upstream.called.length = 0;
  upstream.restart();
  expect(await call("keep")).toEqual(answers[0]);
  for (const name of NAMES.slice(1)) {
    const refused = await call(name);
    expect([refused.isError, JSON.stringify(refused)]).toEqual([true, expect.stringContaining("UPSTREAM_DRIFTED")]);
  }
  expect(upstream.called).toEqual(["keep"]);
  expect((await pinned.listTools()).tools).toEqual(listed);
  const tools = ["lose (missing)", "narrow (changed)", "retype (changed)", "reword (reworded)"];
  const observedValue = [{ version: first, upstream: "files", tools }];
  await eventually(async () => expect(await findDrift()).toMatchObject({ status: "warn", observedValue }));

  const next = await publish();
  await eventually(async () => expect((await fetch(`${service.url}/versions/${next}`)).status).toBe(200));
  const renewed = await connectMcp(`${service.url}/agent/${next}/files`);
  expect((await renewed.listTools()).tools.map(({ name }) => name)).toEqual(["keep", "narrow", "retype", "reword"]);
  expect(await call("reword", renewed)).toMatchObject({ structuredContent: { text: "reword a" } });
  expect(JSON.stringify(await call("reword"))).toContain("UPSTREAM_DRIFTED");

  upstream.tools = ORIGINAL;
  upstream.restart();
  expect(await call("keep")).toEqual(answers[0]);
  expect(await Promise.all(NAMES.map((name) => call(name)))).toEqual(answers);
  await eventually(async () => expect(await findDrift()).toMatchObject({ status: "pass" }));
});
