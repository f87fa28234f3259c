import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { Plan } from "../../../../../../server/architect/planners/plan.ts";
import type { Ground } from "../../../../../../server/architect/planners/planner.ts";
import { createWishPlanner } from "../../../../../../server/architect/planners/wishes/create-wish-planner.ts";
import { createGround, readCheckout } from "../../../../../helpers/plan-ground.ts";

let ground: Ground;
beforeAll(async () => {
  ground = await createGround(await readCheckout());
});

async function planOf(message: string): Promise<Plan | undefined> {
  return createWishPlanner().plan({ message, attachments: [] }, ground);
}

const EXAMPLE = '{"input": {"location": "0,181"}, "error": "BAD_REQUEST"}';

describe("[A9] examples that a message carries", () => {
  test.each([
    `get_weather could use this as one more example:\n\`\`\`json\n${EXAMPLE}\n\`\`\``,
    `Put this among the examples of get_weather:\n\n${EXAMPLE}`,
    'get_weather: pls add an example. input {"location": "0,181"}, result {"error": "BAD_REQUEST"}',
    "Another example for get_weather:\n```yaml\ninput: { location: '0,181' }\nerror: BAD_REQUEST\n```",
  ])("become examples of the tool that is named: %s", async (message) => {
    const plan = await planOf(message);
    expect(plan?.kind === "change" ? plan.changes : plan).toEqual([
      '`runner.get_weather` has another example: `{"location":"0,181"}` gives the error `BAD_REQUEST`.',
    ]);
  });

  test.each([
    "One more example for get_weather:\n```yaml\n- description: No such place.\n  input: { location: '0,181' }\n  error: BAD_REQUEST\n```",
    "add to get_weather:\n```yaml\nexamples:\n  - description: No such place.\n    input: { location: '0,181' }\n    error: BAD_REQUEST\n```",
    "Add this to the examples of get_weather:\n```yaml\nexamples:\n  - description: No such place.\n    input: { location: '0,181' }\n    error: BAD_REQUEST\n```",
  ])("keep the description that stands in their list, beside those that there are: %s", async (message) => {
    const plan = await planOf(message);
    const text = plan?.kind === "change" ? (plan.files.get("manifests/runner/get_weather.yaml") ?? "") : "";
    const { examples }: { examples: readonly object[] } = parse(text);
    const before = await ground.readText("manifests/runner/get_weather.yaml");
    expect(examples).toEqual([
      ...parse(before ?? "").examples,
      { description: "No such place.", input: { location: "0,181" }, error: "BAD_REQUEST" },
    ]);
  });

  test("are described by what stands beside them", async () => {
    const plan = await planOf(
      'one more example for get_weather pls: {"location": "0,181"} -> {"error": "BAD_REQUEST"}, described as "No such place"',
    );
    expect(plan?.kind === "change" ? plan.files.get("manifests/runner/get_weather.yaml") : plan).toContain(
      "description: No such place",
    );
  });

  test.each([
    `Here is another example of what fails in get_weather:\n\`\`\`json\n${EXAMPLE}\n\`\`\``,
    `We got one more example of a failing get_weather: ${EXAMPLE}`,
    `Don't add this example to get_weather yet:\n\`\`\`json\n${EXAMPLE}\n\`\`\``,
    `Should we add another example to get_weather? ${EXAMPLE}`,
  ])("are not taken up where they only show something: %s", async (message) => {
    expect((await planOf(message))?.kind).not.toBe("change");
  });
});
