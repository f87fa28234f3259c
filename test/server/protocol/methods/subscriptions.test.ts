import { describe, expect, test } from "vitest";
import type { ListChanges } from "../../../../server/protocol/address-watch.ts";
import type { Exchange } from "../../../../server/protocol/exchange.ts";
import {
  createResourceSubscriptionMethods,
  createSubscriptionMethods,
} from "../../../../server/protocol/methods/subscriptions.ts";
import type { ResourceWatch } from "../../../../server/protocol/resource-watch.ts";
import { MODERN, STANDALONE } from "../../../helpers/exchange.ts";

/** A watch of `docs://a` and of the lists, told of by hand, and what a listener was sent. */
function setUp(filter: unknown) {
  const sent: { method: string; params: { _meta: object } }[] = [];
  const going = new AbortController();
  const closing = new AbortController();
  let change: (changes: ListChanges) => void = () => undefined;
  let update: () => void = () => undefined;
  let stopped = 0;
  const stop = () => void (stopped += 1);
  const watchResource: ResourceWatch = (uri) => {
    if (uri !== "docs://a") return undefined;
    return (notify) => {
      update = notify;
      return stop;
    };
  };
  const exchange: Exchange = {
    ...MODERN,
    signal: going.signal,
    watch: (listener) => {
      change = listener;
      return stop;
    },
    send: (text) => void sent.push(JSON.parse(text)),
  };
  const listen = createSubscriptionMethods(watchResource, closing.signal)["subscriptions/listen"];
  const ended = Promise.resolve(listen?.({ notifications: filter }, exchange, "sub"));
  return {
    sent,
    ended,
    going,
    closing,
    change: (changes: Partial<ListChanges>) => change({ tools: false, prompts: false, resources: false, ...changes }),
    update: () => update(),
    stopped: () => stopped,
  };
}

const _meta = { "io.modelcontextprotocol/subscriptionId": "sub" };
const notification = (method: string, more: object = {}) => ({
  jsonrpc: "2.0",
  method: `notifications/${method}`,
  params: { ...more, _meta },
});

describe("subscriptions/listen", () => {
  test("tells of what was asked for and granted, and of nothing else", async () => {
    const wanted = {
      toolsListChanged: true,
      promptsListChanged: "yes",
      resourceSubscriptions: ["docs://a", "docs://b"],
    };
    const { sent, ended, going, change, update, stopped } = setUp(wanted);
    change({ tools: true, prompts: true, resources: true });
    change({ prompts: true });
    update();
    going.abort();
    expect(await ended).toEqual({ _meta });
    const granted = { toolsListChanged: true, resourceSubscriptions: ["docs://a"] };
    expect(sent).toEqual([
      notification("subscriptions/acknowledged", { notifications: granted }),
      notification("tools/list_changed"),
      notification("resources/updated", { uri: "docs://a" }),
    ]);
    expect(stopped()).toBe(2);
  });

  test("ends with the service, and at once when its client has gone already", async () => {
    const first = setUp({});
    first.closing.abort();
    expect(await first.ended).toEqual({ _meta });
    const exchange = { ...MODERN, signal: AbortSignal.abort() };
    const listen = createSubscriptionMethods(() => undefined, new AbortController().signal)["subscriptions/listen"];
    expect(await listen?.({ notifications: {} }, exchange, 7)).toEqual({
      _meta: { "io.modelcontextprotocol/subscriptionId": 7 },
    });
  });
});

describe("resources/subscribe", () => {
  const methods = createResourceSubscriptionMethods((uri) => (uri === "docs://a" ? () => () => undefined : undefined));

  test.each([
    ["resources/subscribe", { uri: "docs://b" }, "There is no resource `docs://b`."],
    ["resources/subscribe", {}, "`uri` must be a string: the resource to hear of."],
    ["resources/unsubscribe", { uri: 7 }, "`uri` must be a string: the resource to hear of."],
  ])("refuses %s of %j", (method, params, message) => {
    const exchange: Exchange = { ...STANDALONE, session: {} as Exchange["session"] & object };
    expect(() => methods[method]?.(params, exchange, 1)).toThrow(message);
  });
});
