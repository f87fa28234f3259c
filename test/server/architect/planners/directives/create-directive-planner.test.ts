import { beforeAll, describe, expect, test } from "vitest";
import { createDirectivePlanner } from "../../../../../server/architect/planners/directives/create-directive-planner.ts";
import { agentFiles } from "../../../../helpers/agent.ts";
import { describePlan } from "../../../../helpers/describe-plan.ts";
import { applyFiles, createGround, type Files } from "../../../../helpers/plan-ground.ts";

const GREET = `title: Greeting
limits: { time: 2000 } # quick
requiredCapabilities: [greet]
parameters: [style]
input:
  type: object
  required: [name]
  properties:
    # Whom to greet.
    name: { type: string }
    mode: { type: string, enum: [plain, formal], default: plain }
  additionalProperties: false
output: { type: object, required: [text], properties: { text: { type: string } } }
examples:
  - { input: { name: Ada }, output: { text: "Hello, Ada." } }`;
const PART = `input:
  type: object
  properties:
    name: { type: string }
    style: { type: string, enum: [short, long] }
    mode: { type: string, enum: [plain, formal] }`;
const HANDLER = `const MODES = { plain: "Hello", formal: "Good day", loud: "HELLO" };
export default ({ name, mode, wave }) => ({ text: MODES[mode] + ", " + name + (wave ? " o/" : ".") });
`;
const FILES: Files = new Map(
  Object.entries(
    agentFiles({
      version: "1.6.0",
      labels: { stable: "1.6.0", next: "1.6.0", old: "1.4.0" },
      tools: {
        greet: { handler: HANDLER, manifest: GREET },
        part: { handler: "export default () => ({});\n", manifest: PART },
      },
      files: {
        "manifests/policies/access.yaml": "roles:\n  # Everyone.\n  guest: [greet]\n",
        "manifests/parameters/style.yaml":
          "parameters:\n  size: { type: categorical, values: [brief, full], default: full }\n  rate: { type: float, min: 0, max: 1, default: 0.5 }\n",
        "README.md": "# Read me\n",
      },
    }),
  ),
);
const planner = createDirectivePlanner();
let run: (message: string, files?: Files) => Promise<string>;
let apply: (message: string, files?: Files) => Promise<Files>;

beforeAll(async () => {
  const first = await createGround(FILES);
  const planIn = async (message: string, files: Files) =>
    planner.plan({ message, attachments: [] }, files === FILES ? first : await createGround(files));
  run = async (message, files = FILES) => describePlan(await planIn(message, files));
  apply = async (message, files = FILES) => {
    const plan = await planIn(message, files);
    if (plan?.kind !== "change") throw new Error(describePlan(plan));
    return applyFiles(files, plan.files);
  };
});

describe("a directive and its inverse", () => {
  test.each([
    ["deprecate runner.greet", "undeprecate runner.greet"],
    ["deprecate greet in favour of runner.part", "undeprecate greet"],
    ["deprecate greet because it greets nobody", "undeprecate greet"],
    ["set style.rate to 0.25", "set style.rate to 0.5"],
    ["set style.rate between 0.1 and 0.9", "set style.rate between 0 and 1"],
    ["add loud to the modes of greet", ""],
    ["greet should also accept Loud", ""],
    ["raise greet's time limit to 3 seconds", "give greet 2 s of time"],
    ["remove name from runner.part", ""],
    ["raise the time limit of greet to 3 seconds", "lower the time limit of greet to 2 s"],
    ["grant runner:* to the role guest", "revoke runner:* from the role guest"],
    ["grant part to the role guest", "revoke tool:runner.part from the role guest"],
    [
      "grant extra to guest and require extra for greet",
      "no longer require extra for greet and revoke extra from guest",
    ],
    ["move the label stable to 1.4.0", "point stable at 1.6.0"],
    ["add the label beta at 1.4.0", "remove the label beta"],
    ["make the argument name of greet optional with default Ada", ""],
    ["add an optional boolean argument wave to greet", "drop the wave argument of greet"],
    ['set the title of greet to "Hi there"', 'set the title of greet to "Greeting"'],
    [
      'add an example to greet: {"input":{"name":"Bo"},"output":{"text":"Hello, Bo."}}',
      "remove the example 2 of greet",
    ],
  ])("gives the same bytes: %s / %s", async (there, back) => {
    const after = await apply(there);
    expect([...after].filter(([path, text]) => FILES.get(path) !== text).length).toBeGreaterThan(0);
    if (back === "") return;
    expect([...(await apply(back, after))]).toEqual([...FILES]);
  });
});

describe("a message", () => {
  test.each([
    "set style.rate to 0.25",
    "Please set style.rate to 0.25, thanks!",
    "Hi there! Could you set the rate to 0.25? Many thanks.",
    "set `rate` of style to 0.25 because it is better",
    "- set rate\n  to 0.25",
    "set: style.rate\nto: 0.25",
    '[{"set": "style.rate", "to": 0.25}]',
    "Please make this change:\n```yaml\n- set the default of: rate\n  to: 0.25\n```",
    "Do the following:\n\n```\nset: rate\nto: 0.25\n```",
  ])("says the same in many forms: %s", async (message) => {
    expect(await run(message)).toBe("A patch change: The parameter `style.rate` is `0.25` by default; it was `0.5`.");
  });

  test.each([
    ["set rate to 0.2 and size to brief", "style.rate", "style.size"],
    ["set rate to 0.2, then set size to brief", "style.rate", "style.size"],
    ["set rate to 0.2; set size to brief", "style.rate", "style.size"],
    ["1. set rate to 0.2\n2. set size to brief", "style.rate", "style.size"],
    ["set rate to 0.2\nset size to brief", "style.rate", "style.size"],
  ])("has several directives make one plan: %j", async (message, ...names) => {
    const told = await run(message);
    for (const name of names) expect(told).toContain(`\`${name}\``);
  });

  test("is understood where a role is one of two and a version is a rollback of all its labels", async () => {
    expect(await run("roll back to 1.4.0")).toBe(
      "A change: The label `stable` stands for 1.4.0; it stood for 1.6.0. The label `next` stands for 1.4.0; it stood for 1.6.0.",
    );
    expect(await run("roll back next to 1.4.0")).toBe(
      "A change: The label `next` stands for 1.4.0; it stood for 1.6.0.",
    );
  });

  test("makes answers shorter by the default where nothing is tuned", async () => {
    expect(await run("make greet answer shorter")).toBe(
      "A patch change: The parameter `style.size` is `brief` by default; it was `full`.",
    );
    expect(await run("make part answer shorter")).toBe(
      "Rejected: No parameter of `runner.part` says how long its answers are.",
    );
  });

  test.each([
    "",
    "   \n\n",
    "Thanks a lot!",
    "The greeting is lovely.",
    "Do not set style.rate to 0.25.",
    "Never drop the name argument",
    "Should we set the rate to 0.25?",
    "if it rains, set the rate to 0.25 unless it is hot",
    "Make it so that people are happier with what it says.",
    "```ts\nconst a = 1;\n```",
    '{"a": 1}',
  ])("that is no directive is left to others: %j", async (message) => {
    expect(await run(message)).toBe("left to others");
  });
});

describe('"from X to Y"', () => {
  const RATE = "A patch change: The parameter `style.rate` is `0.75` by default; it was `0.5`.";

  test.each([
    ["raise rate from 0.5 to 0.75", RATE],
    ["change the default of style.rate from 0.5 to 0.75", RATE],
    ["Could you bump the rate from .5 to .75, please?", RATE],
    ['{"set": "rate", "from": 0.5, "to": 0.75}', RATE],
    ["set size from full to brief", "A patch change: The parameter `style.size` is `brief` by default; it was `full`."],
    [
      "raise the maximum of rate from 1 to 2 and lower rate from 0.5 to 0.25",
      "A patch change: The maximum of the parameter `style.rate` is `2`; it was `1`. The parameter `style.rate` is `0.25` by default; it was `0.5`.",
    ],
    [
      "raise the time limit of greet from 2 to 3 s",
      "A minor change: The time limit of `runner.greet` is 3000 ms; it was 2000.",
    ],
    [
      "raise the time limit of greet from 2 s to 3 seconds",
      "A minor change: The time limit of `runner.greet` is 3000 ms; it was 2000.",
    ],
    ["raise the cost of greet from 0 to 3", "A major change: A call of `runner.greet` costs 3 units; it was 0."],
    ["move the label next from 1.6.0 to 1.4.0", "A change: The label `next` stands for 1.4.0; it stood for 1.6.0."],
    ['change the title of greet from "Greeting" to "Hi"', "A patch change: The title of `runner.greet` is `Hi`."],
  ])("makes Y of X: %s", async (message, outcome) => {
    expect(await run(message)).toBe(outcome);
  });

  test.each([
    [
      "raise rate from 0.4 to 0.75",
      "`manifests/parameters/style.yaml/parameters/rate/default` is `0.5`, and not `0.4`.",
    ],
    ["lower rate from 0.7 to 0.25", "/default` is `0.5`, and not `0.7`."],
    ["set size from brief to full", "/default` is `full`, and not `brief`."],
    ["set size from huge to brief", "/default` is `full`, and not `huge`."],
    ["raise the maximum of rate from 0.9 to 2", "/max` is `1`, and not `0.9`."],
    [
      "raise the time limit of greet from 1 s to 3 s",
      "`manifests/runner/greet.yaml/limits/time` is `2000`, and not `1 s`.",
    ],
    ['change the title of greet from "Hello" to "Hi"', "/title` is `Greeting`, and not `Hello`."],
    ["move the label old from 1.6.0 to 1.4.0", "1.6.0"],
  ])("is refused with what there is where that is another: %s", async (message, reason) => {
    const told = await run(message);
    expect(told).toMatch(/^Rejected: /);
    expect(told).toContain(reason);
  });

  test.each([
    "set rate between 0.1 and 0.9",
    "let rate be between 0.1 and 0.9",
    "set the range of rate to 0.1 to 0.9",
    "change the bounds of rate from 0.1 to 0.9",
    "allow rate to go from 0.1 to 0.9",
    "allow rate from 0.1 up to 0.9",
  ])("is a range only where words say so: %s", async (message) => {
    expect(await run(message)).toBe(
      "A change: The minimum of the parameter `style.rate` is `0.1`; it was `0`. The maximum of the parameter `style.rate` is `0.9`; it was `1`.",
    );
  });
});

describe("[A6] rejected with the reason is", () => {
  test.each([
    ["set rate to 0.2 and paint the door", 'this is not: "paint the door"'],
    ["Set rate to 0.2. And do something nice as well.", "Only a part of the message is understood"],
    ["set rate to 0.2 because it is good and then delete everything", "Only a part"],
    ["set rate to 0.2, but only on Sundays", "Only a part"],
    ["set rate to 0.2 and rate to 0.3", "contradict each other"],
    ['remove the tool runner.part and describe runner.part as "x"', "contradict each other"],
    [
      "drop the name argument",
      "`name` is a field of several tools: `runner.greet (input: name)` and `runner.part (input: name)`",
    ],
    ["runner.part should accept tiny", "several fields with a list of values: `style` and `mode`"],
    ["greet should accept rude", "does not know the value `rude`"],
    ["the greeting tool should no longer accept plain", "`plain` is the default of `mode`"],
    ["the greeting tool should no longer accept rude", "cannot be `rude` anyway"],
    ["set style.speed to 3", "There is no parameter `style.speed`"],
    ["raise the rate to 0.1", "so it cannot be raised to 0.1"],
    ["set rate to 7", "The default 7 is not between 0 and 1"],
    ["set rate to 0.5", "like that already"],
    ["set the minimum of size to 1", "is a choice among values and has no bounds"],
    ["add huge to the values of size", "does not know the value `huge`"],
    ["promote brief for style", "`style` is not tuned"],
    ["deprecate runner.nothing", "There is no tool `runner.nothing`"],
    ["add a tool that sings", "A tool is added with its code"],
    ["make name of greet optional", "has no default"],
    ["add an optional string argument nickname to greet", "has nothing called `nickname`"],
    [
      "mark greet as deterministic and set the description of greet to nothing at all",
      "has to be a text in quotation marks",
    ],
    ["point stable at 3.0.0", "lists no version `3.0.0`"],
    ["point lates at 1.6.0", "no label `lates`"],
    ["roll back old to 1.6.0", "is no way back"],
    ["require secret for greet", "No role grants `secret`"],
    ["grant x to the role nobody", "No policy has a role `nobody`"],
    ["grant tool:runner.prat to the role guest", "Nothing requires `tool:runner.prat`"],
    ["revoke x from guest", "does not grant `x`"],
    ["set the state nowhere x to 1", "There is no server `nowhere`"],
    ["apply the attached diff", "No diff is attached"],
    ["replace the file README.md:\n```\nx\n```", "`README.md` cannot be changed by feedback"],
    ["add the file .ci/run:\n```\nx\n```", "`.ci/run` cannot be changed"],
    ["add the file tools/../../x.ts:\n```\nx\n```", "cannot be called"],
    ["add the file manifests/odd.txt:\n```\nx\n```", "There can be no file `manifests/odd.txt`"],
    ["remove the file tools/nothing.ts", "There is no file `tools/nothing.ts`"],
    [`set rate to 0.2. ${"x".repeat(20_000)}`, "more than 20000 characters"],
  ])("%j", async (message, reason) => {
    const told = await run(message);
    expect(told).toMatch(/^Rejected: /);
    expect(told).toContain(reason);
  });
});

test("a title shows no markup, which is code among the changes", async () => {
  const ground = await createGround(FILES);
  const message = 'Set the title of greet to "Greets <name>"';
  expect(await planner.plan({ message, attachments: [] }, ground)).toMatchObject({
    title: "The title of runner.greet is …",
    changes: ["The title of `runner.greet` is `Greets <name>`."],
  });
});

describe("files in a message", () => {
  test("make a tool", async () => {
    const manifest =
      "name: runner.wave\nversion: 1.0.0\ndescription: Waves.\ninput: { type: object }\noutput: { type: object }\n";
    const handler = "export default () => ({});\n";
    const after = await apply(
      `Please add the file manifests/runner/wave.yaml:\n\`\`\`yaml\n${manifest}\`\`\`\nand add the file tools/runner/wave.ts:\n\`\`\`ts\n${handler}\`\`\`\n`,
    );
    const { version } = await createGround(after);
    expect([after.get("tools/runner/wave.ts"), version.tools.get("runner.wave")?.description]).toEqual([
      handler,
      "Waves.",
    ]);
  });

  test("are deleted with a tool", async () => {
    const after = await apply("remove the tool runner.part");
    expect([...FILES.keys()].filter((path) => !after.has(path))).toEqual([
      "manifests/runner/part.yaml",
      "tools/runner/part.ts",
    ]);
  });
});
