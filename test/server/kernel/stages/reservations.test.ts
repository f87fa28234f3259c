import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createReservations } from "../../../../server/kernel/stages/reservations.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { COUNT, type TestTool } from "../count-tool.ts";
import { toAnswer, useInvoke } from "../use-invoke.ts";

const setUp = useInvoke();
const POST: TestTool = {
  uses: new Set(["fetch"]),
  egress: ["out.example"],
  sideEffect: true,
  body: "const answer = await ctx.fetch('https://out.example/', { method: 'POST' }); return { n: Number(await answer.text()) };",
};

/** A service outside that counts what is posted to it, and answers once `release` is called. */
async function openOutside() {
  let posts = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    posts += 1;
    const answer = String(posts);
    ask();
    void released.then(() => response.end(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const egressMap = new Map([["out.example", `http://127.0.0.1:${(server.address() as AddressInfo).port}`]]);
  return { egressMap, posts: () => posts, release, asked };
}

describe("[D7] an idempotency key on two nodes at once", () => {
  test("acts outside once, and both give one answer", async () => {
    const [store, outside] = [await openTestStore(), await openOutside()];
    const options = { store, egressMap: outside.egressMap, isShared: true };
    const [one, two] = [await setUp({ post: POST }, options), await setUp({ post: POST }, options)];
    const key = { idempotencyKey: "k" };
    const first = one.call("post", {}, key);
    await outside.asked;
    const second = two.call("post", {}, key);
    outside.release();
    const answers = [toAnswer(await first), toAnswer(await second)];
    expect(answers).toEqual([expect.objectContaining({ output: { n: 1 } }), answers[0]]);
    expect(outside.posts()).toBe(1);
    expect(toAnswer(await two.call("post", {}, { idempotencyKey: "other" }))).toMatchObject({ output: { n: 2 } });
  });

  test("is free again where the call failed before it did anything, and leaves no right behind", async () => {
    const store = await openTestStore();
    const fails: TestTool = { ...COUNT, body: "throw ctx.fail('UPSTREAM_ERROR', 'not now');" };
    const one = await setUp({ count: fails }, { store, isShared: true });
    const two = await setUp({ count: COUNT }, { store, isShared: true });
    const key = { idempotencyKey: "k" };
    expect(toAnswer(await one.call("count", {}, key))).toBe("UPSTREAM_ERROR");
    expect(toAnswer(await two.call("count", {}, key))).toMatchObject({ output: { n: 1 } });
    const left = [];
    for await (const { key: at } of store.scan({ prefix: ["reserved"] })) left.push(at);
    expect(left).toEqual([]);
  });
});

describe("a reservation", () => {
  test("is taken by one node, waited for by others as long as a call takes, and taken over when its time is over", async () => {
    let now = 1_000_000;
    const store = await openTestStore(() => now);
    const [one, two] = [createReservations(store), createReservations(store)];
    const nothing = async () => undefined;
    await one.take(["right"], 20, nothing);
    await expect(two.take(["right"], 20, nothing)).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: "A call with this idempotency key is under way in another process of the service; try again.",
    });
    now += 30_021;
    expect(await two.take(["right"], 20, nothing)).toBeUndefined();
    // The first lost it, so it gives back nothing of the second's.
    await one.release(["right"]);
    expect(await store.get(["right"])).toBeDefined();
    await two.release(["right"]);
    expect(await store.get(["right"])).toBeUndefined();
  });
});
