import { chmod, mkdir, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Network } from "../../../../../server/capabilities/workspace/sandbox/network.ts";
import {
  openServerProcess,
  type ServerProcessOptions,
} from "../../../../../server/capabilities/workspace/sandbox/open-server-process.ts";
import type { AvailableSandbox } from "../../../../../server/capabilities/workspace/sandbox/probe-sandbox.ts";
import { findSandbox } from "../../../../helpers/sandbox.ts";
import { temporaryFolder } from "../../../../helpers/temporary.ts";

const sandbox = await findSandbox();
/** A network that a test must not use. */
const NOWHERE: Network = {
  resolve: () => Promise.reject(new Error("no names")),
  connect: () => {
    throw new Error("no connections");
  },
};

/** Has temporary folders made in a folder, and lists them. */
async function watchTemporary(...deeper: readonly string[]) {
  const before = tmpdir();
  const folder = join(await temporaryFolder(), ...deeper);
  await mkdir(folder, { recursive: true });
  process.env["TMPDIR"] = folder;
  onTestFinished(() => void (process.env["TMPDIR"] = before));
  return () => readdir(folder);
}

const open = (command: readonly string[], more: Partial<ServerProcessOptions> = {}) =>
  openServerProcess({
    sandbox: sandbox as AvailableSandbox,
    command,
    mounts: [],
    hosts: [],
    network: NOWHERE,
    ...more,
  });

describe.skipIf(!sandbox.available)("a server in a sandbox", () => {
  test("is spoken with over its pipes, in an empty folder that goes with it, and ends with its input", async () => {
    const left = await watchTemporary();
    const server = await open(["sh", "-c", 'echo "$PWD $(ls -A | wc -l)"; touch mine; cat; echo wrong >&2; exit 3']);
    const [out, errors] = [text(server.stdout), text(server.stderr)];
    server.stdin.write("a line\n");
    expect(await left()).toHaveLength(1);
    await server.end();
    expect([await out, await errors, await server.ended]).toEqual(["/work 0\na line\n", "wrong\n", "ended with 3"]);
    expect(await left()).toEqual([]);
  });

  test("sees the variables of no one, and lent folders as they are lent", async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o777);
    process.env["CAIRN_LEAK"] = "secret";
    onTestFinished(() => void delete process.env["CAIRN_LEAK"]);
    const script = "env | grep -c CAIRN; ls /mnt; touch /mnt/docs/a 2>&1 | grep -o Read-only; touch /mnt/mine/b";
    const mounts = [
      { name: "docs", folder, isWritable: false },
      { name: "mine", folder, isWritable: true },
    ];
    const server = await open(["sh", "-c", script], { mounts });
    expect(await text(server.stdout)).toBe("0\ndocs\nmine\nRead-only\n");
    expect(await readdir(folder)).toEqual(["b"]);
    await server.ended;
  });

  test("is ended where it does not end with its input", async () => {
    const left = await watchTemporary();
    const server = await open(["sh", "-c", "echo up; sleep 600"]);
    const out = text(server.stdout);
    await server.end();
    expect([await out, await server.ended]).toEqual(["up\n", expect.stringMatching(/^ended with /)]);
    expect(await left()).toEqual([]);
  });

  test("says with which code a program ends that is not there", async () => {
    const left = await watchTemporary();
    const server = await open(["no-such-program"]);
    expect(await server.ended).toMatch(/^ended with [1-9]/);
    expect(await left()).toEqual([]);
  });

  test("leaves no folder behind where it cannot be started", async () => {
    // The path of a Unix socket has 107 bytes at most, so that its proxy cannot listen there.
    const left = await watchTemporary("d".repeat(100));
    await expect(open(["cat"], { hosts: ["api.example"] })).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: "The proxy for the hosts of the command cannot be opened.",
    });
    expect(await left()).toEqual([]);
  });
});
