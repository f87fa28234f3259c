import { describe, expect, test } from "vitest";
import type { Store } from "../../../../../server/store/store.ts";
import { createLedgers } from "../../../../../server/capabilities/tuner/ledgers.ts";
import { toCredit } from "../../../../../server/capabilities/tuner/tuned-conversation.ts";
import { temporaryFolder } from "../../../../helpers/temporary.ts";
import { openStore } from "../../../store/open-store.ts";
import { startProgram } from "../../../store/start-program.ts";
import { conversationId, TUNED_VERSION } from "../tuned-version.ts";

const COUNT = process.env["CAIRN_LONG"] === "1" ? 3000 : 150;

/** A folder whose store, which this process has, holds so many conversations that wait for their reward. */
async function prepare() {
  const directory = await temporaryFolder();
  const store = await openStore("asked", { directory });
  for (let index = 0; index < COUNT; index += 1) {
    const { set, append } = toCredit({
      actor: "a",
      assignments: { style: { arm: "kind", propensities: { dry: 0.2, kind: 0.6, loud: 0.2 }, seq: -1 } },
      commit: TUNED_VERSION.commit,
      conversationId: conversationId(index),
      outcome: "ok",
      startedAt: Date.now(),
      tenant: "t",
      version: TUNED_VERSION.semver,
    });
    await store.commit({ set, append });
  }
  return { directory, store };
}

/** How often each conversation's reward is in the log, and the state that follows from the log. */
async function count(store: Store) {
  const ledger = await createLedgers({ store, now: Date.now }).open("t", TUNED_VERSION, "style");
  if (ledger === undefined) throw new Error("no ledger");
  const times = new Map<string, number>();
  for await (const { event } of ledger.events(0)) {
    if (event.kind === "rewarded") times.set(event.conversation, (times.get(event.conversation) ?? 0) + 1);
  }
  const state = await ledger.read();
  const findings = await store.admin.check();
  return { times, state, findings };
}

describe("processes that reward the same conversations at once", () => {
  test("lose none and count none twice", async () => {
    const { directory, store } = await prepare();
    const programs = [1, 2].map(() => startProgram("rewarder", "asked", directory, String(COUNT)));
    for (const program of programs) program.go();
    for (const program of programs) expect(await program.ended()).toMatchObject({ code: 0, complaint: "" });

    const acknowledged = programs.flatMap(({ lines }) => lines);
    expect(acknowledged).toHaveLength(COUNT);
    const { times, state, findings } = await count(store);
    expect([times.size, Math.max(...times.values())]).toEqual([COUNT, 1]);
    expect(state.counts).toMatchObject({ assigned: COUNT, rewarded: COUNT });
    expect(findings).toEqual([]);
  }, 60_000);

  test("lose nothing that was acknowledged when one of them is killed", async () => {
    const { directory, store } = await prepare();
    const victim = startProgram("rewarder", "asked", directory, String(COUNT));
    const other = startProgram("rewarder", "asked", directory, String(COUNT));
    victim.go();
    await victim.said(COUNT / 10);
    victim.process.kill("SIGKILL");
    await victim.ended();
    other.go();
    expect(await other.ended()).toMatchObject({ code: 0 });

    const { times } = await count(store);
    expect([times.size, Math.max(...times.values())]).toEqual([COUNT, 1]);
    for (const line of [...victim.lines, ...other.lines]) expect(times.get(JSON.parse(line) as string)).toBe(1);
  }, 60_000);
});
