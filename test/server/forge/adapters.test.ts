import { expect, test } from "vitest";
import { describeDelay } from "../../../server/forge/adapters.ts";

const config = { fetchInterval: 60 };
const createWebhooks = () => {
  throw new TypeError("nothing is delivered here");
};

test.each([
  [
    { connection: { createWebhooks }, upstream: {} },
    "by webhooks, mostly within a second; the repository is also read every 60 s",
  ],
  [
    { connection: {}, upstream: { path: "/srv/agent" } },
    "at once, because the folder is watched; the repository is also read every 60 s",
  ],
  [{ connection: {}, upstream: {} }, "by polling: the repository is read every 60 s (CAIRN_FETCH_INTERVAL)"],
])("pushes to %j are noticed %s", (repository, said) => {
  expect(describeDelay({ config, ...repository })).toBe(`Pushes are noticed ${said}`);
});
