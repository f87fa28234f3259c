import { expect, test } from "vitest";
import { followPage } from "../helpers/follow-page.ts";

test("docs/architect.md: every command answers as the page shows", { timeout: 180_000 }, async () => {
  expect(await followPage("docs/architect.md")).toBeGreaterThan(7);
});
