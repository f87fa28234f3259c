import { expect, test } from "vitest";
import { toStatus } from "../../../../server/versions/registry/registry-status.ts";
import type { Verdict } from "../../../../server/versions/registry/verdicts.ts";
import { readTagName } from "../../../../server/versions/version-name.ts";

/** Counts the unreplaced versions among tags of which some do not load. */
function countUnreplaced(tags: readonly string[], broken: readonly string[], deleted: readonly string[] = []): number {
  const versions = tags.map((tag) => ({ ...readTagName(tag), tag, commit: tag, deleted: deleted.includes(tag) }));
  const get = (commit: string) =>
    ({ ok: !broken.includes(commit), semver: commit.slice(1), problems: [] }) as unknown as Verdict;
  const given = {
    upstream: { shown: "x" },
    index: { versions, pullRequests: [], missing: new Map() },
    verdicts: { get },
    labels: { current: new Map(), problems: [] },
    revocations: { problems: [] },
  };
  return toStatus(given as unknown as Parameters<typeof toStatus>[0]).unreplaced;
}

test("a quarantined version is unreplaced until a newer one of its major version is served, or its tag is deleted", () => {
  expect(countUnreplaced(["v0.2.0"], [])).toBe(0);
  expect(countUnreplaced(["v0.3.0", "v0.2.0"], ["v0.3.0"])).toBe(1);
  expect(countUnreplaced(["v0.3.1", "v0.3.0"], ["v0.3.0"])).toBe(0);
  expect(countUnreplaced(["v0.3.1", "v0.3.0"], ["v0.3.1", "v0.3.0"])).toBe(2);
  expect(countUnreplaced(["v2.0.0", "v1.1.0", "v1.0.0"], ["v1.1.0"])).toBe(1);
  expect(countUnreplaced(["v1.1.0", "v1.0.0"], ["v1.1.0"], ["v1.1.0"])).toBe(0);
});
