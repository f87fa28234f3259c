import { describe, expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf } = await openAgents(["farm", "shop"]);

describe("a second wish in a short part of a sentence is never left aside", () => {
  test.each([
    ["shop", "Accept klarna as payment in place_order, the voucher goes."],
    ["shop", "Add klarna to the payments of place_order, and voucher can go."],
    ["shop", "Allow klarna as payment and forget the voucher."],
    ["shop", "Nimm klarna als payment an, voucher fällt weg."],
    ["shop", "Accepte klarna comme payment, voucher disparaît."],
    ["shop", "Make stable 1.2.0, beta goes."],
    ["farm", "Move stable to 1.6.0, lts can go."],
    ["farm", "stable should be 1.6.0, lts is not needed any more."],
    ["farm", "Set max_retries to 4, backoff too."],
    ["shop", "Set the tone to friendly, style as well."],
  ])("%s: %s", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });

  test("and what is beside new values, or is the same besides, is done", async () => {
    const klarna = "`orders.place_order` accepts `klarna` as `payment`.";
    expect(await changesOf("shop", "Add klarna to the payments of place_order, next to voucher.")).toBe(klarna);
    expect(await changesOf("shop", "place_order should accept klarna too.")).toBe(klarna);
    expect(await changesOf("farm", "Move stable to 1.6.0 and lts to 1.5.2.")).toBe(
      "The label `stable` stands for 1.6.0; it stood for 1.5.2. The label `lts` stands for 1.5.2; it stood for 1.4.0.",
    );
  });
});

describe("what a message says to stay", () => {
  test("is not taken away with what goes", async () => {
    const gone = "The label `beta` stands for no version any more.";
    expect(await changesOf("shop", "Remove the label beta, stable stays.")).toBe(gone);
    expect(await changesOf("shop", "Remove the label beta, stable remains.")).toBe(gone);
    expect(await changesOf("shop", "Drop the label beta but not stable.")).toBe(gone);
    expect(await changesOf("shop", "The label beta can go, stable can stay.")).toBe(gone);
  });

  test("is not ended with what goes", async () => {
    const changes = await changesOf("farm", "Deprecate start_build, cancel_build can stay.");
    expect(changes ?? "").not.toContain("cancel_build");
  });

  test("and what is named without it goes", async () => {
    expect(await changesOf("shop", "Remove the labels stable and beta.")).toBe(
      "The label `stable` stands for no version any more. The label `beta` stands for no version any more.",
    );
  });

  test("and a value that is not meant is no default", async () => {
    expect(await changesOf("shop", "The default of sort should be newest, not relevance.")).toBe(
      "The default of `sort` in the input of `catalog.search_products` is `newest`; it was `relevance`.",
    );
  });
});

test("one value in the place of another comes only where the other one goes", async () => {
  for (const message of [
    "place_order should accept klarna instead of invoice.",
    "Accept klarna rather than invoice as payment.",
    "Acepta klarna en lugar de invoice como payment.",
  ]) {
    const changes = await changesOf("shop", message);
    expect([undefined, true]).toContain(
      changes === undefined ? undefined : changes.includes("no longer accepts `invoice`"),
    );
  }
});

test("two wishes with a verb each are not one", async () => {
  expect(
    await changesOf("shop", "Texts should be shorter, also reason must be required in cancel_order."),
  ).toBeUndefined();
  expect(await changesOf("shop", "reason must be required in cancel_order.")).toBe(
    "`reason` in the input of `orders.cancel_order` is required, and has no default any more.",
  );
});
