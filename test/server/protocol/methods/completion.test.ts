import { describe, expect, test } from "vitest";
import { LOCAL_PRINCIPAL } from "../../../../server/principal.ts";
import { createCompletionMethods } from "../../../../server/protocol/methods/completion.ts";
import type { Server } from "../../../../server/versions/version.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

const MANY = Array.from({ length: 150 }, (_, index) => `item ${index}`);

const server = createTestVersion({
  servers: [
    {
      name: "runner",
      prompts: [
        {
          name: "greet",
          arguments: [
            { name: "place", required: true, suggestions: ["New Paris", "Rome", "paris", "Parma", "İstanbul"] },
            { name: "item", required: false, suggestions: MANY },
            { name: "who", required: false, suggestions: [] },
          ],
          messages: [],
        },
        { name: "leave", arguments: [], messages: [] },
      ],
      resourceTemplates: [
        {
          uriTemplate: "docs://{place}{?limit}",
          name: "places",
          source: { kind: "text", text: "" },
          suggestions: new Map([["place", ["Rome", "Bonn"]]]),
        },
      ],
    },
  ],
}).servers.get("runner");

function complete(params: object, of: Server | undefined = server): unknown {
  if (!of) throw new Error("There is no server.");
  const exchange = { principal: LOCAL_PRINCIPAL, modern: true, client: { elicit: false, sample: false, roots: false } };
  return createCompletionMethods(of)["completion/complete"]?.(
    params as never,
    { ...exchange, send: () => undefined },
    1,
  );
}

const PROMPT = { type: "ref/prompt", name: "greet" };
const TEMPLATE = { type: "ref/resource", uri: "docs://{place}{?limit}" };

describe("completion/complete", () => {
  test.each([
    ["what starts with it first, whatever its case", PROMPT, "place", "PAR", ["paris", "Parma", "New Paris"]],
    ["everything for nothing typed yet", PROMPT, "place", "", ["New Paris", "Rome", "paris", "Parma", "İstanbul"]],
    ["nothing where nothing matches", PROMPT, "place", "x", []],
    ["nothing where nothing is suggested", PROMPT, "who", "a", []],
    ["values of a variable", TEMPLATE, "place", "o", ["Rome", "Bonn"]],
    ["nothing for a variable without suggestions", TEMPLATE, "limit", "", []],
  ])("suggests %s", (_, ref, name, value, values) => {
    expect(complete({ ref, argument: { name, value } })).toEqual({
      completion: { values, total: values.length, hasMore: false },
    });
  });

  test("suggests at most 100 values, and says how many there are", () => {
    expect(complete({ ref: PROMPT, argument: { name: "item", value: "item" } })).toEqual({
      completion: { values: MANY.slice(0, 100), total: 150, hasMore: true },
    });
  });

  test.each([
    [{ argument: { name: "place", value: "" } }, "`ref` must be an object."],
    [{ ref: PROMPT }, "`argument` must be an object."],
    [{ ref: PROMPT, argument: { name: "place" } }, "`argument.name` and `argument.value` must be strings."],
    [
      { ref: { type: "ref/tool", name: "greet" }, argument: { name: "place", value: "" } },
      "`ref.type` must be `ref/prompt` or `ref/resource`.",
    ],
    [
      { ref: { type: "ref/prompt", name: "gret" }, argument: { name: "place", value: "" } },
      "There is no prompt `gret`; it has: greet, leave.",
    ],
    [
      { ref: PROMPT, argument: { name: "plaice", value: "" } },
      "There is no argument `plaice`; the prompt has: place, item, who.",
    ],
    [
      { ref: { ...PROMPT, name: "leave" }, argument: { name: "place", value: "" } },
      "There is no argument `place`; the prompt has: none.",
    ],
    [
      { ref: { type: "ref/resource", uri: "docs://Rome" }, argument: { name: "place", value: "" } },
      "There is no resource template `docs://Rome`; `runner` has: docs://{place}{?limit}.",
    ],
    [
      { ref: TEMPLATE, argument: { name: "offset", value: "" } },
      "There is no variable `offset`; the template has: place, limit.",
    ],
  ])("refuses %j", (params, message) => {
    expect(() => complete(params)).toThrow(expect.objectContaining({ name: "BAD_REQUEST", message }));
  });
});
