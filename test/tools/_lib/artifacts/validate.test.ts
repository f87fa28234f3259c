import { describe, expect, test } from "vitest";
import { toMode } from "../../../../tools/_lib/artifacts/validate.ts";
import { CALCULATE, CALCULATOR, type Maker, useArtifacts } from "../../artifacts/use-artifacts.ts";

const on = useArtifacts("on");
const yes = useArtifacts("true");
const warn = useArtifacts("warn");
const no = useArtifacts("false");

const WRONG = { operation: "multiply", a: "1" };

async function makeCalculator(maker: Maker, code = CALCULATE): Promise<Maker> {
  await maker.create("calculator", code, { interface: CALCULATOR });
  return maker;
}

describe("validate_artifact_args", () => {
  test("[X3] is off unless it is told otherwise", () => {
    const modes = [undefined, false, "off", "false", 1, "warn", "on", true].map(toMode);
    expect(modes).toEqual(["off", "off", "off", "off", "off", "warn", "on", "on"]);
  });

  test.for([
    ["on", on],
    ["true", yes],
  ] as const)("[X3] %s refuses wrong arguments, and says what would be right", async ([, artifacts]) => {
    const ada = await makeCalculator(artifacts.maker());
    const input = { name: "calculator", arguments: WRONG };
    const error = await ada.error("artifact_invoke", input);
    expect(error).toMatchObject({ code: 2000, name: "BAD_REQUEST" });
    for (const told of [
      "`calculator`",
      "`b`",
      "add, subtract",
      "`a` must be a number",
      '{"operation":"add","a":1,"b":1}',
    ]) {
      expect(error.message).toContain(told);
    }
    expect(error.details).toMatchObject({
      violations: expect.arrayContaining([{ path: "/a", message: expect.stringContaining("a number") }]),
      expected: CALCULATOR.inputSchema,
      example: { operation: "add", a: 1, b: 1 },
    });
    expect(await ada.invoke("calculator", { operation: "add", a: 1, b: 2 })).toEqual({ value: 3 });
    for (const args of [undefined, [], [1, 2], null, "add"]) {
      const given = args === undefined ? {} : { arguments: args };
      expect(await ada.error("artifact_invoke", { name: "calculator", ...given })).toMatchObject({
        name: "BAD_REQUEST",
      });
    }
  });

  test("[X3] on refuses results that are not what the interface says, and keeps nothing of them", async () => {
    const ada = on.maker();
    const code =
      "export default async function () { await this.state.set(['kept'], 1); return { value: String(await this.state.get(['kept'])) } }";
    await ada.create("calculator", code, { interface: CALCULATOR, uses: ["state.read", "state.write"] });
    const right = { operation: "add", a: 1, b: 2 };
    const error = await ada.error("artifact_invoke", { name: "calculator", arguments: right });
    expect(error).toMatchObject({
      name: "UNPROCESSABLE",
      message: expect.stringContaining("`value` must be a number"),
    });
    const outer =
      "export default async function (args) { try { await this.invoke('calculator', args) } catch (error) { return error.name } }";
    await ada.create("outer", outer, { uses: ["invoke"] });
    expect(await ada.invoke("outer", [right])).toBe("UNPROCESSABLE");
    await ada.output("artifact_update", {
      name: "calculator",
      code: "export default async function () { return { value: (await this.state.get(['kept'])) ?? 0 } }",
    });
    expect(await ada.invoke("calculator", right)).toEqual({ value: 0 });
  });

  test("[X3] warn invokes all the same, and tells", async () => {
    const ada = await makeCalculator(warn.maker(), "export default ({ a }) => ({ value: a })");
    expect(await ada.output("artifact_invoke", { name: "calculator", arguments: WRONG })).toMatchObject({
      result: { value: "1" },
      warnings: [
        expect.stringMatching(/^The arguments of `calculator` are wrong: .* This would be right: /),
        expect.stringMatching(/^The result of `calculator` is not what its interface says: /),
      ],
    });
  });

  test("[X3] false checks nothing, but genesis artifacts always do", async () => {
    const ada = await makeCalculator(no.maker());
    expect(await ada.output("artifact_invoke", { name: "calculator", arguments: WRONG })).toMatchObject({
      warnings: [],
    });
    const wrong = { name: "genesis_ledger.get_balance", arguments: { principal: "ada" } };
    const error = await ada.error("artifact_invoke", wrong);
    expect(error).toMatchObject({ name: "BAD_REQUEST", details: { example: { principal_id: "text" } } });
  });

  test("[X1] checks nothing of an artifact without an interface", async () => {
    const ada = on.maker();
    await ada.create("any", "export default (...args) => args");
    expect(await ada.invoke("any", [WRONG, null, "x"])).toEqual([WRONG, null, "x"]);
  });
});
