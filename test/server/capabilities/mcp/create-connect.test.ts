import { describe, expect, onTestFinished, test } from "vitest";
import { type ConnectOptions, createConnect } from "../../../../server/capabilities/mcp/create-connect.ts";
import { loadTools } from "../../../../server/capabilities/mcp/client/load-surface.ts";
import { greet } from "../../../../server/capabilities/mcp/client/greet.ts";
import type { CairnError } from "../../../../server/errors.ts";
import type { AllowedCommand, Policy, Revoked } from "../../../../server/versions/policy.ts";
import type { UpstreamReach } from "../../../../server/versions/upstream.ts";
import { findSandbox } from "../../../helpers/sandbox.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";
import { NO_SANDBOX } from "../../../helpers/workspace.ts";
import { createUpstream, READ } from "./stand-in.ts";

const sandbox = await findSandbox();
/** An MCP server of one tool, as the argument of `node -e`. It complains before it ends. */
const SERVER = `
const results = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
  "tools/list": { tools: [{ name: "read", inputSchema: { type: "object" } }] },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "tools/call") { process.stderr.write("the password is hunter2"); process.exitCode = 4; return process.stdin.destroy(); }
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }) + "\\n");
});`;
const COMMAND = ["node", "-e", SERVER];

function toPolicy(...commands: readonly AllowedCommand[]): Policy {
  return { name: "access", roles: new Map(), egress: [], limits: {}, commands, file: "manifests/policies/access.yaml" };
}
const ALLOWED = toPolicy({ program: "node", arguments: ["-e"], hosts: [] });
const OTHER = toPolicy({ program: "cat", arguments: [], hosts: [] });

/** Connects to the command with these policies of its version. */
function connect(
  own: readonly Policy[],
  options: Partial<ConnectOptions>,
  reach: Partial<Extract<UpstreamReach, { kind: "command" }>> = {},
) {
  const version = { ...createTestVersion(), policies: own };
  const upstream = createUpstream(
    { read: READ },
    { reach: { kind: "command", command: COMMAND, mounts: [], ...reach } },
  );
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const send = () => Promise.reject(new Error("no HTTP"));
  return createConnect({ fetcher: { send }, ...options })(version, upstream, {
    credentials: [],
    signal: end.signal,
    onNotification: () => undefined,
  });
}

const refusalOf = (...given: Parameters<typeof connect>) =>
  connect(...given).then(
    () => "connected",
    (error: CairnError) => `${error.name}: ${error.message}`,
  );

describe("the command of an upstream", () => {
  const there = { commands: NO_SANDBOX };
  const revoked: Revoked = {
    roles: [],
    capabilities: [],
    hosts: [],
    commands: [{ program: "node", arguments: [] }],
    secrets: [],
  };

  test.each<[string, readonly Policy[], Partial<ConnectOptions>, RegExp]>([
    ["no policy", [], there, /^FORBIDDEN: The policy allows no command/],
    ["policies of other commands", [OTHER], there, /^FORBIDDEN: The policy allows no command/],
    [
      "its own policies alone, where the default branch has none",
      [ALLOWED],
      { ...there, policiesOf: async () => [] },
      /^FORBIDDEN: The policies of the default branch do not allow the command of this upstream\.$/,
    ],
    [
      "its own policies alone, where the default branch allows others",
      [ALLOWED],
      { ...there, policiesOf: async () => [OTHER] },
      /^FORBIDDEN: The policies of the default branch do not allow/,
    ],
    [
      "the policies of the default branch alone",
      [],
      { ...there, policiesOf: async () => [ALLOWED] },
      /^FORBIDDEN: The policy allows no command/,
    ],
    [
      "policies, where it is revoked",
      [ALLOWED],
      { ...there, policiesOf: async () => [ALLOWED], revoked: () => revoked },
      /^FORBIDDEN: The policies of the default branch have revoked the command/,
    ],
    [
      "all policies, where there is no sandbox",
      [ALLOWED],
      { ...there, policiesOf: async () => [ALLOWED] },
      /^UNAVAILABLE: Upstreams cannot be started: none in this test\.$/,
    ],
    ["its own policies in a work tree without a sandbox", [ALLOWED], {}, /^UNAVAILABLE: .*there is no sandbox for/],
  ])("does not run with %s", async (_title, own, options, says) => {
    expect(await refusalOf(own, options)).toMatch(says);
  });

  test.skipIf(!sandbox.available)("does not run where a folder is not lent", async () => {
    expect(await refusalOf([ALLOWED], { commands: sandbox }, { mounts: ["docs"] })).toMatch(
      /^UNAVAILABLE: No folder `docs` is lent to upstreams here: the operator names it in CAIRN_MOUNTS\.$/,
    );
  });

  test.skipIf(!sandbox.available)("answers in its sandbox, and what it complains of is for the log alone", async () => {
    const complaints: string[] = [];
    const connection = await connect([ALLOWED], {
      commands: sandbox,
      policiesOf: async () => [ALLOWED],
      onComplaint: (upstream, complaint) => complaints.push(`${upstream}: ${complaint}`),
    });
    onTestFinished(() => connection.close());
    const { ask } = await greet(connection, { name: "cairn", version: "1" });
    expect(Object.keys(await loadTools("files", ask))).toEqual(["read"]);
    await expect(ask("tools/call", { name: "read" })).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: "`files` ended with 4 before it had answered.",
    });
    expect([complaints, connection.isOpen()]).toEqual([["files: the password is hunter2"], false]);
  });
});
