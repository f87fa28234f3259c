import { expect, test, vi } from "vitest";
import { describeStore } from "../../store/contract.ts";
import { openStore } from "../../store/open-store.ts";
import { HELLO, openLinked } from "./linked.ts";

describeStore("linked");

test("says first who the worker is, and who the others are", async () => {
  const { link } = await openLinked(await openStore("lmdb"));
  expect(link.hello).toEqual(HELLO);
  expect(await link.members()).toEqual([HELLO.self]);
});

test("gives a worker hints of what others write, until it watches no more", async () => {
  const store = await openStore("lmdb");
  const { link } = await openLinked(store);
  const notify = vi.fn();
  const stop = link.store.watch(["watched"], notify);
  // The watch has arrived with what was asked after it.
  await link.store.get(["watched", 1]);
  await store.commit({ set: [{ key: ["watched", 1], value: 1 }] });
  await vi.waitFor(() => expect(notify).toHaveBeenCalledTimes(1));
  stop();
  await link.store.commit({ set: [{ key: ["watched", 1], value: 2 }] });
  await link.store.get(["watched", 1]);
  expect(notify).toHaveBeenCalledTimes(1);
});

test("writes what a commit was when it was given, in one turn with others", async () => {
  const { link } = await openLinked(await openStore("lmdb"));
  const value = { count: 1 };
  const commits = [
    link.store.commit({ set: [{ key: ["a"], value }] }),
    link.store.commit({ set: [{ key: ["b"], json: '{"text":"\\"é\\""}' }] }),
  ];
  value.count = 2;
  await Promise.all(commits);
  const [a, b] = await link.store.getMany([["a"], ["b"]]);
  expect([a?.value, b?.value]).toEqual([{ count: 1 }, { text: '"é"' }]);
});

test("asks the worker to end, and hears what it makes known", async () => {
  const { link, stop, announced } = await openLinked(await openStore("lmdb"));
  link.announce({ address: "http://127.0.0.1:1" });
  await vi.waitFor(() => expect(announced).toEqual([{ address: "http://127.0.0.1:1" }]));
  stop();
  expect(await link.stopping).toBeUndefined();
});

test("ends with its primary: what waits is UNAVAILABLE, and the worker hears of it once", async () => {
  const { link, socket, gone } = await openLinked(await openStore("lmdb"));
  const waiting = link.store.get(["a"]);
  socket.destroy();
  await expect(waiting).rejects.toMatchObject({ name: "UNAVAILABLE" });
  await vi.waitFor(() => expect(gone()).toBe(1));
  await expect(link.store.commit({ set: [{ key: ["a"], value: 1 }] })).rejects.toMatchObject({ name: "UNAVAILABLE" });
});

test("closes after what is in flight, and is no loss of the primary", async () => {
  const store = await openStore("lmdb");
  const { link, gone } = await openLinked(store);
  const commit = link.store.commit({ set: [{ key: ["a"], value: 1 }] });
  await link.store.admin.close();
  expect(await commit).toEqual({ ok: true, logs: [] });
  expect(gone()).toBe(0);
  await expect(link.store.get(["a"])).rejects.toMatchObject({ name: "UNAVAILABLE" });
});
