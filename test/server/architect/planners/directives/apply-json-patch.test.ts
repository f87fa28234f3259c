import { beforeAll, describe, expect, test } from "vitest";
import { createDirectivePlanner } from "../../../../../server/architect/planners/directives/create-directive-planner.ts";
import type { Plan } from "../../../../../server/architect/planners/plan.ts";
import { agentFiles } from "../../../../helpers/agent.ts";
import { createGround, type Files } from "../../../../helpers/plan-ground.ts";

const STYLE =
  "# Of style.\nparameters:\n  tone: { type: categorical, values: [dry, warm], default: dry } # as it was\n";
const FILES: Files = new Map(
  Object.entries(
    agentFiles({
      version: "1.0.0",
      tools: { greet: { handler: "export default () => ({});\n" } },
      files: { "manifests/parameters/style.yaml": STYLE },
    }),
  ),
);
let propose: (message: string) => Promise<Plan | undefined>;
beforeAll(async () => {
  const ground = await createGround(FILES);
  const planner = createDirectivePlanner();
  propose = (message) => planner.plan({ message, attachments: [] }, ground);
});

function patchStyle(...patch: readonly object[]) {
  return propose(JSON.stringify({ file: "manifests/parameters/style.yaml", patch }));
}

describe("a JSON Patch", () => {
  test("changes a YAML file and keeps its comments", async () => {
    const wanted = STYLE.replace("[dry, warm]", "[dry, mild, warm, hot]").replace("default: dry }", "default: warm }");
    const patch = [
      { op: "test", path: "/parameters/tone/default", value: "dry" },
      { op: "add", path: "/parameters/tone/values/-", value: "hot" },
      { op: "add", path: "/parameters/tone/values/1", value: "mild" },
      { op: "copy", from: "/parameters/tone/values/2", path: "/parameters/tone/default" },
    ];
    const plan = { kind: "change", files: new Map([["manifests/parameters/style.yaml", wanted]]) };
    expect(await patchStyle(...patch)).toMatchObject(plan);
    const sentence = "Apply this JSON Patch to manifests/parameters/style.yaml:";
    expect(await propose(`${sentence}\n\`\`\`json\n${JSON.stringify(patch)}\n\`\`\``)).toMatchObject(plan);
    expect(await propose(`${sentence} ${JSON.stringify(patch)}`)).toMatchObject(plan);
    const following = `Apply the following to manifests/parameters/style.yaml:\n${JSON.stringify(patch)}`;
    expect(await propose(following)).toMatchObject(plan);
  });

  test("moves and removes", async () => {
    expect(
      await patchStyle(
        { op: "move", from: "/parameters/tone/values/0", path: "/parameters/tone/values/1" },
        { op: "add", path: "/description", value: "a: b" },
        { op: "remove", path: "/description" },
      ),
    ).toMatchObject({
      files: new Map([["manifests/parameters/style.yaml", STYLE.replace("[dry, warm]", "[warm, dry]")]]),
    });
  });

  test.each([
    [
      { op: "test", path: "/parameters/tone/default", value: "warm" },
      "Operation 2 of the JSON Patch expects another value",
    ],
    [{ op: "replace", path: "/parameters/none", value: 1 }, "names a place that there is not"],
    [{ op: "add", path: "/parameters/tone/values/x", value: 1 }, "`x` is no position in a list"],
    [{ op: "add", path: "", value: 1 }, "no JSON Pointer"],
    [{ op: "add", path: "/description" }, "has no `value`"],
    [{ op: "replace", path: "/parameters/tone/default", value: "cold" }, "manifests/parameters/style.yaml:3"],
  ])("[A6] is rejected whole when it cannot be done: %j", async (operation, reason) => {
    expect(await patchStyle({ op: "add", path: "/description", value: "x" }, operation)).toMatchObject({
      kind: "reject",
      reason: expect.stringContaining(reason),
    });
  });

  test("[A6] is rejected for files that may not be changed, or are no YAML, or are not named", async () => {
    const patch = [{ op: "add", path: "/a", value: 1 }];
    const told = await Promise.all(
      [{ file: ".github/a.yaml", patch }, { file: "tools/runner/greet.ts", patch }, patch].map((one) =>
        propose(JSON.stringify(one)),
      ),
    );
    expect(told.map((plan) => (plan?.kind === "reject" ? plan.reason : plan))).toEqual([
      "There is no file `.github/a.yaml`.",
      "A JSON Patch changes YAML files, and `tools/runner/greet.ts` is none.",
      "The JSON Patch does not say which file it changes.",
    ]);
  });
});
