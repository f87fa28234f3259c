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
    ["manifests/policies/server.yaml", "policy"],
    ["manifests/workflows/change.yaml", "workflow"],
    ["manifests/workflows/My flow.yaml", "unknown"],
    ["manifests/constructor/chat.yaml", "tool"],
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
    expect(toKind(path, new Set([path])).kind).toBe(kind);
  });

  it("takes `manifests/workflows/` for a server in a tree that has one of that name, as trees had before workflows", () => {
    const paths = new Set(["manifests/workflows/server.yaml", "manifests/workflows/list.all.yaml"]);
    expect([...paths].map((path) => toKind(path, paths))).toEqual([
      { kind: "server", server: "workflows" },
      { kind: "tool", server: "workflows", stem: "list.all" },
    ]);
  });
});
