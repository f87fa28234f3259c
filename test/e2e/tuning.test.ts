import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { uniformAt } from "../../server/capabilities/tuner/uniform.ts";
import { tunedAgentFiles } from "../fixtures/tuned-agent.ts";
import { startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { connectMcp, readJsonResource } from "../helpers/mcp-client.ts";
import { createRepository, type TestRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { isThroughNodes } from "../helpers/through-nodes.ts";

/** People who call `runner.chat` and say how they liked it. */
const USERS = 3_000;
/** Of them at the same time. */
const AT_ONCE = 20;
/** Each of several nodes may open the log of an experiment at the same time; the first opening counts. */
const LAST_EVENT = isThroughNodes() ? expect.toBeOneOf([2 * USERS, 2 * USERS + 1]) : 2 * USERS;

const THOMPSON = `parameters: { tone: { type: categorical, values: [dry, kind, loud], default: dry } }
experiment:
  strategy: { kind: thompson }
  exploration: { share: 1, floor: 0.02 }
  stop: { delta: 0.05, minSamples: 20 }
`;
const DRIFTING = `parameters: { tone: { type: categorical, values: [dry, kind, loud], default: dry } }
experiment:
  strategy: { kind: sw_ucb, window: ${USERS / 5} }
  exploration: { share: 1, floor: 0.05 }
  stop: { delta: 0.05, minSamples: 4 }
`;
const NUMBERS = `parameters:
  warmth: { type: float, min: 0, max: 1, default: 0.5 }
  pace: { type: float, min: 1, max: 100, scale: log, default: 10 }
experiment:
  strategy: { kind: cma_es, population: 16, evaluations: ${USERS / 4} }
  exploration: { share: 1 }
`;

const PREFERENCE = `parameters: { tone: { type: categorical, values: [dry, kind], default: dry } }
experiment: { strategy: { kind: preference } }
`;
/** A tool of one version's tuner alone. */
const NUDGE = {
  "manifests/tuner/nudge.yaml":
    "name: tuner.nudge\nversion: 1.0.0\ndescription: Nudges.\ninput: { type: object }\noutput: { type: object }\n",
  "tools/tuner/nudge.ts": "export default () => ({});\n",
};

const shared = createShared();
let url = "";
let repository: TestRepository;
beforeAll(async () => {
  repository = await createRepository(await temporaryFolder(shared.atEnd));
  const versions = { "0.1.0": THOMPSON, "0.2.0": DRIFTING, "0.3.0": NUMBERS, "0.4.0": THOMPSON, "0.5.0": PREFERENCE };
  for (const [version, style] of Object.entries(versions)) {
    const files = version === "0.4.0" ? NUDGE : {};
    await repository.commit(tunedAgentFiles({ version, style, files }));
    await repository.tag(`v${version}`);
  }
  const data = await temporaryFolder(shared.atEnd);
  const cairn = await startCairn(["serve", repository.path, "--data", data], {}, shared.atEnd);
  ({ url } = cairn);
});
afterAll(shared.undoAll);

type Style = Readonly<Record<string, number | string>>;

/** How user number `index` rewards what came. */
type Taste = (style: Style, index: number) => number;

/** 1 or 0, with the probability that `likes` gives of 1. */
function thumbs(seed: string, likes: Taste): Taste {
  return (style, index) => Number(uniformAt(seed, index) < likes(style, index));
}

async function simulate(version: string, rate: Taste) {
  const runner = await connectMcp(`${url}/agent/${version}/runner`);
  const tuner = await connectMcp(`${url}/agent/${version}/tuner`);
  let next = 0;
  const given: Style[] = [];
  const user = async () => {
    for (let index = next++; index < USERS; index = next++) {
      const answer = await runner.callTool({ name: "runner.chat", arguments: { message: "hello" } });
      const { reply, conversation_id } = answer.structuredContent as {
        readonly reply: { readonly style: Style };
        readonly conversation_id: string;
      };
      given.push(reply.style);
      const reward = rate(reply.style, index);
      const credited = await tuner.callTool({ name: "tuner.bandit_reward", arguments: { conversation_id, reward } });
      expect(credited.structuredContent).toMatchObject({ status: "success" });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, user));
  return { runner, tuner, given };
}

async function activeOf(tuner: Client): Promise<Record<string, unknown>> {
  const { experiments } = await readJsonResource(tuner, "state://active");
  const [active] = experiments as readonly Record<string, unknown>[];
  return active ?? {};
}

describe("the tuner of a version", () => {
  test("shows what is active and staged, and results a page at a time with their propensities", async () => {
    const runner = await connectMcp(`${url}/agent/0.4.0/runner`);
    const tuner = await connectMcp(`${url}/agent/0.4.0/tuner`);
    const { resources } = await tuner.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "state://active",
      "state://staging",
      "eval://micro_results.jsonl",
    ]);
    expect(await activeOf(tuner)).toMatchObject({ experiment: "style", values: { tone: "dry" }, why: "default" });

    const ids: string[] = [];
    for (const reward of [0.25, 0.5, 1]) {
      const answer = await runner.callTool({ name: "runner.get", arguments: {} });
      const { conversation_id } = answer.structuredContent as { readonly conversation_id: string };
      ids.push(conversation_id);
      await tuner.callTool({ name: "tuner.bandit_reward", arguments: { conversation_id, reward } });
    }
    const read = async (uri: string) => {
      const [content] = (await tuner.readResource({ uri })).contents;
      if (content === undefined || !("text" in content)) throw new Error("no text");
      expect(content.mimeType).toBe("application/jsonl");
      return content.text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    };
    const all = await read("eval://micro_results.jsonl");
    expect(all).toMatchObject([0.25, 0.5, 1].map((reward, index) => ({ conversation_id: ids[index], reward })));
    for (const { arm, propensities } of all) {
      expect((propensities as Record<string, number>)[String(arm)]).toBeGreaterThan(0);
    }
    const second = Number(all[1]?.["seq"]);
    expect(await read(`eval://micro_results.jsonl?experiment=style&from=${second}&limit=1`)).toEqual([all[1]]);
    await expect(read("eval://micro_results.jsonl?experiment=nothing")).rejects.toThrow("has no experiment `nothing`");
  });

  test("[T7] has the tools and meanings of that version, and knows no conversation of another", async () => {
    const [old, young] = await Promise.all(
      ["0.2.0", "0.4.0"].map((version) => connectMcp(`${url}/agent/${version}/tuner`)),
    );
    if (old === undefined || young === undefined) throw new Error("no client");
    const namesOf = async (tuner: Client) => (await tuner.listTools()).tools.map(({ name }) => name);
    expect(await namesOf(old)).not.toContain("tuner.nudge");
    expect(await namesOf(young)).toContain("tuner.nudge");

    const runner = await connectMcp(`${url}/agent/0.2.0/runner`);
    const answer = await runner.callTool({ name: "runner.get", arguments: {} });
    const { conversation_id } = answer.structuredContent as { readonly conversation_id: string };
    const result = await young.callTool({ name: "tuner.bandit_reward", arguments: { conversation_id, reward: 1 } });
    expect(result.structuredContent).toMatchObject({
      status: "failure",
      details: expect.stringContaining("belongs to version 0.2.0"),
    });
  });

  test("explains an experiment that nobody has taken part in yet", async () => {
    const tuner = await connectMcp(`${url}/agent/0.5.0/tuner`);
    const { messages } = await tuner.getPrompt({ name: "tuner/explain", arguments: { experiment: "style" } });
    const said = messages.map(({ content }) => (content.type === "text" ? content.text : "")).join("\n");
    expect(said).toContain("Experiment `style` is tuned by `preference` (preference@1), after 0 events.");
    expect(said).toContain("No preferences have been fitted yet.");
    await expect(tuner.getPrompt({ name: "tuner/explain", arguments: { experiment: "other" } })).rejects.toThrow(
      "has no experiment `other`",
    );
  });
});

describe("a release", () => {
  const TWO = THOMPSON.replace("share: 1", "share: 0.2");

  async function release(version: string, parent: string, style: string, files = {}) {
    await repository.commit(tunedAgentFiles({ version, parent, style, files }));
    await repository.tag(`v${version}`);
    return eventually(() => connectMcp(`${url}/agent/${version}/tuner`));
  }

  async function converse(version: string): Promise<string> {
    const runner = await connectMcp(`${url}/agent/${version}/runner`);
    const answer = await runner.callTool({ name: "runner.get", arguments: {} });
    return (answer.structuredContent as { readonly conversation_id: string }).conversation_id;
  }

  async function evidenceOf(tuner: Client) {
    const { experiments } = await readJsonResource(tuner, "state://staging");
    const [{ counts, staging, origin }] = experiments as readonly [
      { counts: { rewarded: number }; staging: { arms: { rewards: number }[] }; origin: unknown },
    ];
    return { own: counts.rewarded, all: staging.arms.reduce((sum, { rewards }) => sum + rewards, 0), origin };
  }

  test("[V1] [C4] takes over what was learnt and promoted, and leaves the old version what it was", async () => {
    const old = await release("2.0.0", "0.5.0", TWO);
    const reward = async (tuner: Client, conversation_id: string) => {
      const credited = await tuner.callTool({ name: "tuner.bandit_reward", arguments: { conversation_id, reward: 1 } });
      expect(credited.structuredContent).toMatchObject({ status: "success" });
    };
    for (let user = 0; user < 5; user += 1) await reward(old, await converse("2.0.0"));
    await old.callTool({ name: "tuner.promote", arguments: { experiment: "style", arm: "kind" } });

    const nudge = "manifests/tuner/nudge.yaml";
    const mended = { [nudge]: NUDGE[nudge].replace("Nudges.", "Nudges a little.").replace("1.0.0", "1.0.1") };
    const young = await release("2.0.1", "2.0.0", TWO, mended);
    expect(await activeOf(young)).toMatchObject({ arm: "kind", why: "promoted" });
    await reward(young, await converse("2.0.1"));
    expect(await evidenceOf(young)).toMatchObject({
      own: 1,
      all: 6,
      origin: { parent: { version: "2.0.0" }, inherited: { results: 5 } },
    });
    expect((await young.getPrompt({ name: "tuner/explain" })).messages).toContainEqual(
      expect.objectContaining({
        content: expect.objectContaining({ text: expect.stringContaining("It began with what version 2.0.0") }),
      }),
    );

    await old.callTool({ name: "tuner.revert", arguments: { experiment: "style" } });
    await reward(old, await converse("2.0.0"));
    expect(await activeOf(old)).toMatchObject({ arm: "dry", why: "reverted" });
    expect(await activeOf(young)).toMatchObject({ arm: "kind", why: "promoted" });
    expect([(await evidenceOf(old)).all, (await evidenceOf(young)).all]).toEqual([6, 6]);
  });

  test("begins anew where it defines an experiment otherwise, and says so", async () => {
    const tuner = await release("2.1.0", "2.0.1", TWO.replace("thompson", "kl_ucb"));
    expect(await activeOf(tuner)).toMatchObject({ arm: "dry", why: "default", origin: { changed: ["strategy"] } });
    const { messages } = await tuner.getPrompt({ name: "tuner/explain" });
    expect(JSON.stringify(messages)).toMatch(
      /will begin anew: version 2\.0\.1 \([0-9a-f]{12}\) defines strategy differently\./,
    );
  });
});

describe("simulated users", () => {
  test("[T1] [T6] find the best of three arms, which is promoted and reported", async () => {
    const likes: Record<string, number> = { dry: 0.35, kind: 0.75, loud: 0.45 };
    const { runner, tuner, given } = await simulate(
      "0.1.0",
      thumbs("three arms", ({ tone }) => likes[String(tone)] ?? 0),
    );

    expect(await activeOf(tuner)).toMatchObject({ values: { tone: "kind" }, arm: "kind", why: "stop rule" });
    const { parameters } = await readJsonResource(runner, "state://active");
    expect(parameters).toEqual({ style: { tone: "kind" } });
    expect(given.slice(-50).every(({ tone }) => tone === "kind")).toBe(true);

    const { experiments } = await readJsonResource(tuner, "state://staging");
    expect(experiments).toMatchObject([
      { counts: { assigned: USERS, rewarded: USERS, waiting: 0 }, stop: { stopped: { reason: "winner" } } },
    ]);
    const { messages } = await tuner.getPrompt({ name: "tuner/explain" });
    const said = messages.map(({ content }) => (content.type === "text" ? content.text : "")).join("\n");
    expect(said).toContain("In use: `tone` = `kind` (arm `kind`), promoted by the stop rule");
    expect(said).toContain(`${USERS} rewards came`);

    const proposed = await tuner.callTool({ name: "tuner.propose", arguments: { experiment: "style" } });
    expect(proposed.structuredContent).toMatchObject({
      proposal: {
        arm: "kind",
        changes: [{ parameter: "tone", from: "dry", to: "kind" }],
        patch: expect.stringMatching(/^-parameters: .* default: dry .*\n\+parameters: .* default: kind /m),
        feedback: 'Set the default of style.tone to "kind"',
        evidence: { events: { to: LAST_EVENT, digest: expect.stringMatching(/^[0-9a-f]{64}$/) } },
      },
    });

    const { proposal } = proposed.structuredContent as { proposal: { evidence: { plots: string[] } } };
    expect(proposal.evidence.plots).toContain("assets://plots/style-arm-means.svg");
    for (const uri of proposal.evidence.plots) {
      const [picture] = (await tuner.readResource({ uri })).contents as { mimeType: string; text: string }[];
      expect([uri, picture?.mimeType]).toEqual([uri, "image/svg+xml"]);
      expect(picture?.text).toMatch(/^<svg [^]*<title>[^]*<\/svg>\n?$/);
      expect(picture?.text).toContain("style");
    }
    await expect(tuner.readResource({ uri: "assets://plots/style-nothing.svg" })).rejects.toThrow("no picture");
  }, 120_000);

  test("are followed when what they like changes", async () => {
    const likes: Taste = ({ tone }, index) => (tone === (index < USERS / 2 ? "kind" : "loud") ? 0.85 : 0.25);
    const { tuner, given } = await simulate("0.2.0", thumbs("drift", likes));
    const share = (tone: string, from: number, to: number) => {
      const some = given.slice(from * USERS, to * USERS);
      return some.filter((style) => style["tone"] === tone).length / some.length;
    };
    expect(share("kind", 0.3, 0.5)).toBeGreaterThan(0.5);
    expect(share("loud", 0.8, 1)).toBeGreaterThan(0.5);
    expect(await activeOf(tuner)).toMatchObject({ arm: "loud", why: "stop rule" });
  }, 120_000);

  test("[T3] lead a search of two numbers to what they like best", async () => {
    const distance = ({ warmth, pace }: Style) =>
      Math.hypot(Number(warmth) - 0.8, (Math.log(Number(pace)) - Math.log(40)) / Math.log(100));
    // Stars rather than thumbs, and no two people give the same.
    const stars: Taste = (style, index) =>
      Math.min(1, Math.max(0, 0.9 - distance(style) + 0.2 * (uniformAt("stars", index) - 0.5)));
    const { tuner } = await simulate("0.3.0", stars);
    const { values, why } = (await activeOf(tuner)) as { readonly values: Style; readonly why: string };
    expect(why).toBe("stop rule");
    // The defaults are 0.43 away.
    expect(distance(values)).toBeLessThan(0.25);
  }, 120_000);
});
