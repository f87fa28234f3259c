import { expect, test } from "vitest";
import { followPage } from "../helpers/follow-page.ts";

test("docs/tour.md: every command answers as the page shows", { timeout: 300_000 }, async () => {
  expect(await followPage("docs/tour.md")).toBeGreaterThan(30);
});
