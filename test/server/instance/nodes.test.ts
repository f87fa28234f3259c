import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createNodes } from "../../../server/instance/nodes.ts";
import { createNodeListener } from "../../../server/http/nodes.ts";
import type { Member } from "../../../server/store/members.ts";

const KEY = Buffer.alloc(32, 7);
const refused = (words: string, name = "UNAUTHENTICATED") => ({ name, message: expect.stringContaining(words) });

describe("nodes", () => {
  test("ask each other, and are known by the key of their store", async () => {
    const { one, url } = await openTwo();
    const response = await one.request("two", { method: "POST", path: "/nodes/echo", body: '{"a":1}' });
    expect([response.status, await response.json()]).toEqual([200, { body: { a: 1 }, from: "one" }]);
    expect(await one.request("two", { method: "POST", path: "/nodes/none", body: "1" })).toMatchObject({ status: 404 });
    for (const headers of [{}, { "cairn-node": "e30.e30" }]) {
      const answer = await fetch(`${url}/nodes/echo`, { method: "POST", body: "{}", headers });
      expect([answer.status, await answer.json()]).toMatchObject([401, { name: "UNAUTHENTICATED" }]);
    }
  });

  test("refuse a client that pretends to be one, or repeats what one has sent", async () => {
    const { one, two, sent, url, setTime } = await openTwo();
    await one.request("two", { method: "POST", path: "/nodes/echo", body: '"right"' });
    const token = sent.at(-1) ?? "";
    const received = { method: "POST", path: "/nodes/echo", token };
    expect(two.findSender(received)).toMatchObject({ from: "one" });
    expect(two.findSender({ ...received, token: undefined })).toBeUndefined();
    expect(() => two.findSender({ ...received, path: "/nodes/other" })).toThrow(
      expect.objectContaining(refused("does not")),
    );
    expect(() => two.findSender({ ...received, method: "GET" })).toThrow(expect.objectContaining(refused("does not")));
    expect(() => one.findSender(received)).toThrow(
      expect.objectContaining(refused("meant for another", "MISDIRECTED")),
    );
    const headers = { "cairn-node": token };
    const other = await fetch(`${url}/nodes/echo`, { method: "POST", body: '"wrong"', headers });
    expect([other.status, await other.json()]).toMatchObject([401, { message: "The body is not the node's." }]);
    setTime(31_000);
    expect(() => two.findSender(received)).toThrow(expect.objectContaining(refused("too old")));
  });

  test("are found as soon as they have come, and are gone once they are no members", async () => {
    const { one, members, setTime } = await openTwo();
    expect(await one.isAlive("three")).toBe(false);
    members.push({ ...toMember("three"), address: "http://127.0.0.1:1" });
    expect(await one.find("three")).toMatchObject({ id: "three" });
    await expect(one.request("three", { method: "GET", path: "/" })).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: expect.stringContaining("does not answer at http://127.0.0.1:1"),
    });
    members.pop();
    expect(await one.isAlive("one")).toBe(true);
    setTime(1_001);
    expect(await one.isAlive("three")).toBe(false);
  });
});

function toMember(id: string): Member {
  return { id, opening: id, label: id, release: "1", startedAt: 0 };
}

/** Two nodes, of which the second listens. */
async function openTwo() {
  const members: Member[] = [toMember("one")];
  let time = 0;
  const sent: (string | undefined)[] = [];
  const create = (id: string) =>
    createNodes({
      members: { self: toMember(id), list: async () => [...members] },
      key: KEY,
      fetch,
      storeTime: () => time,
      elapsed: () => time,
    });
  const [one, two] = [create("one"), create("two")];
  const listener = createNodeListener(two, { echo: async (body, from) => ({ body, from }) }, () => "incident");
  const server = createServer((request, response) => {
    sent.push(request.headers["cairn-node"]?.toString());
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  members.push({ ...toMember("two"), address: url });
  return { one, two, members, sent, url, setTime: (to: number) => void (time = to) };
}
