import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type OpenDriver,
  openInspector,
  openMcpRemote,
  openV1Http,
  openV1Stdio,
  openV2Http,
  openV2Stdio,
} from "../clients/drivers.ts";
import { agentFiles } from "../helpers/agent.ts";
import { startCairn } from "../helpers/cairn.ts";
import { installPackages } from "../helpers/install-packages.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const MODERN = "2026-07-28";
const LEGACY = "2025-11-25";
const INPUT = "{ type: object, required: [a, b], properties: { a: { type: number }, b: { type: number } } }";

const FORM = '{ type: "object", required: ["name"], properties: { name: { type: "string" } } }';

interface Case {
  readonly name: string;
  readonly open: OpenDriver;
  /** What it then speaks, where it tells. */
  readonly revision?: string;
  /** Nobody is there who could be asked something. */
  readonly alone?: true;
}

const CLIENTS: readonly Case[] = [
  { name: "SDK 1", open: openV1Http },
  { name: "SDK 2, which finds out what is spoken", open: openV2Http("auto"), revision: MODERN },
  { name: "SDK 2, which begins with a handshake", open: openV2Http("legacy"), revision: LEGACY },
  { name: "SDK 2, pinned to 2026-07-28", open: openV2Http({ pin: MODERN }), revision: MODERN },
  { name: "the Inspector's command", open: openInspector, alone: true },
  { name: "mcp-remote, driven by SDK 1", open: openMcpRemote },
  { name: "cairn stdio, driven by SDK 1", open: openV1Stdio },
  { name: "cairn stdio, driven by SDK 2, which finds out", open: openV2Stdio("auto"), revision: MODERN },
  { name: "cairn stdio, driven by SDK 2 with a handshake", open: openV2Stdio("legacy"), revision: LEGACY },
  { name: "cairn stdio, driven by SDK 2, pinned", open: openV2Stdio({ pin: MODERN }), revision: MODERN },
];

const shared = createShared();
let service = "";
let packages = "";

beforeAll(async () => {
  packages = join(await installPackages("test/clients"), "node_modules");
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  await repository.release(
    "1.0.0",
    agentFiles({
      version: "1.0.0",
      tools: {
        add: {
          handler: "export default ({ a, b }) => ({ sum: a + b });\n",
          manifest: `input: ${INPUT}\noutput: { type: object, properties: { sum: { type: number } } }`,
        },
        ask: {
          handler: `export default async (input, ctx) => {
  const { action, content } = await ctx.elicit("name", { message: "Who are you?", schema: ${FORM} });
  return { text: action === "accept" ? "Hello, " + content.name : action };
};
`,
          manifest: "interactive: true\nuses: [elicit]",
        },
        fail: { handler: "export default (input, ctx) => { throw ctx.fail('NOT_FOUND', 'No such thing.'); };\n" },
      },
      files: {
        "manifests/tuner/server.yaml": `name: tuner
description: A tuner for tests.
resources:
  - { uri: "state://active", name: Active, mimeType: application/json, provider: state.active }
`,
        "manifests/tuner/step.yaml": `name: tuner.step
version: 1.0.0
description: Takes a step from a by b, which must not be 0.
input: { type: object, required: [a, b], properties: { a: { type: integer, x-mcp-header: From }, b: { type: integer } } }
output: { type: object, properties: { at: { type: number } } }
`,
        "tools/tuner/step.ts": `export default ({ a, b }, ctx) => {
  if (b === 0) throw ctx.fail("NOT_FOUND", "No step to take.");
  return { at: a + b };
};
`,
      },
    }),
  );
  const data = await temporaryFolder(shared.atEnd);
  ({ url: service } = await startCairn(["serve", repository.path, "--data", data], {}, shared.atEnd));
}, 180_000);
afterAll(shared.undoAll);

describe.each(CLIENTS)("$name", ({ open, revision }) => {
  test("uses the runner: lists, calls, sees a call fail, reads", { timeout: 60_000 }, async () => {
    const client = await open({ service, version: "1.0.0", server: "runner", packages });
    expect(client.revision).toBe(revision);
    expect(await client.listTools()).toEqual(["runner.add", "runner.ask", "runner.fail"]);
    const added = await client.call("runner.add", { a: 2, b: 40 });
    expect([added.isError, JSON.parse(added.text)]).toEqual([false, expect.objectContaining({ sum: 42 })]);
    const failed = await client.call("runner.fail", {});
    expect(failed).toEqual({ isError: true, text: expect.stringContaining("No such thing.") });
    expect(JSON.parse(await client.read("compat://manifest"))).toBeTypeOf("object");
  });

  test("uses the tuner: lists, calls, sees a call fail, reads", { timeout: 60_000 }, async () => {
    const client = await open({ service, version: "1.0.0", server: "tuner", packages });
    expect(await client.listTools()).toEqual(["tuner.step"]);
    const stepped = await client.call("tuner.step", { a: 2, b: -1 });
    expect([stepped.isError, JSON.parse(stepped.text)]).toEqual([false, expect.objectContaining({ at: 1 })]);
    const failed = await client.call("tuner.step", { a: 2, b: 0 });
    expect(failed).toEqual({ isError: true, text: expect.stringContaining("No step to take.") });
    expect(JSON.parse(await client.read("state://active"))).toBeTypeOf("object");
  });
});

test.each(CLIENTS.filter(({ alone }) => alone !== true))(
  "$name answers what a tool asks it",
  { timeout: 60_000 },
  async ({ open }) => {
    const client = await open({ service, version: "1.0.0", server: "runner", packages });
    const asked = await client.call("runner.ask", {});
    expect([asked.isError, asked.text]).toEqual([false, expect.stringContaining("Hello, Ada")]);
  },
);
