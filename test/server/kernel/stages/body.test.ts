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

  test("never has a redacted text in it, wherever that turns up", () => {
    const tool = createTestTool({ name: "t", server: "s", redact: ["/a/0", "/b"] });
    const secret = fc.stringMatching(/^[A-Z]{8,20}$/);
    fc.assert(
      fc.property(secret, secret, fc.lorem(), (one, two, text) => {
        const input = { a: [one, text], b: { deep: two } };
        const masked = JSON.stringify(
          toMasked(tool, { input, output: { c: `${text} ${one}`, d: [two] }, redactor: SHAPES_ONLY }),
        );
        expect(masked).not.toContain(one);
        expect(masked).not.toContain(two);
      }),
    );
  });
});
