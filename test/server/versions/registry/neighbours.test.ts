import { expect, test, vi } from "vitest";
import { createNeighbours } from "../../../../server/versions/registry/neighbours.ts";
import { openTestStore } from "../../../helpers/store.ts";

const KEY = ["versions", "pushed"];
const fail = (error: unknown) => expect.fail(String(error));

test("a node that tells of a push hears of one that another told of meanwhile, and both are heard", async () => {
  const store = await openTestStore();
  const [ofOne, ofTwo] = [vi.fn(), vi.fn()];
  const one = createNeighbours(store, "one", fail);
  // Hints of other nodes come a moment later.
  const two = createNeighbours({ ...store, watch: () => () => undefined }, "two", fail);
  one.onTold(ofOne);
  two.onTold(ofTwo);
  one.tell();
  await vi.waitFor(async () => expect((await store.get(KEY))?.value).toEqual({ by: "one" }));
  two.tell();
  await vi.waitFor(() => expect([ofOne.mock.calls.length, ofTwo.mock.calls.length]).toEqual([1, 1]));
  expect((await store.get(KEY))?.value).toEqual({ by: "two" });
});

test("nodes that tell at once are all heard by one that only listens, and none hears itself", async () => {
  const store = await openTestStore();
  const names = ["one", "two", "three"];
  const nodes = names.map((name) => ({ neighbours: createNeighbours(store, name, fail), heard: vi.fn() }));
  for (const { neighbours, heard } of nodes) neighbours.onTold(heard);
  const lonely = createNeighbours(await openTestStore(), "lonely", fail);
  const nothing = vi.fn();
  lonely.onTold(nothing);
  lonely.tell();
  for (const { neighbours } of nodes.slice(0, 2)) neighbours.tell();
  await vi.waitFor(() => expect(nodes.map(({ heard }) => heard.mock.calls.length > 0)).toEqual([true, true, true]));
  expect(nothing).not.toHaveBeenCalled();
});
