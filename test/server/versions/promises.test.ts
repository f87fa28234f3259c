import { describe, expect, it } from "vitest";
import { BROKEN_BY } from "../../../server/versions/promises.ts";
import { SYSCALLS } from "../../../server/capabilities/declarations.ts";

const KEPT = SYSCALLS.slice(SYSCALLS.indexOf("work.read"));

describe("what tasks, workspaces and the repository break", () => {
  it("is the promise of a deterministic tool, but for reading the version's own commit", () => {
    expect(KEPT.filter((syscall) => !BROKEN_BY.deterministic.has(syscall))).toEqual(["repository.read"]);
    expect(SYSCALLS.filter((syscall) => !BROKEN_BY.deterministic.has(syscall))).toEqual([
      "tools.list",
      "tools.call",
      "repository.read",
    ]);
  });

  it("is the promise of no side effect, where something is left behind", () => {
    expect(KEPT.filter((syscall) => BROKEN_BY["no side effect"].has(syscall))).toEqual([
      "work.write",
      "work.execute",
      "work.approve",
      "work.propose",
      "workspace.write",
      "workspace.exec",
      "migrate",
    ]);
  });

  it("is the promise of no tenant, but for reading the version's own commit", () => {
    expect(KEPT.filter((syscall) => !BROKEN_BY["no tenant"].has(syscall))).toEqual(["repository.read"]);
  });
});
