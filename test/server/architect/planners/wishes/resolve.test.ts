import { expect, test } from "vitest";
import { openAgents } from "../../../../helpers/open-agents.ts";

const { changesOf } = await openAgents(["example"]);

test.each([
  [
    "repository_search should allow a limit of 80, and its title should become 'Search files'",
    "The maximum of `limit` in the input of `repository_search` is `80`; it was `50`. The title of `repository_search` is `Search files`.",
  ],
  [
    "Allow a limit of up to 80 in repository_search, and change the title to 'Search files'",
    "The maximum of `limit` in the input of `repository_search` is `80`; it was `50`. The title of `repository_search` is `Search files`.",
  ],
])("a title beside a field of a tool is the title of the tool: %s", async (message, change) => {
  expect(await changesOf("example", message)).toBe(change);
});

test("whose title it is stays open where a sentence begins with neither", async () => {
  expect(
    await changesOf("example", "Raise the limit of repository_search to 80, and make its title 'Search files'"),
  ).toBeUndefined();
});
