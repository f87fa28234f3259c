import { describe, expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf, firstOffered } = await openAgents([
  "clinic",
  "farm",
  "ferry",
  "kitchen",
  "library",
  "observatory",
  "parcels",
  "railway",
  "shop",
  "tickets",
]);

describe("nothing is done that a message says otherwise", () => {
  test.each([
    ["clinic", "rate limit for restock_vaccine: 30/hour"],
    ["ferry", "Lower the rate limit of find_sailings to 100 per second."],
    ["ferry", "Raise the daily cost of actors to 1000 per hour."],
    ["shop", "Make returns cost 5 euros."],
    ["shop", "Coupons may be up to 20 euros."],
    ["parcels", "Stories up to 1000 words."],
    ["library", "Bitte newsletter in enrol-reader nicht standardmäßig ausschalten."],
    ["tickets", "Merci de ne pas désactiver send_survey par défaut dans close_ticket."],
    ["tickets", "send_survey jamás debería estar desactivado por defecto en close_ticket."],
    ["kitchen", "Can you make find_goods show only what is in stock unless somebody says otherwise?"],
    ["farm", "The states of machines should be idle, busy, offline and retired."],
    ["parcels", "The marks should be fragile, keep_dry and heavy."],
    ["observatory", "The languages of guided nights should be English, French and Spanish."],
    ["shop", "Les moyens de paiement doivent être card, paypal et klarna."],
    ["observatory", "Add cash as a payment for seats."],
    ["ferry", "Set the default of channel to email. SMS only for delays."],
    ["railway", "Always print a receipt."],
    [
      "observatory",
      "We have parted with Cometwatch. Their host orbits.cometwatch.example must no longer be permitted.",
    ],
    ["parcels", "En plan_tour falta la salida de la tarde: hay que añadir evening a start."],
  ])("%s: %s", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });
});

test("a rate by the minute, and a language beside codes, are done", async () => {
  expect(await changesOf("clinic", "Raise the rate limit of restock_vaccine to 8 per minute.")).toBe(
    "The rate limit of `office.restock_vaccine` is `8`; it was `5`.",
  );
  expect(await changesOf("railway", "Add German to the languages of notices.")).toBe(
    "`control.notify_riders` accepts `de` as `language`.",
  );
  expect(await firstOffered("shop", "Make returns cost 5 euros.")).toBe(
    "The cost of `orders.request_return` is `5`; it was `3`.",
  );
});
