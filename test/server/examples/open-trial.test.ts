import { expect, onTestFinished, test } from "vitest";
import { openTrial } from "../../../server/examples/open-trial.ts";
import type { Hosts } from "../../../server/examples/recording.ts";
import { createLoader } from "../../../server/versions/load-version.ts";
import { createMemoryTree } from "../../fixtures/trees/create-memory-tree.ts";
import { agentFiles } from "../../helpers/agent.ts";

const OPEN = "input: { type: object }\noutput: { type: object }";
const FILES = agentFiles({
  version: "1.0.0",
  tools: {
    count: {
      handler:
        'import { next } from "../_lib/next.ts";\nexport default async (_, ctx) => {\n  const seen = (await ctx.state.get(["n"])) ?? 0;\n  await ctx.state.set(["n"], seen + 1);\n  return { here: next(), kept: seen };\n};\n',
      manifest: `${OPEN}\nsideEffect: true\nuses: [state.read, state.write]`,
    },
    ask: {
      handler: 'export default (_, ctx) => ctx.tools.call("runner.count", {});\n',
      manifest: `${OPEN}\nsideEffect: true\nuses: [tools.call]`,
    },
    nightly: {
      handler:
        'export default async (_, ctx) => ({ now: new Date(ctx.now()).toISOString().slice(0, 10), said: (await ctx.fetch(`https://a.example/${ctx.now() > 1e12 ? "late" : "early"}`)).text() });\n',
      manifest: `${OPEN}\nuses: [clock, fetch]\negress: [a.example]`,
    },
    relay: {
      handler: 'export default (_, ctx) => ctx.tools.call("runner.nightly", {});\n',
      manifest: `${OPEN}\nuses: [tools.call]`,
    },
    elsewhere: {
      handler: 'export default async (_, ctx) => ({ said: (await ctx.fetch("https://b.example/")).text() });\n',
      manifest: `${OPEN}\nuses: [fetch]\negress: [a.example]`,
    },
    think: {
      handler:
        'export default async (_, ctx) => ({ said: await ctx.model.generate({ messages: [{ role: "user", text: "?" }] }).catch(() => "nothing") });\n',
      manifest: `${OPEN}\nuses: [model.generate]`,
    },
    endless: {
      handler: "export default () => { for (;;); };\n",
      manifest: `${OPEN}\nlimits: { cpu: 50 }`,
    },
    impatient: {
      handler: 'export default (_, ctx) => ctx.tools.call("runner.endless", {}).catch(() => ({ said: "caught" }));\n',
      manifest: `${OPEN}\nuses: [tools.call]`,
    },
  },
  files: { "tools/_lib/next.ts": "let count = 0;\nexport const next = () => (count += 1);\n" },
});

async function open() {
  const loaded = await createLoader().load(createMemoryTree(FILES), "a".repeat(40));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const trial = await openTrial({ egressMap: new Map(), now: Date.now });
  onTestFinished(() => trial.close());
  const { version } = loaded;
  return async (name: string, hosts?: Hosts) => {
    const tool = version.tools.get(name);
    if (tool === undefined) throw new Error(`There is no ${name}.`);
    const { result, ...more } = await trial.call(version, tool, {}, hosts);
    return { came: result.ok ? result.output : result.error.name, ...more };
  };
}

const FINE = { missing: [], isLate: false };

test("a call on trial finds nothing of another one, neither kept nor in variables, however many are made at once", async () => {
  const call = await open();
  const many = await Promise.all(Array.from({ length: 30 }, () => call("runner.count")));
  expect(new Set(many.map(({ came }) => JSON.stringify(came)))).toEqual(new Set(['{"here":1,"kept":0}']));
});

test("a tool that calls others finds them", async () => {
  const call = await open();
  expect(await call("runner.ask")).toEqual({ came: { here: 1, kept: 0 }, ...FINE });
});

test("hosts are what stands in their place, at their time, also for tools that a tool calls", async () => {
  const call = await open();
  const asked: string[] = [];
  const hosts = (at: number): Hosts => ({
    at,
    answer: async ({ url }) => {
      asked.push(url);
      return { status: 200, headers: {}, body: "recorded" };
    },
  });
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  for (const [tool, at] of [
    ["runner.nightly", Date.UTC(1999, 11, 31)],
    ["runner.relay", Date.UTC(2040, 0, 1)],
  ] as const) {
    expect(await call(tool, hosts(at))).toEqual({ came: { now: day(at), said: "recorded" }, ...FINE });
  }
  expect(asked).toEqual(["https://a.example/early", "https://a.example/late"]);
  expect(await call("runner.elsewhere", hosts(0))).toEqual({ came: "EGRESS_DENIED", ...FINE });
  expect(asked).toHaveLength(2);
});

test("what could not be had is told: a host without an answer, or a model", async () => {
  const call = await open();
  const nobody: Hosts = { at: 0, answer: async () => undefined };
  const lost = { came: "UPSTREAM_ERROR", missing: ["`a.example`"], isLate: false };
  expect(await call("runner.nightly")).toEqual(lost);
  expect(await call("runner.nightly", nobody)).toEqual(lost);
  expect(await call("runner.think")).toEqual({ came: { said: "nothing" }, missing: ["a model"], isLate: false });
});

test("what a limit of time has ended is told, also where the tool that called it goes on", async () => {
  const call = await open();
  expect(await call("runner.endless")).toEqual({ came: "CPU_LIMIT", missing: [], isLate: true });
  expect(await call("runner.impatient")).toEqual({ came: { said: "caught" }, missing: [], isLate: true });
});
