import { expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf } = await openAgents(["shop"]);

test("a bound in words is done, or asked about beside a default", async () => {
  expect(await changesOf("shop", "page_size should be at least two.")).toBe(
    "The minimum of `page_size` in the input of `catalog.search_products` is `2`; it was `1`.",
  );
  const both = await changesOf("shop", "page_size is at least three, and 30 unless told otherwise.");
  expect(both === undefined || both.includes("minimum")).toBe(true);
});
