import { expect, test } from "vitest";
import { followPage } from "../helpers/follow-page.ts";

test("docs/team.md: every command of the month answers as the page shows", { timeout: 180_000 }, async () => {
  expect(await followPage("docs/team.md")).toBeGreaterThan(40);
});
