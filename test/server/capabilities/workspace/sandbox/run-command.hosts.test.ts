import { once } from "node:events";
import { createServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AllowedCommand } from "../../../../../server/versions/policy.ts";
import type { Network } from "../../../../../server/capabilities/workspace/sandbox/network.ts";
import type {
  CommandRequest,
  CommandResult,
} from "../../../../../server/capabilities/workspace/sandbox/run-command.ts";
import { createCertificate } from "../../../../helpers/certificate.ts";
import { eventually } from "../../../../helpers/eventually.ts";
import { findSandbox } from "../../../../helpers/sandbox.ts";
import { openTestWorkspace } from "../../../../helpers/workspace.ts";

const sandbox = await findSandbox();
const NOT_NAMED = "the policy does not name it for this command";
const ALLOW: readonly AllowedCommand[] = [
  { program: "node", arguments: ["-e"], hosts: ["api.example", "inside.example"] },
  { program: "node", arguments: ["-p"], hosts: ["other.example"] },
  { program: "sh", arguments: ["-c"], hosts: ["api.example"] },
  { program: "no-such-program", arguments: [], hosts: ["api.example"] },
  { program: "env", arguments: [], hosts: [] },
];
/** Of a script in the sandbox: what it says when it asks these. */
const FETCH = `const ask = async (url) => {
  try { return (await fetch(url, { headers: { "user-agent": "sandboxed" } })).text(); }
  catch (error) { return String(error.cause?.cause?.message ?? error.cause?.message ?? error.message); }
};`;

/** A host of the public internet, as far as the proxy can tell: an HTTPS server on loopback. `/hold` is never answered. */
async function openUpstream() {
  const { key, cert } = await createCertificate(["DNS:api.example", "DNS:inside.example"]);
  const asked: string[] = [];
  const server = createServer({ key, cert }, ({ url, headers }, response) => {
    asked.push(`${headers.host}${url}`);
    if (url !== "/hold") response.end(`hello ${headers["user-agent"]}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const network: Network = {
    resolve: async (host) => [{ address: host === "inside.example" ? "10.0.0.7" : "93.184.215.14", family: 4 }],
    connect: () => connect({ port, host: "127.0.0.1", allowHalfOpen: true }),
  };
  const count = () => new Promise<number>((resolve) => server.getConnections((_error, held) => resolve(held)));
  return { authority: cert, asked, network, port, count };
}

async function open() {
  const upstream = await openUpstream();
  const opened = await openTestWorkspace({ "ca.pem": upstream.authority }, { sandbox, network: upstream.network });
  const run = (
    command: readonly string[],
    more: Partial<CommandRequest> = {},
    signal?: AbortSignal,
  ): Promise<CommandResult> =>
    opened.workspace.exec.run(
      { command, timeoutMs: 20_000, env: { NODE_EXTRA_CA_CERTS: "/work/ca.pem" }, ...more },
      { allow: ALLOW, env: ["NODE_EXTRA_CA_CERTS"], write: true },
      signal,
    );
  return { ...upstream, run };
}

describe.skipIf(!sandbox.available)("a command whose policy names hosts", () => {
  test("reaches them, and neither others nor what is not public; all of it is told", async () => {
    const { run, asked } = await open();
    const script = `${FETCH}
      for (const url of ["https://api.example/a", "https://other.example/", "https://inside.example/", "http://api.example/"]) {
        console.log(await ask(url));
      }`;
    const { stdout, connections } = await run(["node", "-e", script]);
    const [first, ...others] = stdout.trim().split("\n");
    expect(first).toBe("hello sandboxed");
    for (const other of others) expect(other).toContain("403");
    expect(others).toHaveLength(3);
    expect(asked).toEqual(["api.example/a"]);
    expect(connections).toEqual([
      { host: "api.example", port: 443, allowed: true },
      { host: "other.example", port: 443, allowed: false, reason: NOT_NAMED },
      { host: "inside.example", port: 443, allowed: false, reason: "it is not on the public internet" },
      { host: "api.example", port: 80, allowed: false, reason: NOT_NAMED },
    ]);
  });

  test("gets those of what allows it, by its arguments, and without any no network", async () => {
    const { run, asked } = await open();
    const { connections } = await run(["node", "-p", `${FETCH} ask("https://api.example/")`]);
    expect(connections).toEqual([{ host: "api.example", port: 443, allowed: false, reason: NOT_NAMED }]);
    expect((await run(["env"])).stdout).not.toMatch(/proxy/i);
    expect(asked).toEqual([]);
  });

  test("has no other way out: neither past the proxy, nor to its socket, nor through what leads to it", async () => {
    const { run, port } = await open();
    const direct = `const { connect } = require("node:net");
      const dial = (target) => new Promise((done) => connect(target).on("error", (e) => done(e.code)).on("connect", () => done("open")));
      (async () => {
        for (const target of [{ port: 443, host: "93.184.215.14" }, { port: ${port}, host: "127.0.0.1" }, { path: "/proxy" }]) {
          console.log(await dial(target));
        }
        const { openSync, readdirSync, readFileSync, readlinkSync } = require("node:fs");
        const at = "/proc/" + readdirSync("/proc").find((pid) => /^\\d+$/.test(pid)
          && readFileSync("/proc/" + pid + "/cmdline", "utf8").startsWith("/opt/node/bin/node\\0"));
        for (const look of [() => readlinkSync(at + "/root"), () => readlinkSync(at + "/fd/0"), () => openSync(at + "/mem"),
          () => readFileSync(at + "/environ")]) {
          try { look(); console.log("open"); } catch (e) { console.log(e.code); }
        }
        // SIGUSR1, which would turn a debugger on.
        console.log(BigInt("0x" + /^SigCgt:\\s+(.*)$/m.exec(readFileSync(at + "/status", "utf8"))[1]) >> 9n & 1n);
      })();`;
    const { stdout, stderr } = await run(["node", "-e", direct]);
    expect(stderr).toBe("");
    expect(stdout.trim().split("\n")).toEqual([
      "ENETUNREACH",
      "ECONNREFUSED",
      "ENOENT",
      ...Array<string>(4).fill("EACCES"),
      "0n",
    ]);
  });

  test("gets its input, and ends, as it does without them", async () => {
    const { run } = await open();
    const script = "cat; echo wrong >&2; exit 7";
    expect(await run(["sh", "-c", script], { stdin: "given\n" })).toMatchObject({
      exit_code: 7,
      stdout: "given\n",
      stderr: "wrong\n",
      connections: [],
    });
    expect(await run(["sh", "-c", "kill -TERM $$"])).toMatchObject({ exit_code: 143, signal: "SIGTERM" });
    expect(await run(["no-such-program"])).toMatchObject({ exit_code: 127 });
  });

  test("takes its connections with it when it ends, whoever holds them", async () => {
    const { run, count } = await open();
    const holder = `${FETCH} ask("https://api.example/a").then(() => {
      ask("https://api.example/hold");
      require("node:fs").writeFileSync("holds", "");
    })`;
    const script = `setsid node -e '${holder}' </dev/null & until [ -e holds ]; do sleep 0.1; done`;
    expect(await run(["sh", "-c", script])).toMatchObject({
      exit_code: 0,
      connections: [{ host: "api.example", port: 443, allowed: true }],
    });
    await eventually(async () => expect(await count()).toBe(0));
  });

  test("tells what it reached also when its caller gives up", async () => {
    const { run, asked, count } = await open();
    const caller = new AbortController();
    const running = run(["node", "-e", `${FETCH} ask("https://api.example/hold")`], {}, caller.signal);
    const refused = expect(running).rejects.toMatchObject({
      name: "CANCELLED",
      details: { connections: [{ host: "api.example", port: 443, allowed: true }] },
    });
    await eventually(() => expect(asked).toEqual(["api.example/hold"]));
    caller.abort();
    await refused;
    await eventually(async () => expect(await count()).toBe(0));
  });
});
