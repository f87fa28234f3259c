import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { findHosts, readMemory } from "../../../server/kernel/isolates/hosts.ts";
import { useArtifacts } from "../../artifacts/use-artifacts.ts";

const INVOCATIONS = 10_000;
/** Until heaps have the size that they need. */
const WARM_UP = 10_000;
const AT_ONCE = 16;
/** Megabytes; a kilobyte left by each invocation would be ten. */
const HEAP_SLACK = 8;
/** The same of processes whose garbage nobody can have collected from here. */
const HOST_SLACK = 40;

const artifacts = useArtifacts();

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("[D8] 10,000 invocations leave nothing in memory", { timeout: 600_000 }, async () => {
  const ada = artifacts.maker();
  const schema = { type: "object", properties: { n: { type: "integer" }, text: { type: "string" } } };
  const spoken = { description: "Adds one.", inputSchema: schema };
  const inner = "export default ({ n, text }) => ({ n: n + 1, length: text.length })";
  const outer = `export default (args, ctx) => { ctx.log.info("goes on", args); return ctx.invoke("inner", args) }`;
  await ada.create("inner", inner, { interface: spoken });
  await ada.create("outer", outer, { interface: spoken, uses: ["invoke"] });

  const invoke = async (times: number) => {
    let left = times;
    const work = async () => {
      for (let n = (left -= 1); n >= 0; n = left -= 1) {
        const result = await ada.invoke(n % 2 ? "inner" : "outer", { n, text: "x".repeat(100) });
        expect(result).toEqual({ n: n + 1, length: 100 });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  };
  const read = async () => {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    const heap = process.memoryUsage().heapUsed / 2 ** 20;
    return [heap, ...findHosts().map((pid) => readMemory(pid) / 1_024)];
  };

  await invoke(WARM_UP);
  const before = await read();
  await invoke(INVOCATIONS);
  const after = await read();
  expect(after).toHaveLength(before.length);
  const grown = after.map((megabytes, index) => Math.round(megabytes - (before[index] ?? 0)));
  expect(grown[0]).toBeLessThan(HEAP_SLACK);
  expect(Math.max(...grown.slice(1))).toBeLessThan(HOST_SLACK);
});
