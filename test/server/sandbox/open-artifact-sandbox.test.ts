import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openArtifactSandbox } from "../../../server/sandbox/open-artifact-sandbox.ts";
import type { Sandbox } from "../../../server/sandbox/sandbox.ts";
import { findHosts } from "./hosts.ts";
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
    expect(artifacts.stats()).toEqual({ processes: 0, isolates: 0, running: 0, replaced: 0 });
    const before = findHosts();
    expect(await run("return 1")).toBe(1);
    own = findHosts().filter((pid) => !before.includes(pid));
    expect(own).toHaveLength(1);
    expect(artifacts.stats().processes).toBe(1);
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
