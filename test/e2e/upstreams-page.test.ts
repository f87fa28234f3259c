import { expect, test } from "vitest";
import { followPage } from "../helpers/follow-page.ts";

test("docs/upstreams.md: every command of the story answers as the page shows", { timeout: 180_000 }, async () => {
  expect(await followPage("docs/upstreams.md")).toBeGreaterThan(12);
});
