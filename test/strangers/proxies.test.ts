import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentFiles, type AgentTool } from "../helpers/agent.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { findFreePort } from "../helpers/free-port.ts";
import { type HeldServer, startHeldServer, WAITING_TOOL } from "../helpers/held-server.ts";
import { openLegacySession } from "../helpers/legacy-session.ts";
import { askModern, sendModern, toToolCall } from "../helpers/modern-mcp.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const TOOLS: Readonly<Record<string, AgentTool>> = {
  echo: { handler: "export default (input) => input;\n", manifest: "deterministic: true" },
  // A server with a tool that asks keeps sessions.
  ask: {
    handler: "export default async (input, ctx) => ({ roots: await ctx.roots() });\n",
    manifest: "interactive: true\nuses: [roots]",
  },
  wait: WAITING_TOOL,
};
/** Cairn's limit is 1 MiB; the proxies let more through. */
const TOO_LARGE = "x".repeat(2 * 2 ** 20);

const shared = createShared();
let cairn: RunningCairn;
let held: HeldServer;

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: TOOLS }));
  held = await startHeldServer(shared.atEnd);
  const args = ["serve", repository.path, "--data", await temporaryFolder(shared.atEnd)];
  cairn = await startCairn(args, { ...held.environment, CAIRN_PUBLIC_URL: "https://cairn.example.com" }, shared.atEnd);
});
afterAll(shared.undoAll);

/** Starts a proxy with its example, listening in the clear on a port of loopback. */
const STARTERS = {
  async nginx(folder: string, port: number, upstream: string) {
    const example = await readFile("deploy/proxies/nginx.conf", "utf8");
    const site = example
      .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)
      .replace(/ {2}ssl_certificate.*\n/g, "")
      .replace("server 127.0.0.1:3000;", `server ${upstream};`);
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (one) => `${one}_temp_path ${folder}/${one};`,
    );
    const http = `access_log off;\n${paths.join("\n")}\n${site}`;
    const config = `daemon off; pid ${folder}/pid; error_log stderr warn;\nevents {}\nhttp {\n${http}\n}\n`;
    await writeFile(join(folder, "nginx.conf"), config);
    return spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: "ignore" });
  },
  async caddy(folder: string, port: number, upstream: string) {
    const env = {
      ...process.env,
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      CAIRN_SITE: `http://127.0.0.1:${port}`,
      CAIRN_UPSTREAM: upstream,
    };
    await writeFile(
      join(folder, "Caddyfile"),
      `{\n\tadmin off\n}\n${await readFile("deploy/proxies/Caddyfile", "utf8")}`,
    );
    return spawn("caddy", ["run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"], {
      env,
      stdio: "ignore",
    });
  },
} as const;

function isInstalled(name: string): boolean {
  if (spawnSync(name, ["-h"]).error === undefined) return true;
  process.stderr.write(`SKIPPED the example of ${name}: it is not installed (apt-get install ${name})\n`);
  return false;
}

describe.each(Object.entries(STARTERS).filter(([name]) => isInstalled(name)))("the example of %s", (name, start) => {
  const proxy = createShared();
  let url: string;

  beforeAll(async () => {
    const folder = await temporaryFolder(proxy.atEnd);
    // The account of nginx's workers enters it.
    await chmod(folder, 0o755);
    await mkdir(join(folder, "logs"));
    const port = await findFreePort();
    const child = await start(folder, port, new URL(cairn.url).host);
    proxy.atEnd(async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    });
    url = `http://127.0.0.1:${port}`;
    await eventually(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200));
  });
  afterAll(proxy.undoAll);
  const at = () => `${url}/agent/1.0.0/runner`;

  test("passes on events of a call while it runs, and its answer", async () => {
    const sent = await sendModern(at(), { ...toToolCall("runner.wait", { name }), meta: { progressToken: 1 } });
    expect(await sent.next()).toMatchObject({ message: { method: "notifications/progress" } });
    const request = await held.next();
    request.answer("at last");
    expect(await sent.next()).toMatchObject({ message: { result: { structuredContent: { said: "at last" } } } });
  });

  test("keeps the session of a client, its open stream, and its end", async () => {
    const session = await openLegacySession(at());
    expect((await session.listen()).status).toBe(200);
    const answer = await session.post({ jsonrpc: "2.0", id: 1, ...toToolCall("runner.echo", { a: 1 }) });
    expect((await answer.next()).message).toMatchObject({ result: { structuredContent: { a: 1 } } });
    expect((await session.end()).status).toBe(200);
  });

  test("leaves the limit of bodies and the error to Cairn, and shows nobody the metrics", async () => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ text: TOO_LARGE });
    const refused = await fetch(`${url}/agent/1.0.0/api/tools/runner.echo`, { method: "POST", headers, body });
    // Cairn answers without reading on, so a proxy that still sends may lose the words of the error, never its status.
    expect(refused.status).toBe(413);
    await refused.body?.cancel();
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect(await askModern(at(), toToolCall("runner.echo", { a: 2 }))).toMatchObject({ structuredContent: { a: 2 } });
  });
});
