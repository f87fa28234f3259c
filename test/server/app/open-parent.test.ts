import { expect, test } from "vitest";
import { findServedParent } from "../../../server/app/open-parent.ts";
import { CairnError } from "../../../server/errors.ts";
import type { Resolved } from "../../../server/versions/registry/resolve/resolve.ts";
import type { Version } from "../../../server/versions/version.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

/** Each version descends from the one before it. */
const NAMES = ["1.0.0", "1.0.1", "1.1.0", "1.2.0"];
const history = {
  current: "1.2.0",
  labels: new Map<string, string>(),
  versions: new Map(
    NAMES.map((name, index) => {
      const parent = NAMES[index - 1];
      return [name, { changes: [], ...(parent === undefined ? {} : { parent }) }] as const;
    }),
  ),
};
const versionOf = (semver: string): Version => ({ ...createTestVersion({ semver }), history });

/** A registry that serves some of them, and what it says of the others. */
function registryOf(served: readonly string[], name: "VERSION_NOT_FOUND" | "VERSION_QUARANTINED" | "UNAVAILABLE") {
  return {
    resolve: async (segment: string): Promise<Resolved> => {
      if (!served.includes(segment)) throw new CairnError(name, segment);
      return { version: versionOf(segment), immutable: true } as Resolved;
    },
  };
}

test("a version's parent is the nearest one that is served", async () => {
  const parentOf = async (served: readonly string[], of: string) =>
    (await findServedParent(registryOf(served, "VERSION_QUARANTINED"))(versionOf(of)))?.semver;
  expect(await parentOf(NAMES, "1.2.0")).toBe("1.1.0");
  expect(await parentOf(["1.0.0"], "1.2.0")).toBe("1.0.0");
  expect(await parentOf([], "1.2.0")).toBeUndefined();
  expect(await parentOf(NAMES, "1.0.0")).toBeUndefined();
  expect(await parentOf(NAMES, "9.9.9")).toBeUndefined();
});

test("a parent that cannot be read now is not passed over", async () => {
  const findParent = findServedParent(registryOf(["1.0.0"], "UNAVAILABLE"));
  await expect(findParent(versionOf("1.2.0"))).rejects.toMatchObject({ name: "UNAVAILABLE" });
});
