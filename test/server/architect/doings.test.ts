import { expect, test } from "vitest";
import { createDoings, type Progress } from "../../../server/architect/doings.ts";
import type { Store } from "../../../server/store/store.ts";
import { collect } from "../store/open-store.ts";
import { eventually } from "../../helpers/eventually.ts";
import { openTestStore } from "../../helpers/store.ts";

const FEEDBACK = { tenant: "acme", id: "f1" };
const create = (store: Store, isShared: boolean) =>
  createDoings({
    store,
    isShared,
    onError(error) {
      throw error;
    },
  });

test("of several processes, each hears what is being done in another, and its own steps once", async () => {
  const store = await openTestStore();
  const [one, other, late] = [create(store, true), create(store, true), create(store, true)];
  const heard: Record<"one" | "other", Progress[]> = { one: [], other: [] };
  one.follow(FEEDBACK, (progress) => heard.one.push(progress));
  const stop = other.follow(FEEDBACK, (progress) => heard.other.push(progress));
  const [plan, land] = [
    { stage: "plan", message: "It is planned." },
    { stage: "land", message: "It lands." },
  ];
  one.tell(FEEDBACK, plan);
  await eventually(() => expect(heard.other).toEqual([plan]));
  expect([await one.find(FEEDBACK), await other.find(FEEDBACK)]).toEqual([plan.message, plan.message]);
  expect(await other.find({ ...FEEDBACK, tenant: "initech" })).toBeUndefined();
  stop();
  one.tell(FEEDBACK, land);
  one.tell(FEEDBACK, { stage: "ended", message: "" });
  await eventually(async () => expect(await late.find(FEEDBACK)).toBe(land.message));
  expect(heard.other).toEqual([plan]);
  expect(heard.one).toEqual([plan, land, { stage: "ended", message: "" }]);
  // One that comes later begins with the newest sentence.
  const first = await new Promise((resolve) => late.follow(FEEDBACK, resolve));
  expect(first).toEqual(land);
});

test("one process alone writes nothing down", async () => {
  const store = await openTestStore();
  const doings = create(store, false);
  doings.tell(FEEDBACK, { stage: "plan", message: "It is planned." });
  expect(await doings.find(FEEDBACK)).toBe("It is planned.");
  doings.forget(FEEDBACK.id);
  expect(await doings.find(FEEDBACK)).toBeUndefined();
  expect(await collect(store.scan({ prefix: [] }))).toEqual([]);
});
