import { readFileSync, readlinkSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findNetworkCut, openArtifactSandbox } from "../../../../server/kernel/isolates/open-artifact-sandbox.ts";
import type { Sandbox } from "../../../../server/kernel/isolates/sandbox.ts";
import { findHosts, readEnvironment, readUser } from "./hosts.ts";
import { toCall, toHandler, toOutput } from "./program.ts";
import { useSandbox } from "./use-sandbox.ts";

const handlers = useSandbox();
const incidents: string[] = [];
let artifacts: Sandbox;
let own: readonly number[] = [];
beforeAll(() => {
  artifacts = openArtifactSandbox({ now: Date.now, onIncident: (text) => incidents.push(text) });
});
afterAll(() => artifacts.close());

const run = async (body: string) => toOutput(await artifacts.run(toCall(toHandler(body))));

describe("the sandbox of artifacts", () => {
  test("starts no process before there is an artifact, and one of its own then", async () => {
    expect(artifacts.stats()).toMatchObject({ processes: 0, isolates: 0, running: 0, replaced: 0, offenders: [] });
    const before = findHosts();
    expect(await run("return 1")).toBe(1);
    own = findHosts().filter((pid) => !before.includes(pid));
    expect(own).toHaveLength(1);
    expect(artifacts.stats().processes).toBe(1);
  });

  test("[D8] has a process without a network, where the machine lets it be so", async () => {
    await run("return 1");
    const [pid] = own;
    const interfaces = readFileSync(`/proc/${pid}/net/dev`, "utf8").split("\n").slice(2, -1);
    const names = interfaces.map((line) => line.trim().split(":")[0]);
    const cut = await findNetworkCut();
    expect(cut.length === 0 || names.every((name) => name === "lo")).toBe(true);
    expect(cut.length === 0 || readlinkSync(`/proc/${pid}/ns/net`) !== readlinkSync("/proc/self/ns/net")).toBe(true);
    expect(await findNetworkCut("/nowhere/unshare")).toEqual([]);
    expect(readEnvironment(pid ?? 0)).toBe("TZ=UTC");
    if (process.getuid?.() === 0) expect(readUser(pid ?? 0)).toBe(65_534);
  });

  test("[D8] leaves handlers alone when its process dies, and comes back", async () => {
    const answer = Promise.withResolvers<string>();
    const busy = handlers.run(toHandler("return ctx.state.get(['a'])"), { syscall: () => answer.promise });
    for (const pid of own) process.kill(pid, "SIGKILL");
    await vi.waitFor(() => expect(incidents).toHaveLength(1));
    answer.resolve("answered");
    expect(await busy).toBe("answered");
    expect(handlers.sandbox().stats()).toMatchObject({ replaced: 0 });
    expect(await run("return 2")).toBe(2);
    expect(artifacts.stats()).toMatchObject({ processes: 1, replaced: 1 });
  });

  test("can be closed before there was an artifact, and takes none afterwards", async () => {
    const unused = openArtifactSandbox({ now: Date.now });
    await unused.close();
    await expect(unused.run(toCall(toHandler("return 1")))).rejects.toMatchObject({ name: "UNAVAILABLE" });
  });
});
