import { once } from "node:events";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openConducting, type Piece } from "../../../server/architect/conducting.ts";
import { openFeedbackKey } from "../../../server/store/keys.ts";
import { CairnError } from "../../../server/errors.ts";
import { createInFlight } from "../../../server/store/in-flight.ts";
import type { Store } from "../../../server/store/store.ts";
import { openTestStore } from "../../helpers/store.ts";

const IDS = ["a", "b", "c", "d", "e"];
const SECOND = 1_000;

let time = Date.UTC(2026, 0, 1);
/** What processes ask of the store: time does not pass before it is answered. */
let asked = createInFlight();

beforeEach(() => {
  asked = createInFlight();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
});

/** Lets seconds pass, for the store and for those who look at it. */
async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 1) {
    time += SECOND;
    await vi.advanceTimersByTimeAsync(SECOND);
    await asked.settled();
  }
}

async function openQueue(): Promise<Store> {
  const store = await openTestStore(() => time);
  await store.commit({ set: IDS.map((id) => ({ key: openFeedbackKey(id), value: "acme" })) });
  return store;
}

/** A process that conducts feedback, whose pieces go on until they are to be left. */
function openProcess(given: Store, isShared = true, conducts = true) {
  const pieces: Piece[] = [];
  const cut = { isCut: false };
  const store: Store = {
    ...given,
    commit: async (commit) =>
      cut.isCut ? Promise.reject(new CairnError("UNAVAILABLE", "Cut off.")) : asked.track(given.commit(commit)),
    claim: async (request) => (cut.isCut ? [] : asked.track(given.claim(request))),
  };
  const conducting = openConducting({
    store,
    isShared,
    conducts,
    async conduct(piece) {
      pieces.push(piece);
      if (!piece.signal.aborted) await once(piece.signal, "abort");
    },
    onError: () => undefined,
  });
  onTestFinished(() => conducting.close());
  return { ...conducting, pieces, ids: () => pieces.map(({ id }) => id).toSorted(), cut };
}

test("a process that leaves feedback to another conducts none", async () => {
  const store = await openQueue();
  const [leaving, other] = [openProcess(store, true, false), openProcess(store)];
  await leaving.look();
  await pass(20);
  expect([leaving.ids(), other.ids()]).toEqual([[], IDS]);
});

test("a process that has the store for itself conducts all that is open", async () => {
  const store = await openQueue();
  const only = openProcess(store, false);
  await only.look();
  await only.look();
  expect(only.ids()).toEqual(IDS);
  expect(only.pieces[0]).toMatchObject({
    tenant: "acme",
    store: expect.objectContaining({ get: expect.any(Function) }),
  });
});

test("two processes conduct no piece twice", async () => {
  const store = await openQueue();
  const [one, other] = [openProcess(store), openProcess(store)];
  await Promise.all([one.look(), other.look(), one.look(), other.look()]);
  await pass(120);
  expect([...one.ids(), ...other.ids()].toSorted()).toEqual(IDS);
});

test("a process hears of feedback that another has taken in", async () => {
  const store = await openTestStore(() => time);
  const process = openProcess(store);
  await store.commit({ set: [{ key: openFeedbackKey("f"), value: "acme" }] });
  await vi.waitFor(() => expect(process.ids()).toEqual(["f"]));
});

test("a process that is cut off loses its pieces within a minute, and writes nothing from then on", async () => {
  const store = await openQueue();
  const lost = openProcess(store);
  await lost.look();
  const heir = openProcess(store);
  lost.cut.isCut = true;
  await pass(50);
  await vi.waitFor(() => expect(heir.ids()).toEqual(IDS));
  lost.cut.isCut = false;
  const write = (piece: Piece | undefined) => piece?.store.commit({ set: [{ key: ["done", "a"], value: "acme" }] });
  const [former, present] = [lost, heir].map(({ pieces }) => pieces.find(({ id }) => id === "a"));
  expect(await write(former)).toEqual({ ok: false, conflict: openFeedbackKey("a") });
  expect(await write(present)).toMatchObject({ ok: true });
  await pass(10);
  await vi.waitFor(() => expect(former?.signal.aborted).toBe(true));
  expect(present?.signal.aborted).toBe(false);
});

test.each([1, 9, 19, 29, 39])(
  "pieces of a process that has just renewed them are another's within 60 seconds of its end: one that began %i s later",
  async (later) => {
    const store = await openQueue();
    const lost = openProcess(store);
    await lost.look();
    await pass(later);
    const heir = openProcess(store);
    await pass(50 - later);
    lost.cut.isCut = true;
    let waited = 0;
    for (; waited <= 60 && heir.pieces.length === 0; waited += 1) await pass(1);
    expect(heir.ids()).toEqual(IDS);
    expect(waited).toBeGreaterThan(20);
    expect(waited).toBeLessThanOrEqual(60);
  },
);

test("a process that closes leaves its pieces to others at once", async () => {
  const store = await openQueue();
  const first = openProcess(store);
  await first.look();
  const second = openProcess(store);
  await first.close();
  await second.look();
  expect(first.pieces.every(({ signal }) => signal.aborted)).toBe(true);
  expect(second.ids()).toEqual(IDS);
});
