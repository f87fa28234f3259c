import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import type { SharedSettings } from "../../../server/config/shared-settings.ts";
import { createNodeListener } from "../../../server/http/nodes.ts";
import type { Nodes } from "../../../server/instance/nodes.ts";
import { createLog } from "../../../server/log/log.ts";
import { createHello, createNodesChecks, logNodes } from "../../../server/operations/check-nodes.ts";
import type { Member } from "../../../server/store/members.ts";
import { listen, nodesOf, toMember } from "../../helpers/listed-nodes.ts";

const SAME = { CAIRN_REPO: "git.example.com/acme/agent", CAIRN_RECORD_DAYS: 7, CAIRN_SECRETS_KEY: "secret" };

describe("checks of nodes", () => {
  test("pass where each is reached and has the same settings", async () => {
    const { one, log, lines } = await openTwo(SAME);
    expect(await look(one)).toMatchObject({
      "nodes:reachable": { status: "pass", observedValue: [{ answers: true }, { node: "two", answers: true }] },
      "nodes:settings": { status: "pass" },
    });
    await logNodes(one, log, new AbortController().signal);
    expect(lines).toEqual([]);
  });

  test("name the settings that differ, and what another repository risks", async () => {
    const { one, log, lines } = await openTwo({ ...SAME, CAIRN_REPO: "elsewhere", CAIRN_RECORD_DAYS: 1 });
    const output = expect.stringMatching(
      /^The node two has other CAIRN_REPO, CAIRN_RECORD_DAYS\. .*take its version number away/,
    );
    const observedValue = [{ node: "two", differs: ["CAIRN_REPO", "CAIRN_RECORD_DAYS"] }];
    expect(await look(one)).toMatchObject({
      "nodes:reachable": { status: "pass" },
      "nodes:settings": { status: "warn", observedValue, output },
    });
    await logNodes(one, log, new AbortController().signal);
    expect(lines).toMatchObject([{ level: "warn", node: "two", msg: output }]);
  });

  test("compare what both know: no release of before, and no setting of one alone", async () => {
    const { one, two } = await openTwo({ CAIRN_REPO: SAME.CAIRN_REPO, CAIRN_DURABILITY: "always" });
    expect(await look(one)).toMatchObject({ "nodes:settings": { status: "pass" } });
    two.hello = async () => ({ release: "0.1.0" }) as never;
    expect(await look(one)).toMatchObject({
      "nodes:reachable": { status: "pass" },
      "nodes:settings": { status: "pass" },
    });
  });

  test("say that this node is not reached where another node, a stranger or nobody answers at its address", async () => {
    const stranger = await listen((_, response) => void response.end("<html>"));
    const { one, log, lines, move, urls } = await openTwo(SAME);
    for (const address of [urls[1], stranger, "http://127.0.0.1:1"]) {
      move(address);
      const output = `This node is not reached at its CAIRN_NODE_ADDRESS ${address}.`;
      expect(await look(one)).toMatchObject({ "nodes:reachable": { status: "warn", output } });
    }
    await logNodes(one, log, new AbortController().signal);
    await logNodes(one, log, AbortSignal.abort());
    expect(lines).toMatchObject([{ level: "warn", msg: expect.stringContaining("is not reached") }]);
  });

  test("show no setting: digests need the key of the nodes", async () => {
    const { one } = await openTwo(SAME);
    const { settings } = await one.hello();
    expect(Object.keys(settings)).toEqual(Object.keys(SAME));
    expect(JSON.stringify(settings)).not.toContain("secret");
    const other = await createHello(
      nodesOf(toMember("one"), () => [], Buffer.alloc(32, 8)),
      async () => SAME,
    )();
    for (const [name, digest] of Object.entries(settings)) {
      expect(digest).toMatch(/^[\w-]{16}$/);
      expect(other.settings[name]).not.toBe(digest);
    }
  });
});

interface Greeting {
  readonly nodes: Nodes;
  hello: ReturnType<typeof createHello>;
}

async function look(greeting: Greeting) {
  const results = createNodesChecks(greeting).map(async ({ name, run }) => [name, await run()] as const);
  return Object.fromEntries(await Promise.all(results));
}

/** Two nodes that listen, the first with the settings of `SAME`. `move` gives the first another address. */
async function openTwo(settings: SharedSettings) {
  const key = Buffer.alloc(32, 7);
  const listeners: RequestListener[] = [];
  const urls = [
    await listen((...heard) => listeners[0]?.(...heard)),
    await listen((...heard) => listeners[1]?.(...heard)),
  ];
  const members = [toMember("one", urls[0]), toMember("two", urls[1])] as const;
  const own = { ...members[0] };
  const open = (self: Member, loaded: SharedSettings): Greeting => {
    const nodes = nodesOf(self, () => members, key);
    const greeting = { nodes, hello: createHello(nodes, async () => loaded) };
    listeners.push(createNodeListener(nodes, { hello: () => greeting.hello() }, () => "incident"));
    return greeting;
  };
  const [one, two] = [open(own, SAME), open(members[1], settings)];
  const lines: unknown[] = [];
  const log = createLog("info", { write: (line) => void lines.push(JSON.parse(line)) });
  return { one, two, urls, log, lines, move: (address = "") => void Object.assign(own, { address }) };
}
