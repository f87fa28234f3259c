import { describe, expect, it } from "vitest";
import { toKind } from "../../../../server/versions/manifests/to-kind.ts";

describe("toKind", () => {
  it.each([
    ["versions.yaml", "versions"],
    ["manifests/agent.yaml", "agent"],
    ["manifests/runner/server.yaml", "server"],
    ["manifests/runner/a.b-c.yaml", "tool"],
    ["manifests/parameters/forecast.yaml", "parameters"],
    ["manifests/policies/default.yaml", "policy"],
    ["tools/runner/chat.ts", "handler"],
    ["tools/runner/_chat.ts", "library"],
    ["tools/_lib/a.ts", "library"],
    ["tools/_lib/a/b/c.ts", "library"],
    ["tools/runner/types.d.ts", "other"],
    ["tools/README.md", "other"],
    ["tools/tsconfig.json", "other"],
    ["schemas/tool.schema.json", "other"],
    ["tools/index.ts", "unknown"],
    ["tools/runner/chat.tsx", "unknown"],
    ["tools/runner/chat.mjs", "unknown"],
    ["manifests/Runner/chat.yaml", "unknown"],
    ["manifests/.hidden.yaml", "unknown"],
  ])("takes %s for: %s", (path, kind) => {
    expect(toKind(path).kind).toBe(kind);
  });
});
