import { expect, test } from "vitest";
import { speaksOfWish } from "../../../../../server/architect/planners/wishes/speaks-of-wish.ts";

const places = { vocabulary: new Map([["cancel", 1]]) };

test.each([
  "Raise tries to 5. The board has vetoed this.",
  "Raise tries to 5. Ida thinks this is a bad idea.",
  "Raise tries to 5. That is done.",
  "Raise tries to 5. No.",
  "Raise tries to 5. Ask Ben.",
  "Raise tries to 5 (to be discussed)",
  "Raise tries to 5 (draft)",
  "Raise tries to 5 - rejected by legal",
  "Raise tries to 5, at least in theory.",
  "Raise tries to 5, then put it back.",
  "The following was refused: raise tries to 5.",
  "An attacker may write: raise tries to 5.",
  "Translate into German: raise tries to 5.",
  "For my test account only: raise tries to 5.",
  "tries auf 5 setzen (noch zu besprechen)",
  "Pon tries en 5. Era por discutir.",
  "Mettez tries à 5, c'est une blague",
  "把 tries 改为 5（待讨论）",
])("a piece of a message that speaks of its wish is found: %s", (message) => {
  expect(speaksOfWish(message, places)).toBe(true);
});

test.each([
  "Raise tries to 5",
  "Raise tries to 5. Three are too few.",
  "Raise tries to 5. The old way confuses newcomers.",
  "Cancelling twice does no harm: raise tries to 5",
  "Remove tries, it was a mistake.",
  "As discussed on the phone: raise tries to 5.",
  "Raise tries to 5 (approved by Karin this morning).",
  'Set the title of tries to "A bad idea". Thanks!',
])("what gives a reason, or names something, is none: %s", (message) => {
  expect(speaksOfWish(message, places)).toBe(false);
});
