import { expect, test } from "vitest";
import type { Syscall } from "../../../server/capabilities/declarations.ts";
import { startHeldServer } from "../../helpers/held-server.ts";
import { useInvoke } from "./use-invoke.ts";

const setUp = useInvoke();

const STATE: readonly Syscall[] = ["state.read", "state.write"];
const READ = "const n = (await ctx.state.get(['n'])) ?? 0;";

/** A tool that writes after it has waited outside, one that writes at once, and one that reads. `now`: of their service. */
async function setUpWriters(now: () => number) {
  const outside = await startHeldServer();
  const [, address = ""] = outside.environment["CAIRN_EGRESS_MAP"]?.split("=") ?? [];
  const { call } = await setUp(
    {
      slow: {
        body: `${READ} await ctx.fetch("https://held.example/"); await ctx.state.set(['n'], n + 1); return {};`,
        uses: new Set<Syscall>([...STATE, "fetch"]),
        egress: ["held.example"],
        sideEffect: true,
      },
      quick: { body: `${READ} await ctx.state.set(['n'], n + 10); return {};`, uses: new Set(STATE), sideEffect: true },
      look: { body: `${READ} return { n };`, uses: new Set<Syscall>(["state.read"]) },
    },
    { egressMap: new Map([["held.example", address]]), now },
  );
  return { outside, call };
}

test("what only reads does not wait for writers that are in each other's way", async () => {
  const { outside, call } = await setUpWriters(Date.now);
  const slow = call("slow");
  const first = await outside.next();
  expect(await call("quick")).toMatchObject({ ok: true });
  first.answer("");
  // What it had read was changed, so it runs again, and others that write queue up behind it.
  const second = await outside.next();
  const behind = call("quick");
  expect(await call("look")).toMatchObject({ ok: true, output: { n: 10 } });
  second.answer("");
  expect([await slow, await behind]).toMatchObject([{ ok: true }, { ok: true }]);
  expect(await call("look")).toMatchObject({ output: { n: 21 } });
});

test("what has waited behind other writers until its time is over does not begin any more", async () => {
  let time = 1_000_000;
  const { outside, call } = await setUpWriters(() => time);
  const slow = call("slow");
  const first = await outside.next();
  expect(await call("quick")).toMatchObject({ ok: true });
  first.answer("");
  const second = await outside.next();
  const behind = call("quick");
  expect(await call("look")).toMatchObject({ ok: true, output: { n: 10 } });
  time += 60_000;
  second.answer("");
  expect([await slow, await behind]).toMatchObject([{ ok: true }, { ok: false, error: { name: "UNAVAILABLE" } }]);
  expect(await call("look")).toMatchObject({ output: { n: 11 } });
});
