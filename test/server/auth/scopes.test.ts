import { describe, expect, test } from "vitest";
import { LOCAL_CALLER } from "../../../server/auth/caller.ts";
import { requireScope, VERSIONS_READ, VERSIONS_REFRESH } from "../../../server/auth/scopes.ts";

const withScopes = (...scopes: string[]) => ({ ...LOCAL_CALLER, scopes: new Set(scopes) });

describe("a scope", () => {
  test("is needed by its own name, or as `*` for all", () => {
    expect(() => requireScope(withScopes("runner"), "runner")).not.toThrow();
    expect(() => requireScope(withScopes("*"), VERSIONS_REFRESH)).not.toThrow();
  });

  test.each([[[]], [["runner2", "run", "Runner", "r*"]], [[VERSIONS_READ, VERSIONS_REFRESH]]])(
    "is not held by %j",
    (scopes) => {
      expect(() => requireScope(withScopes(...scopes), "runner")).toThrow(
        expect.objectContaining({ name: "INSUFFICIENT_SCOPE", details: { scope: "runner" } }),
      );
    },
  );
});
