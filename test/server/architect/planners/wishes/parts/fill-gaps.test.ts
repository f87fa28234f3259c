import { describe, expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf } = await openAgents(["farm", "shop"]);

describe("a part of a sentence that leaves out its verb", () => {
  test("has another name and another value for what the first part says", async () => {
    const titles = "The title of `orders.track_order` is `Track`. The title of `orders.cancel_order` is `Cancel`.";
    expect(await changesOf("shop", 'Make the title of track_order "Track" and of cancel_order "Cancel".')).toBe(titles);
    expect(
      await changesOf("shop", 'The title of track_order should be "Track" and that of cancel_order "Cancel".'),
    ).toBe(titles);
    expect(await changesOf("shop", "Can you make quote_shipping cost 3 units and search_products 4?")).toBe(
      "The cost of `orders.quote_shipping` is `3`; it was `2`. The cost of `catalog.search_products` is `4`; it was `1`.",
    );
    expect(await changesOf("farm", "Point stable at 1.6.0 and lts at 1.5.2.")).toBe(
      "The label `stable` stands for 1.6.0; it stood for 1.5.2. The label `lts` stands for 1.5.2; it stood for 1.4.0.",
    );
  });

  test("gives each value to what stands behind its own as", async () => {
    const both =
      "`orders.request_return` accepts `lost` as `reason`. `orders.request_return` accepts `gift_card` as `refund_to`.";
    expect(await changesOf("shop", "request_return should accept lost as reason and gift_card as refund_to.")).toBe(
      both,
    );
    expect(await changesOf("shop", "request_return should also accept lost as reason and gift_card as refund.")).toBe(
      both,
    );
    expect([both, undefined]).toContain(
      await changesOf("shop", "Accept lost as reason of request_return and gift_card as refund_to."),
    );
  });

  test("and is never the only one that is done", async () => {
    const message = "Allow rates.bank.example for track_order, and take it off quote_shipping.";
    expect(await changesOf("shop", message)).toBeUndefined();
  });
});
