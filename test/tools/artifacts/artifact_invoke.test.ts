import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { CALCULATE, CALCULATOR, type Maker, useArtifacts } from "./use-artifacts.ts";

const artifacts = useArtifacts();

describe("artifact_invoke", () => {
  test("keeps the promises of its examples", () => keepPromises(artifacts.checkout, "artifact_invoke"));

  test("[X1] invokes an artifact without an interface, with positional arguments", async () => {
    const ada = artifacts.maker();
    await ada.create("sum", "export default (...numbers) => numbers.reduce((a, b) => a + b, 0)");
    expect(await ada.invoke("sum", [1, 2, 39])).toBe(42);
    expect(await ada.invoke("sum")).toBe(0);
    expect(await ada.error("artifact_invoke", { name: "sum", arguments: { a: 1 } })).toMatchObject({
      name: "BAD_REQUEST",
      message: "`sum` has no interface and takes a list of arguments, such as [1, 2].",
    });
  });

  test("gives a function with positional arguments its `ctx` as `this`", async () => {
    const ada = artifacts.maker();
    await ada.create("who", "export default function (...args) { return [args, this.caller, this.artifact] }");
    expect(await ada.colleague("bob").invoke("who", [1])).toEqual([
      [1],
      "bob",
      { name: "who", revision: 1, owner: "ada" },
    ]);
  });

  test("[X2] invokes an artifact with an interface, with one object and `ctx`", async () => {
    const ada = artifacts.maker();
    await ada.create("calculator", CALCULATE, { interface: CALCULATOR });
    const output = await ada.output("artifact_invoke", {
      name: "calculator",
      arguments: { operation: "subtract", a: 5, b: 8 },
    });
    expect(output).toMatchObject({ result: { value: -3 }, artifact: "calculator", revision: 1, paid: 0, warnings: [] });
  });

  test.for<[string, string]>([
    ["exports", "export const up = ({ n }) => n + 1; export function down({ n }) { return n - 1 }"],
    ["members of the default export", "export default { up: ({ n }) => n + 1, down({ n }) { return n - 1 } }"],
  ])("[X2] invokes methods that are %s, by either way of naming them", async ([, code]) => {
    const ada = artifacts.maker();
    const one = { description: "Counts", inputSchema: { type: "object", properties: { n: { type: "integer" } } } };
    await ada.create("counter", code, { interface: { methods: { up: one, down: one, lost: one } } });
    expect(await ada.invoke("counter", { n: 1 }, { method: "up" })).toBe(2);
    expect(await ada.invoke("counter.down", { n: 1 })).toBe(0);
    const fail = (input: object) => ada.error("artifact_invoke", { name: "counter", ...input });
    expect(await fail({})).toMatchObject({ name: "BAD_REQUEST", message: expect.stringContaining("up, down, lost") });
    expect(await fail({ method: "sideways" })).toMatchObject({ name: "NOT_FOUND" });
    expect(await fail({ method: "toString" })).toMatchObject({ name: "NOT_FOUND" });
    expect(await fail({ method: "lost" })).toMatchObject({ name: "UNPROCESSABLE" });
    expect(await fail({ name: "counter.up", method: "up" })).toMatchObject({ name: "BAD_REQUEST" });
  });

  test("[X3] does not check arguments unless it is configured to", async () => {
    const ada = artifacts.maker();
    await ada.create("calculator", CALCULATE, { interface: CALCULATOR });
    expect(await ada.invoke("calculator", { operation: "add", a: "1", b: 2 })).toEqual({ value: "12" });
  });

  test("keeps the state of an artifact to itself, for those that its record lets use it", async () => {
    const ada = artifacts.maker();
    const code = `export default async function (key, value) {
      const before = await this.state.get(key);
      if (value === null) await this.state.delete(key); else await this.state.set(key, value);
      return [before ?? "nothing", (await this.state.get(key)) ?? "nothing"] }`;
    const uses = ["state.read", "state.write"];
    await ada.create("one", code, { uses });
    await ada.create("two", code, { uses });
    await ada.create("reader", code, { uses: ["state.read"] });
    expect(await ada.invoke("one", [["a", 1], 7])).toEqual(["nothing", 7]);
    expect(await ada.colleague("bob").invoke("one", [["a", 1], { b: 8 }])).toEqual([7, { b: 8 }]);
    expect(await ada.invoke("two", [["a", 1], 9])).toEqual(["nothing", 9]);
    expect(await ada.invoke("one", [["a", 1], null])).toEqual([{ b: 8 }, "nothing"]);
    const refused = await ada.error("artifact_invoke", { name: "reader", arguments: [["a"], 1] });
    expect(refused).toMatchObject({ name: "FORBIDDEN", message: "`reader` may not use `state.set`." });
    for (const key of [[], "a", [{}], [1, 2, 3, 4, 5, 6, 7, 8, 9], [Number.MAX_VALUE * 2]]) {
      expect(await ada.error("artifact_invoke", { name: "one", arguments: [key, 1] })).toMatchObject({
        name: "BAD_REQUEST",
      });
    }
  });

  test("keeps nothing of an invocation that fails, and all of one whose failure is caught but for what failed", async () => {
    const ada = artifacts.maker();
    const uses = ["state.read", "state.write", "invoke"];
    await ada.create(
      "inner",
      `export default async function (fail) { await this.state.set(["n"], ((await this.state.get(["n"])) ?? 0) + 1);
      if (fail) throw new Error("after all"); return this.state.get(["n"]) }`,
      { uses },
    );
    await ada.create(
      "outer",
      `export default async function (fail) { await this.state.set(["outer"], 1); const first = await this.invoke("inner", [false]);
      let caught; try { await this.invoke("inner", [true]) } catch (error) { caught = error.name }
      if (fail) throw this.fail("CONFLICT", "no"); return [first, caught, await this.invoke("inner", [false])] }`,
      { uses },
    );
    expect(await ada.invoke("outer", [false])).toEqual([1, "ARTIFACT_FAILED", 2]);
    expect(await ada.error("artifact_invoke", { name: "outer", arguments: [true] })).toMatchObject({
      name: "CONFLICT",
      message: "no",
    });
    expect(await ada.invoke("inner", [false])).toBe(3);
  });

  test("has artifacts act in their owner's name, never in their caller's", async () => {
    const ada = artifacts.maker();
    const mallory = ada.colleague("mallory");
    await ada.output("ledger_issue", { to: "ada", amount: 100 });
    const code = `export default function () { return this.invoke("genesis_ledger.transfer", { to: "eve", amount: 50 }) }`;
    await mallory.create("gift", code, { uses: ["invoke"] });
    expect(await ada.error("artifact_invoke", { name: "gift" })).toMatchObject({
      name: "CONFLICT",
    });
    expect(await ada.invoke("genesis_ledger.get_balance", { principal_id: "ada" })).toMatchObject({ balance: 100 });
    await ada.create("secret", "export default () => 'secret'", { permissions: { read: [], invoke: [] } });
    await mallory.create("thief", `export default function () { return this.invoke("secret") }`, { uses: ["invoke"] });
    expect(await ada.error("artifact_invoke", { name: "thief" })).toMatchObject({ name: "NOT_FOUND" });
    expect(await ada.invoke("secret")).toBe("secret");
  });

  test("lets artifacts invoke artifacts, neither in circles nor too deep nor too often", async () => {
    const ada = artifacts.maker();
    const uses = ["invoke"];
    const call = (name: string) => `export default function () { return this.invoke("${name}") }`;
    await ada.create("loop", call("loop"), { uses });
    await ada.create("ping", call("pong"), { uses });
    await ada.create("pong", call("ping"), { uses });
    for (let depth = 1; depth <= 9; depth += 1) await ada.create(`deep-${depth}`, call(`deep-${depth + 1}`), { uses });
    await ada.create("leaf", "export default () => 1");
    const often =
      "export default async function (n) { let sum = 0; for (; n > 0; n -= 1) sum += await this.invoke('leaf'); return sum }";
    await ada.create("often", often, { uses });
    await ada.create("not-granted", call("leaf"));
    const failure = async (name: string, args: unknown[] = []) =>
      (await ada.error("artifact_invoke", { name, arguments: args })).message;
    expect(await failure("loop")).toBe("Artifacts may not run in circles: loop -> loop.");
    expect(await failure("ping")).toBe("Artifacts may not run in circles: ping -> pong -> ping.");
    expect(await failure("deep-1")).toBe("Artifacts are nested more than 8 deep.");
    expect(await failure("often", [64])).toBe("One call may invoke 64 artifacts in all.");
    expect(await ada.invoke("often", [63])).toBe(63);
    expect(await failure("not-granted")).toBe("`not-granted` may not use `invoke`.");
  });

  test("pays the price to the owner, when the invocation succeeds and the caller is somebody else", async () => {
    const ada = artifacts.maker();
    const bob = ada.colleague("bob");
    await ada.create("dear", "export default (fail) => { if (fail) throw new Error('x'); return 1 }", { price: 30 });
    const balances = async () => {
      const of = async (name: string) =>
        (await ada.output("genesis_ledger.get_balance", { principal_id: name }))["balance"];
      return [await of("ada"), await of("bob")];
    };
    expect(await bob.error("artifact_invoke", { name: "dear", arguments: [false] })).toMatchObject({
      name: "CONFLICT",
      message: "`bob` has 0 and cannot pay 30, the price of `dear`.",
    });
    await ada.output("ledger_issue", { to: "bob", amount: 50 });
    expect(await bob.error("artifact_invoke", { name: "dear", arguments: [true] })).toMatchObject({
      name: "ARTIFACT_FAILED",
    });
    expect(await balances()).toEqual([0, 50]);
    expect(await bob.output("artifact_invoke", { name: "dear", arguments: [false] })).toMatchObject({ paid: 30 });
    expect(await ada.output("artifact_invoke", { name: "dear", arguments: [false] })).toMatchObject({ paid: 0 });
    expect(await balances()).toEqual([30, 20]);
    const { entries } = await ada.output("genesis_ledger.history", {});
    expect(entries).toMatchObject([
      { number: 0, kind: "issue", to: "bob", amount: 50 },
      {
        number: 1,
        kind: "payment",
        from: "bob",
        to: "ada",
        amount: 30,
        artifact: "dear",
        balances: { from: 20, to: 30 },
      },
    ]);
  });

  test("pays no more than it may", async () => {
    const ada = artifacts.maker();
    const bob = ada.colleague("bob");
    await ada.output("ledger_issue", { to: "bob", amount: 100 });
    await ada.create("dear", "export default () => 1", { price: 10 });
    const code = "export default async function (maxPrice) { return this.invoke('dear', [], { maxPrice }) }";
    await bob.create("careful", code, { uses: ["invoke"] });
    const told = { name: "CONFLICT", message: "`dear` costs 10, which is more than 9." };
    expect(await bob.error("artifact_invoke", { name: "dear", max_price: 9 })).toMatchObject(told);
    expect(await bob.error("artifact_invoke", { name: "careful", arguments: [9] })).toMatchObject(told);
    expect(await bob.invoke("dear", [], { max_price: 10 })).toBe(1);
    expect(await bob.invoke("careful", [10])).toBe(1);
    expect(await ada.invoke("dear", [], { max_price: 0 })).toBe(1);
    expect(await bob.output("genesis_ledger.get_balance", { principal_id: "bob" })).toMatchObject({ balance: 80 });
  });

  test("has the owner of an artifact pay for what it invokes", async () => {
    const ada = artifacts.maker();
    const bob = ada.colleague("bob");
    const eve = ada.colleague("eve");
    await ada.output("ledger_issue", { to: "bob", amount: 10 });
    await ada.create("dear", "export default () => 1", { price: 10 });
    await bob.create("resold", `export default function () { return this.invoke("dear") }`, { uses: ["invoke"] });
    expect(await eve.invoke("resold")).toBe(1);
    expect(await eve.error("artifact_invoke", { name: "resold" })).toMatchObject({ name: "CONFLICT" });
    expect(await eve.output("genesis_ledger.get_balance", { principal_id: "ada" })).toMatchObject({ balance: 10 });
  });

  test("gives clock and chance to those that may use them", async () => {
    const ada = artifacts.maker();
    await ada.create("both", "export default function () { return [this.now() > 1e12, this.random() < 1] }", {
      uses: ["clock", "random"],
    });
    await ada.create("none", "export default function () { return this.now() }");
    expect(await ada.invoke("both")).toEqual([true, true]);
    expect(await ada.error("artifact_invoke", { name: "none" })).toMatchObject({ name: "FORBIDDEN" });
  });

  test("ends what takes too much, and says so to whoever invoked it", async () => {
    const ada = artifacts.maker();
    await ada.create("endless", "export default () => { for (;;); }");
    await ada.create("waits", "export default () => new Promise(() => {})");
    await ada.create("large", "export default () => 'x'.repeat(1e6)");
    await ada.create("throws", "export default () => { null.x }");
    const failure = async (name: string) => (await ada.error("artifact_invoke", { name })).name;
    expect(await failure("endless")).toBe("CPU_LIMIT");
    expect(await failure("waits")).toBe("NEVER_SETTLES");
    expect(await failure("large")).toBe("RESULT_TOO_LARGE");
    const thrown = await ada.error("artifact_invoke", { name: "throws" });
    expect(thrown).toMatchObject({ code: 1011, name: "ARTIFACT_FAILED" });
    expect(thrown.message).toContain("artifact.js:1");
  });

  test("keeps tenants apart", async () => {
    const ada = artifacts.maker("ada");
    const other = artifacts.maker("ada");
    await ada.create("mine", "export default () => 1");
    expect(await other.error("artifact_invoke", { name: "mine" })).toMatchObject({ code: 4000, name: "NOT_FOUND" });
    expect(await other.output("genesis_store.list", {})).toMatchObject({ artifacts: [{}, {}] });
    await other.create("mine", "export default () => 2");
    expect([await ada.invoke("mine"), await other.invoke("mine")]).toEqual([1, 2]);
  });

  const permissions: [string, object, (one: Maker, other: Maker) => Promise<void>][] = [
    [
      "nobody else",
      { read: [], invoke: [] },
      async (bob) => {
        expect(await bob.error("artifact_invoke", { name: "thing" })).toMatchObject({ name: "NOT_FOUND" });
        expect(await bob.error("artifact_get", { name: "thing" })).toMatchObject({ name: "NOT_FOUND" });
        expect((await bob.output("genesis_store.list", {}))["artifacts"]).toHaveLength(2);
      },
    ],
    [
      "readers",
      { read: ["bob"], invoke: [] },
      async (bob, eve) => {
        expect(await bob.error("artifact_invoke", { name: "thing" })).toMatchObject({ name: "FORBIDDEN" });
        expect(await bob.output("artifact_get", { name: "thing" })).toMatchObject({ code: "export default () => 1" });
        expect(await eve.error("artifact_invoke", { name: "thing" })).toMatchObject({ name: "NOT_FOUND" });
      },
    ],
    [
      "those who invoke",
      { read: [], invoke: ["bob"] },
      async (bob, eve) => {
        expect(await bob.invoke("thing")).toBe(1);
        expect(await bob.output("artifact_get", { name: "thing" })).not.toHaveProperty("code");
        expect(await bob.error("artifact_update", { name: "thing", code: "1" })).toMatchObject({ name: "FORBIDDEN" });
        expect(await eve.error("artifact_invoke", { name: "thing" })).toMatchObject({ name: "NOT_FOUND" });
      },
    ],
  ];
  test.for(permissions)("heeds permissions: %s", async ([, given, check]) => {
    const ada = artifacts.maker();
    await ada.create("thing", "export default () => 1", { permissions: given });
    await check(ada.colleague("bob"), ada.colleague("eve"));
    expect(await ada.invoke("thing")).toBe(1);
  });
});
