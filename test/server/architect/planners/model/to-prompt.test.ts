import { createHash } from "node:crypto";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { createDataBlocks } from "../../../../../server/architect/planners/model/create-data-blocks.ts";
import { estimateTokens } from "../../../../../server/architect/planners/model/estimate-tokens.ts";
import { MODEL_LIMITS } from "../../../../../server/architect/planners/model/model-limits.ts";
import { MODEL_TOOLS } from "../../../../../server/architect/planners/model/model-tools.ts";
import { openReading } from "../../../../../server/architect/planners/model/open-reading.ts";
import { toFirstMessage, toSystemPrompt } from "../../../../../server/architect/planners/model/to-prompt.ts";
import type { Feedback } from "../../../../../server/architect/planners/plan.ts";
import { SHAPES_ONLY } from "../../../../../server/log/redact.ts";
import type { Ground } from "../../../../../server/architect/planners/planner.ts";
import { createGround as createCheckoutGround, readCheckout } from "../../../../helpers/plan-ground.ts";
import { createGround } from "../../ground.ts";

const BOUNDARY = "0".repeat(32);
const HANDLER = `import type { Context } from "cairn-gitops/host-api";
import { toLine } from "../_lib/lines.ts";

export default async (input: { who: string }, ctx: Context): Promise<{ greeting: string }> => {
  const names = await ctx.fetch("https://names.example.com/");
  return { greeting: toLine(names.text(), input.who) };
};
`;
const LIBRARY = "export const toLine = (names: string, who: string): string => `${names} ${who}`;\n";

/** A repository of a hundred tools, each with a handler. */
function manyTools(
  toTitle = (index: number) => `Says the name number ${index} of a person in a row`,
): Readonly<Record<string, string>> {
  const tools = Array.from({ length: 99 }, (_, index) => {
    const name = `tool_${index}`;
    const manifest = [
      `name: runner.${name}`,
      "version: 1.0.0",
      `title: ${toTitle(index)}`,
      `description: ${"Says a name of somebody, with more about it than a line has room for. ".repeat(12)}`,
      "requiredCapabilities: [tool:runner.greet]",
      `input: { type: object, properties: { who: { type: string, description: "${"Whom to name. ".repeat(20)}" } } }`,
      "output: { type: object, properties: { greeting: { type: string } } }",
      "",
    ];
    return [
      [`manifests/runner/${name}.yaml`, manifest.join("\n")],
      [`tools/runner/${name}.ts`, "export default () => ({ greeting: 'Hi' });\n".repeat(1)],
    ] as const;
  });
  return Object.fromEntries(tools.flat());
}

async function write(feedback: Partial<Feedback>, files: Readonly<Record<string, string>> = {}) {
  return writeOn(await createGround(files), feedback);
}

async function writeOn(ground: Ground, feedback: Partial<Feedback>) {
  const system = toSystemPrompt(BOUNDARY);
  const tools = JSON.stringify(MODEL_TOOLS);
  const used = estimateTokens(system) + estimateTokens(tools);
  const toDataBlock = createDataBlocks(BOUNDARY, SHAPES_ONLY);
  const reading = openReading(ground, SHAPES_ONLY, MODEL_LIMITS);
  const said = { message: "Have runner.greet say who asks.", attachments: [], ...feedback };
  const options = { toDataBlock, limits: MODEL_LIMITS, redactor: SHAPES_ONLY, used };
  const first = await toFirstMessage(said, ground, reading, options);
  const labels = [...first.matchAll(/^<<<DATA 0+ (.*)$/gm)].map(([, label]) => label);
  return { system, first, labels, tokens: countTokens(system + tools) + countTokens(first) };
}

describe("the prompt", () => {
  test("shows the manifest, the handler with its imports, the types and keys that it needs, and an outline", async () => {
    const { first, labels } = await write({}, { "tools/runner/greet.ts": HANDLER, "tools/_lib/lines.ts": LIBRARY });
    expect(labels.slice(0, 2)).toEqual(["message", "manifests/runner/greet.yaml"]);
    expect(labels).toEqual(
      expect.arrayContaining([
        "tools/runner/greet.ts",
        "tools/_lib/lines.ts, which tools/runner/greet.ts imports",
        "types of the host API",
        "keys of manifests of the kind tool",
        "outline",
      ]),
    );
    expect(first).toContain("| description: Greets somebody by name.");
    expect(first).toContain("| export const toLine");
    expect(first).toMatch(/\| {3}fetch\(url: string, init\?: FetchInit\): Promise<FetchResponse>;/);
    expect(first).toContain("| export interface FetchResponse {");
    // Only what the handler uses.
    expect(first).not.toContain("elicit<Filled");
    expect(first).not.toContain("SyscallDeclaration");
    expect(first).toMatch(/\| egress \(array\): \S/);
    expect(first).toContain("| runner.greet: Greets somebody by name.");
    expect(first).toContain("| tone: warmth, length; arms plain, warm");
  });

  test("shows the imports that a wish for more output needs, with the example agent", async () => {
    const ground = await createCheckoutGround(await readCheckout());
    const { labels, tokens } = await writeOn(ground, { message: "Add sunrise and sunset to the forecast output" });
    expect(labels.slice(1, 3)).toEqual(["manifests/runner/get_weather.yaml", "tools/runner/get_weather.ts"]);
    expect(labels).toContainEqual(expect.stringMatching(/^tools\/_lib\/weather\/observe\.ts, which /));
    expect(labels).toContain("types of the host API");
    expect(labels.join("\n")).not.toContain("test/");
    expect(tokens).toBeLessThanOrEqual(12_000);
  });

  test("says what is refused and what needs approval, and shows a plan", async () => {
    const { system } = await write({});
    expect(system).toContain("- text that looks like a credential, also in base64");
    expect(system).toContain("- a new host under `egress` of a tool");
    expect(system.indexOf("looks like a credential")).toBeLessThan(system.indexOf("What a person has to approve"));
    expect(system).toContain('{"change":{"title":"Accept knots as a unit of weather.now"');
  });

  test("finds an experiment by a name of its parameters, and a manifest by words alone", async () => {
    const { labels } = await write({ message: "The warmth is too low." });
    expect(labels[1]).toBe("manifests/parameters/tone.yaml");
    expect(labels).toContain("keys of manifests of the kind parameters");
    expect((await write({ message: "Nobody knows whom it greets." })).labels).toContain("manifests/runner/greet.yaml");
  });

  test.each<[string, Partial<Feedback>]>([
    ["a short message", {}],
    ["a long message", { message: `Have runner.greet say this. ${"words of a long story ".repeat(800)}` }],
    ["a long message in Chinese", { message: `让 runner.greet 说这个。${"一个很长的故事".repeat(2000)}` }],
    ["a message of hexadecimal digits", { message: `Say this. ${"0f9a7c3be1d2".repeat(1500)}` }],
    ["a message of base64", { message: `Say this. ${createHash("sha512").update("a").digest("base64").repeat(200)}` }],
    ["a message of emoji", { message: `Say this. ${"🥦🪐🧶🦭🛸".repeat(1900)}` }],
    ["a message of rare letters", { message: `Say this. ${"𒀀𒁀𒂀Ꭰ龘".repeat(1900)}` }],
    ["a message of letters without words", { message: `Say this. ${"qwzrtp xkcvbn hgfdsj ".repeat(900)}` }],
    ["a message of digits, each by itself", { message: `Say this. ${"1 ".repeat(9_900)}` }],
    [
      "a message that shows long texts",
      {
        message: `Say this.\n\n${["a", "b", "c"].map((one) => `\`\`\`\n${`${one}7 `.repeat(2000)}\n\`\`\`\n\nAnd that.\n\n`).join("")}`,
      },
    ],
    ["a message of many lines", { message: "a\n".repeat(10_000) }],
    ["a message of signs that are not seen", { message: `Say this. ${"\u200b".repeat(19_000)}` }],
    [
      "long attachments",
      {
        attachments: Array.from({ length: 10 }, (_, index) => ({
          uri: `logs://${index}`,
          mediaType: "text/plain",
          text: "12:00 greet failed\n".repeat(5000),
        })),
      },
    ],
  ])("has at most 12,000 tokens for a hundred tools with %s", async (_, feedback) => {
    const { tokens, first, labels } = await write(feedback, manyTools());
    expect(tokens).toBeLessThanOrEqual(12_000);
    expect(labels[0]).toMatch(/^message/);
    // All of the tools, whatever else is sent.
    expect(first.match(/^\| runner\.tool_\d+: Says the name/gm)).toHaveLength(99);
  });

  test("has an outline of a hundred tools whole, and says what is cut", async () => {
    const { first, labels } = await write({}, manyTools());
    expect(first).toContain("| runner.tool_98: Says the name number 98");
    const log = { uri: "logs://1", mediaType: "text/plain", text: "greet failed\n".repeat(5000) };
    const long = await write({ attachments: [log] }, manyTools());
    expect(long.labels).toContainEqual(
      expect.stringMatching(/^attachment logs:\/\/1 \(text\/plain\), without its last \d+ lines$/),
    );
    expect(labels).not.toContainEqual(expect.stringContaining("without its last"));
  });

  test.each([
    [
      "of a hundred letters",
      (index: number) => `Says the name number ${index} of a person ${"who stands in a row ".repeat(4)}`,
    ],
    ["in Chinese", (index: number) => `${index} ${"说出排队等候的人的名字".repeat(9)}`],
    ["of emoji", (index: number) => `${index} ${"🥦🪐🧶".repeat(30)}`],
    ["of hexadecimal digits", (index: number) => `${index} ${"0f9a7c3be1d2".repeat(8)}`],
  ])("has all of a hundred tools with titles %s, which are shortened", async (_, toTitle) => {
    const { first, labels, tokens } = await write({}, manyTools(toTitle));
    expect(first.match(/^\| runner\.tool_\d+\b/gm)).toHaveLength(99);
    expect(labels).toContain("outline");
    expect(tokens).toBeLessThanOrEqual(12_000);
  });

  test("masks a credential before it cuts a text", async () => {
    const key = "-----BEGIN PRIVATE KEY-----\n" + "QUJD\n".repeat(4000) + "-----END PRIVATE KEY-----\n";
    const { first } = await write({ attachments: [{ uri: "logs://1", mediaType: "text/plain", text: `log\n${key}` }] });
    expect(first).toContain("[redacted]");
    expect(first).not.toContain("QUJD");
  });
});
