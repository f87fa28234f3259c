import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, type Server, type Socket, connect, createServer } from "node:net";
import { dirname } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Revoked } from "../../../../../server/versions/policy.ts";
import { NOTHING_REVOKED } from "../../../../../server/versions/revoked.ts";
import { TOLD_CONNECTIONS } from "../../../../../server/capabilities/workspace/sandbox/connection-log.ts";
import type { Network } from "../../../../../server/capabilities/workspace/sandbox/network.ts";
import { ALL_CONNECTIONS, openProxy } from "../../../../../server/capabilities/workspace/sandbox/open-proxy.ts";
import { eventually } from "../../../../helpers/eventually.ts";

const PUBLIC = "93.184.215.14";
const NOT_NAMED = "the policy does not name it for this command";
const LIMITS = { connections: 100, networkBytes: 1_000_000 };

/** Says everything again. */
async function openEcho(): Promise<{ readonly server: Server; readonly sockets: readonly Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket.on("error", () => undefined));
    socket.pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { server, sockets };
}

/** A proxy for a world in which names mean what the test says, and all addresses lead to a stand-in. */
async function open(
  options: {
    readonly hosts?: readonly string[];
    readonly names?: (host: string) => Promise<readonly string[]>;
    readonly limits?: Partial<typeof LIMITS>;
    readonly revoked?: () => Revoked;
  } = {},
) {
  const { hosts = ["api.example"], names = async () => [PUBLIC], limits = {}, revoked } = options;
  const echo = await openEcho();
  const { port: standIn } = echo.server.address() as AddressInfo;
  const [resolved, connected]: [string[], string[]] = [[], []];
  const network: Network = {
    async resolve(host) {
      resolved.push(host);
      return (await names(host)).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
    connect(addresses, port) {
      connected.push(`${addresses.map(({ address }) => address).join(" ")} ${port}`);
      return connect({ port: standIn, host: "127.0.0.1", allowHalfOpen: true });
    },
  };
  const proxy = await openProxy({ hosts, revoked, limits: { ...LIMITS, ...limits }, network });
  const sockets: Socket[] = [];
  const dial = () => {
    const socket = connect(proxy.socket).on("error", () => undefined);
    sockets.push(socket);
    return socket;
  };
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  return { proxy, echo, resolved, connected, dial };
}

type World = Awaited<ReturnType<typeof open>>;

/** What comes back, up to its end or `until`. */
function read(socket: Socket, until?: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const done = () => {
      socket.off("data", take).off("close", done);
      resolve(text);
    };
    const take = (chunk: Buffer) => {
      text += chunk.toString();
      if (until !== undefined && text.endsWith(until)) done();
    };
    socket.on("data", take).on("close", done);
  });
}

function ask({ dial }: World, line: string): Promise<string> {
  const socket = dial();
  socket.write(`${line} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return read(socket);
}

async function tunnel({ dial }: World, target: string): Promise<Socket> {
  const socket = dial();
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  expect(await read(socket, "\r\n\r\n")).toBe("HTTP/1.1 200 Connection Established\r\n\r\n");
  return socket;
}

describe("the proxy of a command", () => {
  test("opens a tunnel to a host that is named, byte for byte, and tells so once", async () => {
    const world = await open();
    for (const target of ["api.example:443", "API.Example:443"]) {
      const socket = await tunnel(world, target);
      socket.end("\0\u{1F600} one\r\n");
      expect(await read(socket)).toBe("\0\u{1F600} one\r\n");
    }
    expect(await world.proxy.close()).toEqual({
      connections: [{ host: "api.example", port: 443, allowed: true }],
      isLimited: false,
    });
    expect(world.connected).toEqual([`${PUBLIC} 443`, `${PUBLIC} 443`]);
  });

  test("passes on what is sent along with the request", async () => {
    const world = await open();
    const socket = world.dial();
    socket.end("CONNECT api.example:443 HTTP/1.1\r\nHost: x\r\n\r\nearly");
    expect(await read(socket)).toBe("HTTP/1.1 200 Connection Established\r\n\r\nearly");
    await world.proxy.close();
  });

  test.each([
    [["api.example:8443"], "api.example:8443"],
    [["*.example"], "a.b.example:443"],
    [["x.example", "api.example"], "api.example:443"],
  ])("takes hosts as under `egress`: %j has %s", async (hosts, target) => {
    const world = await open({ hosts });
    (await tunnel(world, target)).destroy();
    await world.proxy.close();
  });

  test("[V9] refuses a host as soon as it is revoked", async () => {
    let hosts: readonly string[] = [];
    const world = await open({ hosts: ["*.example"], revoked: () => ({ ...NOTHING_REVOKED, hosts }) });
    (await tunnel(world, "api.example:443")).destroy();
    hosts = ["api.example"];
    expect(await ask(world, "CONNECT api.example:443")).toMatch("the policies of the default branch have revoked it");
    (await tunnel(world, "other.example:443")).destroy();
    expect(world.resolved).toEqual(["api.example", "other.example"]);
    await world.proxy.close();
  });

  test.each([
    ["other.example:443", "other.example", 443],
    ["api.example:80", "api.example", 80],
    ["api.example:8443", "api.example", 8443],
    ["a.api.example:443", "a.api.example", 443],
    ["api.example.:443", "api.example.", 443],
    ["api.example.evil.test:443", "api.example.evil.test", 443],
    ["127.0.0.1:443", "127.0.0.1", 443],
    ["[::1]:443", "[::1]", 443],
    [`${PUBLIC}:443`, PUBLIC, 443],
  ])("refuses %s, and asks nobody where it is", async (target, host, port) => {
    const world = await open();
    const answer = await ask(world, `CONNECT ${target}`);
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(answer).toContain(`\r\n\r\n${host}:${port} is refused: ${NOT_NAMED}.\n`);
    expect((await world.proxy.close()).connections).toEqual([{ host, port, allowed: false, reason: NOT_NAMED }]);
    expect([world.resolved, world.connected]).toEqual([[], []]);
  });

  test.each([
    "api.example",
    "api.example:0",
    "api.example:65536",
    "a@api.example:443",
    "api.example:443/x",
    "*.example:443",
  ])("does not understand %s", async (target) => {
    const world = await open({ hosts: ["api.example", "*.example"] });
    expect(await ask(world, `CONNECT ${target}`)).toMatch(/^HTTP\/1\.1 40[03] /);
    await world.proxy.close();
    expect([world.resolved, world.connected]).toEqual([[], []]);
  });

  test.each([
    [["127.0.0.1"]],
    [["10.0.0.1"]],
    [["169.254.169.254"]],
    [["::1"]],
    [["::ffff:192.168.1.1"]],
    [["fd00::1"]],
    [[PUBLIC, "10.0.0.1"]],
  ])("refuses a named host that means %j", async (addresses) => {
    const world = await open({ names: async () => addresses });
    expect(await ask(world, "CONNECT api.example:443")).toMatch(/^HTTP\/1\.1 403 .*not on the public internet/s);
    expect((await world.proxy.close()).connections).toEqual([
      { host: "api.example", port: 443, allowed: false, reason: "it is not on the public internet" },
    ]);
    expect(world.connected).toEqual([]);
  });

  test("asks once for each tunnel, and connects to what it has judged", async () => {
    const answers = [[PUBLIC], ["10.0.0.1"]];
    const world = await open({ names: async () => answers.shift() ?? [] });
    (await tunnel(world, "api.example:443")).destroy();
    expect(world.resolved).toEqual(["api.example"]);
    expect(await ask(world, "CONNECT api.example:443")).toMatch(/^HTTP\/1\.1 403 /);
    expect(world.connected).toEqual([`${PUBLIC} 443`]);
    await world.proxy.close();
  });

  test("says what has no address, and what does not answer", async () => {
    const world = await open({
      hosts: ["gone.example", "api.example"],
      names: async (host) => (host === "gone.example" ? Promise.reject(new Error("ENOTFOUND")) : [PUBLIC]),
    });
    expect(await ask(world, "CONNECT gone.example:443")).toMatch(/^HTTP\/1\.1 403 .*could not be found/s);
    world.echo.server.close();
    await once(world.echo.server, "close");
    expect(await ask(world, "CONNECT api.example:443")).toMatch(/^HTTP\/1\.1 502 .*could not be reached/s);
    expect((await world.proxy.close()).connections).toEqual([
      { host: "gone.example", port: 443, allowed: false, reason: "its address could not be found" },
      { host: "api.example", port: 443, allowed: true },
    ]);
  });

  test("refuses requests in the clear, even for a host that is named", async () => {
    const world = await open({ hosts: ["api.example:80"] });
    for (const line of ["GET http://api.example/secret", "POST http://api.example:8080/", "GET /"]) {
      expect(await ask(world, line)).toMatch(/^HTTP\/1\.1 403 .*only tunnels are opened/s);
    }
    const reason = "only tunnels are opened, as for `https:`";
    expect((await world.proxy.close()).connections).toEqual([
      { host: "api.example", port: 80, allowed: false, reason },
      { host: "api.example", port: 8080, allowed: false, reason },
      { host: "", port: 0, allowed: false, reason },
    ]);
    expect([world.resolved, world.connected]).toEqual([[], []]);
  });

  test("takes only so many connections at once", async () => {
    const world = await open({ limits: { connections: 2 } });
    const first = await tunnel(world, "api.example:443");
    await tunnel(world, "api.example:443");
    expect(await ask(world, "CONNECT api.example:443")).toBe("");
    first.destroy();
    await expect.poll(() => world.echo.sockets.filter(({ destroyed }) => destroyed).length).toBe(1);
    await tunnel(world, "api.example:443");
    expect(await world.proxy.close()).toMatchObject({
      connections: [{ allowed: true }, { host: "", reason: "there were 2 connections at once already" }],
      isLimited: true,
    });
  });

  test("takes only so many connections in all", async () => {
    const world = await open();
    for (let at = 0; at < ALL_CONNECTIONS; at += 50) {
      const batch = Array.from({ length: 50 }, () => connect(world.proxy.socket));
      await Promise.all(batch.map((socket) => once(socket, "connect")));
      await Promise.all(batch.map((socket) => once(socket.end().resume(), "close")));
    }
    await eventually(async () => {
      const socket = world.dial();
      const [error] = (await once(socket, "error")) as [NodeJS.ErrnoException];
      expect(error.code).toMatch(/ENOENT|ECONNREFUSED/);
    });
    expect(await world.proxy.close()).toEqual({ connections: [], isLimited: true });
  });

  test("ends everything once too much was sent and received, and opens nothing more", async () => {
    const world = await open({ limits: { networkBytes: 1_000 } });
    const [idle, busy] = [await tunnel(world, "api.example:443"), await tunnel(world, "api.example:443")];
    busy.write("x".repeat(600));
    await Promise.all([once(busy.resume(), "close"), once(idle.resume(), "close")]);
    expect(await ask(world, "CONNECT api.example:443")).toMatch(/^HTTP\/1\.1 403 .*more than 1000 bytes/s);
    expect((await world.proxy.close()).isLimited).toBe(true);
  });

  test("opens nothing that there is no room to tell of", async () => {
    const world = await open();
    for (let at = 0; at < TOLD_CONNECTIONS; at++) await ask(world, `CONNECT h${at}.example:443`);
    expect(await ask(world, "CONNECT api.example:443")).toMatch(/^HTTP\/1\.1 403 .*50 different connections/s);
    const { connections, isLimited } = await world.proxy.close();
    expect([connections.length, isLimited]).toEqual([TOLD_CONNECTIONS, true]);
    expect(world.connected).toEqual([]);
  });

  test("is gone when it is closed, with its connections and what was still being asked", async () => {
    const world = await open({
      hosts: ["api.example", "slow.example"],
      names: (host) => (host === "slow.example" ? new Promise(() => undefined) : Promise.resolve([PUBLIC])),
    });
    const socket = await tunnel(world, "api.example:443");
    const waiting = ask(world, "CONNECT slow.example:443");
    await expect.poll(() => world.resolved).toContain("slow.example");
    const ended = Promise.all([once(socket.resume(), "close"), waiting]);
    const { connections } = await world.proxy.close();
    await ended;
    await expect.poll(() => world.echo.sockets.every(({ destroyed }) => destroyed)).toBe(true);
    expect(connections).toEqual([
      { host: "api.example", port: 443, allowed: true },
      { host: "slow.example", port: 443, allowed: false, reason: "the command ended first" },
    ]);
    expect(existsSync(dirname(world.proxy.socket))).toBe(false);
    const [error] = (await once(connect(world.proxy.socket), "error")) as [NodeJS.ErrnoException];
    expect(error.code).toBe("ENOENT");
  });
});
