import { expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf, firstOffered } = await openAgents(["example"]);

test.each([
  "Take Weather models off the runner's resources",
  "We don't want the weather-models bucket among the runner's resources",
  "lose the weather-models resource of the runner",
])("%s: the resource is to go", async (message) => {
  expect((await changesOf("example", message)) ?? (await firstOffered("example", message))).toContain(
    "The resource `s3://openmeteo/data/` of the server `runner` is gone.",
  );
});

test("a resource that is to be added goes nowhere", async () => {
  expect((await firstOffered("example", "Add the weather-models resource to the work server")) ?? "").not.toContain(
    "is gone",
  );
});
