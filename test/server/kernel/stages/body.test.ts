import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readBodyRecord, toMasked } from "../../../../server/kernel/stages/body.ts";
import { SHAPES_ONLY } from "../../../../server/log/redact.ts";
import { bodiesOf } from "../../../../server/store/keys.ts";
import type { Store } from "../../../../server/store/store.ts";
import { createTestTool } from "../../../helpers/test-version.ts";
import type { TestTool } from "../count-tool.ts";
import { useInvoke } from "../use-invoke.ts";

const open = useInvoke();
const DAY = 24 * 60 * 60_000;
const ECHO: TestTool = { body: "return { text: input.text, twice: input.text + input.text };", record: true };

async function readBodies(store: Store) {
  const bodies = [];
  for await (const { value } of store.scan({ prefix: bodiesOf("local", "c".repeat(40)) })) {
    bodies.push(readBodyRecord(value));
  }
  return bodies;
}

describe("the body of a call", () => {
  test("is kept where the manifest says so, masked, for its time", async () => {
    let time = 1_700_000_000_000;
    const { call, store, settled } = await open(
      { echo: { ...ECHO, redact: ["/text"] } },
      { bodyTtl: DAY, now: () => time },
    );
    await call("echo", { text: "swordfish", plain: 1 });
    await settled();
    const kept = { text: "[redacted]", twice: "[redacted][redacted]" };
    expect(await readBodies(store)).toEqual([
      { schemaVersion: 1, tool: "echo", input: { text: "[redacted]", plain: 1 }, output: kept, at: time },
    ]);
    time += DAY;
    expect(await readBodies(store)).toEqual([]);
  });

  test("is not kept otherwise: without the manifest's word, without the operator's, of failures and of inner calls", async () => {
    const silent = await open({ echo: { ...ECHO, record: false } }, { bodyTtl: DAY });
    await silent.call("echo", { text: "a" });
    const off = await open({ echo: ECHO });
    await off.call("echo", { text: "a" });
    const tools = {
      fails: { ...ECHO, body: "throw ctx.fail('NOT_FOUND', 'no');" },
      echo: ECHO,
      outer: { body: "return ctx.tools.call('echo', { text: 'a' });", uses: new Set(["tools.call"] as const) },
    };
    const other = await open(tools, { bodyTtl: DAY });
    await other.call("fails");
    expect((await other.call("outer")).ok).toBe(true);
    for (const { store, settled } of [silent, off, other]) {
      await settled();
      expect(await readBodies(store)).toEqual([]);
    }
  });

  test("has of a taped tool what its handler was answered, masked, and failures and inner calls as well", async () => {
    const inner: TestTool = { ...ECHO, body: "throw ctx.fail('NOT_FOUND', `no ${input.text}`);", redact: ["/text"] };
    const outer: TestTool = {
      body: "await ctx.state.set(['a'], { email: 'me@example.com', n: 1 }); await ctx.state.get(['b']); return ctx.tools.call('inner', { text: 'swordfish' }).catch(() => ({ email: 'me@example.com' }));",
      uses: new Set(["state.read", "state.write", "tools.call"] as const),
      sideEffect: true,
      redact: ["/email"],
      record: true,
    };
    const tools = { outer: { ...outer, tape: true }, inner: { ...inner, tape: true } };
    const { call, store, settled } = await open(tools, { bodyTtl: DAY, now: () => 1_700_000_000_000 });
    expect((await call("outer")).ok).toBe(true);
    await settled();
    const bodies = await readBodies(store);
    const failed = bodies.find(({ tool }) => tool === "inner");
    expect(failed).toMatchObject({
      input: { text: "[redacted]" },
      error: { name: "NOT_FOUND", message: "no [redacted]" },
      tape: { steps: [] },
    });
    expect(failed).not.toHaveProperty("output");
    const at = 1_700_000_000_000;
    const notFound = { name: "NOT_FOUND", message: "no [redacted]" };
    expect(bodies.find(({ tool }) => tool === "outer")?.tape).toMatchObject({
      startedAt: at,
      steps: [
        { name: "state.set", args: { key: ["a"], value: { email: "[redacted]", n: 1 } }, at },
        { name: "state.get", args: { key: ["b"] }, at },
        { name: "tools.call", args: { name: "inner" }, at, error: notFound },
      ],
    });
    expect(JSON.stringify(bodies)).not.toContain("me@example.com");
  });

  test("is kept for the days that the manifest says, and not longer than the operator", async () => {
    let time = 1_700_000_000_000;
    const tools = { short: { ...ECHO, recordDays: 1 }, long: { ...ECHO, recordDays: 9 } };
    const { call, store, settled } = await open(tools, { bodyTtl: 2 * DAY, now: () => time });
    await call("short");
    await call("long");
    await settled();
    time += DAY;
    expect((await readBodies(store)).map(({ tool }) => tool)).toEqual(["long"]);
    time += DAY;
    expect(await readBodies(store)).toEqual([]);
  });

  test("never has a redacted text in it, wherever that turns up", () => {
    const tool = createTestTool({ name: "t", server: "s", redact: ["/a/0", "/b"] });
    const secret = fc.stringMatching(/^[A-Z]{8,20}$/);
    fc.assert(
      fc.property(secret, secret, fc.lorem(), (one, two, text) => {
        const input = { a: [one, text], b: { deep: two } };
        const masked = JSON.stringify(
          toMasked(tool, { input, output: { c: `${text} ${one}`, d: [two] } }, SHAPES_ONLY),
        );
        expect(masked).not.toContain(one);
        expect(masked).not.toContain(two);
      }),
    );
  });
});
