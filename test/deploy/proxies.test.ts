import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BODY_LIMIT } from "../../server/http/body.ts";
import { agentFiles, type AgentTool } from "../helpers/agent.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { createCertificate } from "../helpers/certificate.ts";
import { eventually } from "../helpers/eventually.ts";
import { findFreePort } from "../helpers/free-port.ts";
import { type HeldServer, startHeldServer } from "../helpers/held-server.ts";
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
  steps: {
    handler: `export default async ({ name }, ctx) => {
      ctx.progress(1);
      await ctx.fetch("https://held.example/" + name);
      ctx.progress(2);
      await ctx.fetch("https://held.example/" + name);
      return { said: "all" };
    };\n`,
    manifest: "uses: [fetch]\negress: [held.example]\nlimits: { time: 60000 }",
  },
};
const SITE = "cairn.example.com";
/** Address that clients connect from, so that it differs from the proxy's own. */
const CLIENT = "127.0.0.2";
/** For the second listener: some containers have no IPv6. */
const LOOPBACK_6 = Object.values(networkInterfaces())
  .flat()
  .some((own) => own?.address === "::1")
  ? "[::1]"
  : CLIENT;
const FORGED = "203.0.113.9";

/** With the folder of nginx, which is not on the path of ordinary users. */
const PATH = `${process.env["PATH"]}:/usr/sbin`;

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly upstream: string;
  readonly certificate: string;
  readonly key: string;
}

interface Proxy {
  readonly program: string;
  readonly aptPackage: string;
  readonly file: string;
  /** Arguments and environment that start it with the file of `deploy/`, its addresses and paths replaced. */
  prepare(place: Place, text: string): Promise<{ args: string[]; environment: Record<string, string> }>;
  readLog(folder: string, output: string): Promise<string>;
}

const nginx: Proxy = {
  program: "nginx",
  aptPackage: "nginx-light",
  file: "deploy/proxies/nginx.conf",
  async prepare({ folder, port, upstream, certificate, key }, text) {
    const replaced = Object.entries({
      "127.0.0.1:3000": upstream,
      "listen 443": `listen 127.0.0.1:${port}`,
      "listen [::]:443": `listen ${LOOPBACK_6}:${port}`,
      [`/etc/letsencrypt/live/${SITE}/fullchain.pem`]: certificate,
      [`/etc/letsencrypt/live/${SITE}/privkey.pem`]: key,
      "/var/log/nginx/": `${folder}/`,
    }).reduce((all, [from, to]) => all.replaceAll(from, to), text);
    await writeFile(join(folder, "site.conf"), replaced);
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((of) => `${of}_temp_path ${folder}/${of};`);
    const main = `daemon off; pid ${folder}/pid; error_log stderr;
      events {} http { ${paths.join(" ")} include ${folder}/site.conf; }`;
    await writeFile(join(folder, "nginx.conf"), main);
    // The workers of a root's nginx run as another account.
    await chmod(folder, 0o755);
    return { args: ["-e", "stderr", "-c", join(folder, "nginx.conf")], environment: {} };
  },
  async readLog(folder, output) {
    const files = ["cairn.log", "cairn-error.log"].map((name) => readFile(join(folder, name), "utf8"));
    return [output, ...(await Promise.all(files))].join("");
  },
};

const caddy: Proxy = {
  program: "caddy",
  aptPackage: "caddy",
  file: "deploy/proxies/Caddyfile",
  async prepare({ folder, port, upstream, certificate, key }, text) {
    const replaced = text
      .replace("auto_https disable_redirects", "auto_https disable_redirects\n\tadmin off")
      .replace("\theader Strict", `\ttls ${certificate} ${key}\n\theader Strict`);
    await writeFile(join(folder, "Caddyfile"), replaced);
    await mkdir(join(folder, "home"));
    const environment = {
      SITE: `https://${SITE}:${port}, https://127.0.0.1:${port}`,
      UPSTREAM: upstream,
      HOME: join(folder, "home"),
    };
    return { args: ["run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")], environment };
  },
  readLog: (_, output) => Promise.resolve(output),
};

const proxies = [nginx, caddy].filter(({ program, aptPackage }) => {
  if (spawnSync(program, ["-h"], { env: { PATH } }).error === undefined) return true;
  const reason = `${program} is not installed (\`apt-get install ${aptPackage}\`)`;
  if (process.env["CI"] !== undefined) throw new Error(reason);
  process.stderr.write(`SKIPPED the tests of a proxy: ${reason}\n`);
  return false;
});

const shared = createShared();
const trusted = getCACertificates("default");
let cairn: RunningCairn;
let held: HeldServer;
let certificate: string;
let key: string;

beforeAll(async () => {
  const folder = await temporaryFolder(shared.atEnd);
  const made = await createCertificate([`DNS:${SITE}`, "IP:127.0.0.1"], shared.atEnd);
  [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  await Promise.all([writeFile(certificate, made.cert), writeFile(key, made.key)]);
  setDefaultCACertificates([...trusted, made.cert]);
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: TOOLS }));
  held = await startHeldServer(shared.atEnd);
  const args = ["serve", repository.path, "--data", await temporaryFolder(shared.atEnd)];
  const behind = { CAIRN_PUBLIC_URL: `https://${SITE}`, CAIRN_TRUSTED_PROXIES: "127.0.0.1" };
  cairn = await startCairn(args, { ...held.environment, ...behind }, shared.atEnd);
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await shared.undoAll();
});

/** Starts the proxy in front of the service; its port, and its log so far. */
async function startProxy(
  proxy: Proxy,
  { upstream = new URL(cairn.url).host, status = 200 } = {},
): Promise<{ port: number; readLog: () => Promise<string> }> {
  const [folder, port] = [await temporaryFolder(shared.atEnd), await findFreePort()];
  const place = { folder, port, upstream, certificate, key };
  const { args, environment } = await proxy.prepare(place, await readFile(proxy.file, "utf8"));
  const child = spawn(proxy.program, args, {
    env: { PATH, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk));
  const ended = once(child, "exit");
  shared.atEnd(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`${proxy.program} ended:\n${output}`);
    expect((await fetch(`https://127.0.0.1:${port}/readyz`)).status).toBe(status);
  });
  return { port, readLog: () => proxy.readLog(folder, output) };
}

/**
 * Sends a call as a client elsewhere does: by the name of the site, from its own address, with claims about itself. Of a body
 * that is larger than the service takes, it declares the length and waits for the answer before it sends any.
 */
async function callFromElsewhere(
  port: number,
  { method = "POST", bytes = 100, path = "/agent/1.0.0/api/tools/runner.echo", client = CLIENT } = {},
): Promise<{ status: number; requestId: string }> {
  const frame = JSON.stringify({ text: "" }).length;
  const headers = {
    host: `${SITE}:${port}`,
    "content-type": "application/json",
    "content-length": bytes,
    "x-forwarded-for": FORGED,
    "x-request-id": "forged",
  };
  const to = { host: "127.0.0.1", port, servername: SITE, path };
  const sent = httpsRequest({ ...to, method, localAddress: client, agent: false, headers });
  if (method === "GET") sent.end();
  else if (bytes > BODY_LIMIT) sent.flushHeaders();
  else sent.end(JSON.stringify({ text: "x".repeat(bytes - frame) }));
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  sent.on("error", () => undefined).destroy();
  return { status: answer.statusCode ?? 0, requestId: String(answer.headers["x-request-id"]) };
}

describe.each(proxies)("the service behind $program, as $file sets it up", (proxy) => {
  let port: number;
  let readLog: () => Promise<string>;
  beforeAll(async () => ({ port, readLog } = await startProxy(proxy)));

  const at = () => `https://127.0.0.1:${port}/agent/1.0.0/runner`;

  test("sends each event of a stream when it comes", async () => {
    const stream = await sendModern(at(), { ...toToolCall("runner.steps", { name: "a" }), meta: { progressToken: 1 } });
    const step = async () => (await stream.next()).message;
    expect(await step()).toMatchObject({ params: { progress: 1 } });
    (await held.next()).answer("go on");
    expect(await step()).toMatchObject({ params: { progress: 2 } });
    (await held.next()).answer("go on");
    expect(await step()).toMatchObject({ result: { structuredContent: { said: "all" } } });
  });

  test("ends the call of a client that goes", async () => {
    const gone = new AbortController();
    const call = { ...toToolCall("runner.steps", { name: "gone" }), meta: { progressToken: 1 }, signal: gone.signal };
    await (await sendModern(at(), call)).next();
    const request = await held.next();
    gone.abort();
    await request.gone;
    await eventually(async () => {
      const read = { method: "resources/read", params: { uri: "logs://recent?limit=1" } };
      expect(JSON.stringify(await askModern(at(), read))).toContain("CANCELLED");
    });
  });

  test("resumes the broken stream of a session", async () => {
    const session = await openLegacySession(at());
    const client = new AbortController();
    const params = { name: "runner.steps", arguments: { name: "b" }, _meta: { progressToken: 1 } };
    const stream = await session.post({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, client.signal);
    const { id } = await stream.next();
    client.abort();
    (await held.next()).answer("go on");
    (await held.next()).answer("go on");
    const resumed = await eventually(async () => {
      const answer = await session.listen(id);
      expect(answer.status).toBe(200);
      return answer;
    });
    const messages = await resumed.rest();
    expect(messages.at(-1)).toMatchObject({ id: 1, result: { structuredContent: { said: "all" } } });
  });

  test("takes the largest body that the service takes, and none that is larger", async () => {
    for (const [bytes, status] of [
      [BODY_LIMIT, 200],
      [BODY_LIMIT + 1, 413],
      [20 * BODY_LIMIT, 413],
    ] as const) {
      expect(await callFromElsewhere(port, { bytes })).toMatchObject({ status });
    }
  });

  test("logs the client's own address with the request's id that the service knows, not what the client claims", async () => {
    const { status, requestId } = await callFromElsewhere(port);
    expect(status).toBe(200);
    expect(requestId).toMatch(/^[0-9a-f-]{32,36}$/);
    await eventually(async () => {
      const line = (await readLog()).split("\n").find((text) => text.includes(requestId));
      expect(line).toContain(CLIENT);
    });
  });

  test("logs no query, where some clients put secrets, and announces no protocol that is not there", async () => {
    const [path, secret] = ["/versions", "s3cret-of-a-client"];
    const answer = await fetch(`https://127.0.0.1:${port}${path}?access_token=${secret}&q=a?b`, {
      headers: { referer: `https://elsewhere.example/?token=${secret}` },
    });
    await answer.text();
    expect(answer.headers.get("alt-svc")).toBeNull();
    await eventually(async () => {
      const line = (await readLog()).split("\n").find((text) => text.includes(`${path}"`) || text.includes(`${path} `));
      expect(line).toBeDefined();
    });
    expect(await readLog()).not.toContain(secret);
  });

  test("logs no query of a request that the service cannot answer", async () => {
    const dead = await startProxy(proxy, { upstream: `127.0.0.1:${await findFreePort()}`, status: 502 });
    await fetch(`https://127.0.0.1:${dead.port}/versions?access_token=s3cret-of-a-client`);
    await eventually(async () => expect(await dead.readLog()).toContain("/versions"));
    expect(await dead.readLog()).not.toContain("s3cret-of-a-client");
  });

  test("links to the address that clients use, not to that of the proxy's request", async () => {
    const answer = await fetch(`https://127.0.0.1:${port}/versions`);
    const { versions } = (await answer.json()) as { versions: { changelog_uri: string; tests: object }[] };
    const base = new RegExp(`^https://${SITE.replaceAll(".", String.raw`\.`)}/versions/[0-9a-f]{40}`);
    expect(versions).toMatchObject([
      { changelog_uri: expect.stringMatching(base), tests: { summary_uri: expect.stringMatching(base) } },
    ]);
  });

  test("shows nobody the metrics", async () => {
    expect((await fetch(`https://127.0.0.1:${port}/metrics`)).status).toBe(404);
    expect((await fetch(`${cairn.url}/metrics`)).status).toBe(200);
  });
});

test.runIf(proxies.length > 0)(
  "a service that trusts its proxies audits the clients' own addresses, not what they claim",
  async () => {
    const addresses = await Promise.all(
      proxies.map(async (proxy, at) => {
        const client = `127.0.0.${3 + at}`;
        const { port } = await startProxy(proxy);
        await callFromElsewhere(port, { method: "GET", bytes: 0, path: "/audit/acme/key", client });
        return client;
      }),
    );
    await eventually(async () => {
      const records = await (await fetch(`${cairn.url}/audit/local/records.jsonl`)).text();
      const denials = records.split("\n").filter((line) => line.includes('"denial"'));
      expect(denials.map((line) => JSON.parse(line).address).toSorted()).toEqual(addresses);
    });
  },
);
