import { expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf } = await openAgents(["shop"]);

test("a label that comes beside another one is new", async () => {
  expect(await changesOf("shop", "Add a label next at 1.2.0 beside beta.")).toBe("The label `next` stands for 1.2.0.");
  expect(await changesOf("shop", "Move the label stable to 1.2.0.")).toBe(
    "The label `stable` stands for 1.2.0; it stood for 1.1.0.",
  );
});

test("a label may stand for the version that another one stands for", async () => {
  expect(await changesOf("shop", "let next point at the same version as beta")).toBe(
    "The label `next` stands for 1.2.0.",
  );
  expect(await changesOf("shop", "Move the label stable to where beta is")).toBe(
    "The label `stable` stands for 1.2.0; it stood for 1.1.0.",
  );
});

test.each([
  ["Create a label long-term that points to 1.2.0.", "long-term"],
  ["Tag 1.2.0 as data-run", "data-run"],
  ["label pre-launch: 1.2.0", "pre-launch"],
  ["Add a label training-set beside beta for 1.2.0", "training-set"],
])("a new label keeps all of its name: %s", async (message, label) => {
  expect(await changesOf("shop", message)).toBe(`The label \`${label}\` stands for 1.2.0.`);
});
