import { expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf, planOf } = await openAgents(["shop"]);

test("a host is no value of a field, and is for the tool that is named", async () => {
  expect(await changesOf("shop", "Allow rates.bank.example for quote_shipping.")).toBe(
    "`orders.quote_shipping` may reach `rates.bank.example`.",
  );
  expect(await changesOf("shop", "Allow rates.bank.example for track_order.")).toBeUndefined();
  expect(
    await changesOf("shop", "Allow rates.bank.example for quote_shipping, and take api.parcelway.example off it."),
  ).toBe(
    "`orders.quote_shipping` may reach `rates.bank.example`. `orders.quote_shipping` can no longer reach `api.parcelway.example`.",
  );
  const plan = await planOf("shop", "Allow rates.bank.example for get_product.");
  expect(JSON.stringify(plan)).not.toMatch(/accepts|list of values/);
});
