import { expect, test } from "vitest";
import { findHosts } from "../../../server/kernel/isolates/hosts.ts";
import { useArtifacts } from "../../artifacts/use-artifacts.ts";

const artifacts = useArtifacts();
/** Invocations of each: all of them, and a new process, have to fit in the 5 s of an artifact, on a busy machine as well. */
const TIMES = 4;

test("[D8] what runs while the artifacts' process dies runs again, and changes what it changes once", async () => {
  const ada = artifacts.maker();
  const uses = ["state.read", "state.write", "invoke"];
  const leaf =
    "export default async function () { const n = (await this.state.get(['n'])) ?? 0; await this.state.set(['n'], n + 1); return n }";
  const long =
    "export default async function (times) { const all = []; for (; times > 0; times -= 1) all.push(await this.invoke('leaf')); return all }";
  // Handlers' processes are there before the first artifact.
  await ada.output("genesis_store.list", {});
  const handlers = findHosts();
  await ada.create("leaf", leaf, { uses });
  await ada.create("long", long, { uses });
  expect(await ada.invoke("leaf")).toBe(0);
  const own = findHosts().filter((pid) => !handlers.includes(pid));
  expect(own).toHaveLength(1);

  const running = Promise.all([ada.invoke("long", [TIMES]), ada.invoke("long", [TIMES])]);
  await expect.poll(async () => (await ada.invoke("leaf")) as number).toBeGreaterThan(0);
  for (const pid of own) process.kill(pid, "SIGKILL");
  const numbers = (await running).flat() as number[];
  expect(numbers).toHaveLength(2 * TIMES);
  // Each invocation saw what those before it had left, whatever was lost on the way.
  expect(new Set(numbers).size).toBe(2 * TIMES);
  expect(await ada.invoke("leaf")).toBeGreaterThanOrEqual(Math.max(...numbers) + 1);
  expect(findHosts().filter((pid) => handlers.includes(pid))).toEqual(handlers);
});
