import { expect, test } from "vitest";
import { groupCallers } from "../../../../console/pages/versions/group-callers.ts";

const use = (actor: string, commit: string, calls: number, at: string) => ({
  actor,
  version: "1.0.0",
  commit,
  calls,
  failed: 0,
  reads: 1,
  last_use: at,
});

test("callers of each version are those who called it, the last one first, with all their calls", () => {
  const callers = groupCallers([
    use("shop", "a", 2, "2026-01-02T00:00:00Z"),
    use("desk", "a", 1, "2026-01-04T00:00:00Z"),
    use("shop", "a", 3, "2026-01-03T00:00:00Z"),
    use("reader", "a", 0, "2026-01-05T00:00:00Z"),
    use("shop", "b", 1, "2026-01-01T00:00:00Z"),
  ]);
  expect(callers.get("a")).toEqual([
    { actor: "desk", calls: 1, last: "2026-01-04T00:00:00Z" },
    { actor: "shop", calls: 5, last: "2026-01-03T00:00:00Z" },
  ]);
  expect(callers.get("b")?.map(({ actor }) => actor)).toEqual(["shop"]);
  expect(callers.get("c")).toBeUndefined();
});
