import { createHmac } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { createWebhooks } from "../../../../../server/forge/github/webhooks/receive-webhook.ts";
import type { Nudge } from "../../../../../server/forge/nudges.ts";
import { openTestStore } from "../../../../helpers/store.ts";

const SECRET = "a-secret-of-some-length";
const HOUR = 60 * 60_000;
const OID = "a".repeat(40);
const PUSH = { ref: "refs/heads/main", after: OID, repository: { full_name: "acme/tools" } };
const STATUS = { sha: OID, repository: { full_name: "acme/tools" } };

interface Sent {
  readonly body: Buffer;
  readonly isForm: boolean;
  readonly signature: string | undefined;
  readonly event: string;
  readonly id: string | undefined;
}

async function start(refresh: () => Promise<unknown> = async () => undefined) {
  let now = Date.UTC(2026, 5, 1);
  const nudges: Nudge[] = [];
  const errors: unknown[] = [];
  const looked = vi.fn(refresh);
  const { receive, settled } = createWebhooks({
    secret: SECRET,
    repository: "acme/tools",
    store: await openTestStore(() => now),
    refresh: looked,
    nudge: (nudge) => nudges.push(nudge),
    onError: (error) => errors.push(error),
  });
  const webhooks = {
    receive: ({ body, isForm, signature, event, id }: Sent) => {
      const headers = new Map([
        ["x-hub-signature-256", signature],
        ["x-github-event", event],
        ["x-github-delivery", id],
      ]);
      return receive({ isForm, header: (name) => headers.get(name), readBody: async () => body });
    },
    settled,
  };
  const pass = (ms: number) => void (now += ms);
  return { webhooks, looked, nudges, errors, pass };
}

function deliver(event: string, payload: unknown, id = "1"): Sent {
  return sign({ body: Buffer.from(JSON.stringify(payload)), isForm: false, event, id });
}

function sign(delivery: Omit<Sent, "signature">): Sent {
  return { ...delivery, signature: `sha256=${createHmac("sha256", SECRET).update(delivery.body).digest("hex")}` };
}

describe("a delivery", () => {
  test("of a push has the repository looked at, and then tells which branch", async () => {
    const looking = Promise.withResolvers<void>();
    const { webhooks, looked, nudges } = await start(() => looking.promise);
    expect(await webhooks.receive(deliver("push", PUSH))).toBe("taken");
    expect([looked.mock.calls.length, nudges]).toEqual([1, []]);
    looking.resolve();
    await webhooks.settled();
    expect(nudges).toEqual([{ branch: "main", commit: OID }]);
  });

  test("of a check tells of its commit alone", async () => {
    const { webhooks, looked, nudges } = await start();
    expect(await webhooks.receive(deliver("status", STATUS))).toBe("taken");
    await webhooks.settled();
    expect([looked.mock.calls, nudges]).toEqual([[], [{ commit: OID }]]);
  });

  test("in a form is the same", async () => {
    const { webhooks, nudges } = await start();
    const body = Buffer.from(new URLSearchParams({ payload: JSON.stringify(STATUS) }).toString());
    expect(await webhooks.receive(sign({ body, isForm: true, event: "status", id: "1" }))).toBe("taken");
    await webhooks.settled();
    expect(nudges).toEqual([{ commit: OID }]);
  });

  test("has one effect within an hour, also under another id", async () => {
    const { webhooks, nudges, pass } = await start();
    expect(await webhooks.receive(deliver("status", STATUS, "1"))).toBe("taken");
    expect(await webhooks.receive(deliver("status", STATUS, "1"))).toBe("repeated");
    expect(await webhooks.receive(deliver("status", STATUS, "2"))).toBe("repeated");
    expect(await webhooks.receive(deliver("status", { ...STATUS, id: 2 }, "1"))).toBe("repeated");
    pass(HOUR + 1);
    expect(await webhooks.receive(deliver("status", STATUS, "1"))).toBe("taken");
    await webhooks.settled();
    expect(nudges).toHaveLength(2);
  });

  test("by two at once has one effect", async () => {
    const { webhooks } = await start();
    const results = await Promise.all([1, 2, 3].map(() => webhooks.receive(deliver("push", PUSH))));
    expect(results.toSorted()).toEqual(["repeated", "repeated", "taken"]);
  });

  test("that is of no use is taken without effect", async () => {
    const { webhooks, looked, nudges } = await start();
    const other = { ...PUSH, repository: { full_name: "acme/other" } };
    expect(await webhooks.receive(deliver("ping", { zen: "." }))).toBe("ignored");
    expect(await webhooks.receive(deliver("push", other))).toBe("ignored");
    await webhooks.settled();
    expect([looked.mock.calls, nudges]).toEqual([[], []]);
  });

  test("that GitHub has not signed is refused with the same words, whatever is wrong", async () => {
    const { webhooks, looked } = await start();
    const good = deliver("push", PUSH);
    const wrong: Sent[] = [
      { ...good, signature: undefined },
      { ...good, signature: "sha256=00" },
      { ...good, signature: `sha256=${"0".repeat(64)}` },
      { ...good, body: Buffer.from("{") },
      { ...deliver("push", PUSH), body: Buffer.concat([good.body, Buffer.from(" ")]) },
    ];
    for (const delivery of wrong) {
      await expect(webhooks.receive(delivery)).rejects.toMatchObject({
        name: "UNAUTHENTICATED",
        message: "Deliveries are taken from GitHub alone.",
      });
    }
    expect(looked).not.toHaveBeenCalled();
  });

  test.each([
    ["has no id", { id: undefined }, "BAD_REQUEST"],
    ["has an id of another form", { id: "../../x" }, "BAD_REQUEST"],
    ["is no JSON", { body: Buffer.from("{") }, "PARSE_ERROR"],
    ["is a form without payload", { isForm: true, body: Buffer.from("a=b") }, "BAD_REQUEST"],
  ])("that %s is refused", async (_, change, name) => {
    const { webhooks } = await start();
    await expect(webhooks.receive(sign({ ...deliver("push", PUSH), ...change }))).rejects.toMatchObject({ name });
  });

  test("whose work fails is told of, and later ones work", async () => {
    const problem = new Error("closed");
    const { webhooks, errors } = await start(() => Promise.reject(problem));
    await webhooks.receive(deliver("push", PUSH));
    await webhooks.settled();
    expect(errors).toEqual([problem]);
  });
});
