import { describe, expect, test } from "vitest";
import type { CheckResult } from "../../../../server/forge/forge.ts";
import type { OpenForge } from "./bench.ts";
import { FAILURE, REQUIRED, SUCCESS, mergeable, proposal, start, texts } from "./steps.ts";

export function describeProposing(open: OpenForge): void {
  describe("proposing", () => {
    test("makes a branch with one commit, and leaves the base alone", async () => {
      const { forge, from, bench } = await start(open);
      const change = await forge.propose(proposal("one", from, { "a.txt": "one\ntwo\n3\n", "new/c.txt": "c" }));
      expect(change).toMatchObject({ key: "one", base: "main" });
      expect(await bench.find("main")).toBe(from);
      const { head, ...status } = await forge.status(change);
      expect(status).toMatchObject({ state: "open", checks: "none", required: REQUIRED, runs: [] });
      expect(await bench.find(change.branch)).toBe(head);
      expect(await bench.isAncestor(from, head)).toBe(true);
      expect(await texts(bench, head)).toEqual({
        "a.txt": "one\ntwo\n3\n",
        "b.txt": "b\n",
        "bin/run": "#!/bin/sh\n",
        "new/c.txt": "c",
      });
      expect(await mergeable(bench, change)).toBe("yes");
    });

    test("twice with one key is one change", async () => {
      const { forge, from, bench } = await start(open);
      const first = await forge.propose(proposal("one", from, { "c.txt": "c" }));
      const { head } = await forge.status(first);
      const refs = await bench.refs();
      expect(await forge.propose(proposal("one", from, { "c.txt": "c" }))).toEqual(first);
      expect((await forge.status(first)).head).toBe(head);
      expect(await bench.refs()).toEqual(refs);
    });

    test("at once with one key is one change", async () => {
      const { forge, from, bench } = await start(open);
      const twice = [proposal("one", from, { "c.txt": "c" }), proposal("one", from, { "c.txt": "c" })];
      const [first, second] = await Promise.all(twice.map((each) => forge.propose(each)));
      expect(second).toEqual(first);
      expect(await bench.refs()).toHaveLength(2);
    });

    test("on a base that has moved is possible, and says so", async () => {
      const { forge, from, bench } = await start(open);
      const moved = await bench.push("main", { "b.txt": "by a person\n" });
      await forge.sync([]);
      const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
      const { head } = await forge.status(change);
      expect(await mergeable(bench, change)).toBe("behind");
      expect(await bench.isAncestor(moved, head)).toBe(false);
      expect((await texts(bench, head))["b.txt"]).toBe("b\n");
    });

    test("from a commit that the base does not have is a CONFLICT", async () => {
      const { forge, bench } = await start(open);
      const other = await bench.push("other", { "x.txt": "x" });
      await forge.sync([]);
      await expect(forge.propose(proposal("one", other, { "c.txt": "c" }))).rejects.toMatchObject({ name: "CONFLICT" });
      expect(await bench.refs()).toEqual(["refs/heads/main", "refs/heads/other"]);
    });

    test("what changes nothing is a CONFLICT", async () => {
      const { forge, from, bench } = await start(open);
      await expect(forge.propose(proposal("one", from, { "b.txt": "b\n" }))).rejects.toMatchObject({
        name: "CONFLICT",
      });
      expect(await bench.refs()).toEqual(["refs/heads/main"]);
    });

    test("onto a branch that is not there, or from a commit that is not, is NOT_FOUND", async () => {
      const { forge, from, bench } = await start(open);
      const nowhere = { ...proposal("one", from, { "c.txt": "c" }), base: "nowhere" };
      await expect(forge.propose(nowhere)).rejects.toMatchObject({ name: "NOT_FOUND" });
      const unknown = proposal("two", "1".repeat(from.length), { "c.txt": "c" });
      await expect(forge.propose(unknown)).rejects.toMatchObject({ name: "NOT_FOUND" });
      expect(await bench.refs()).toEqual(["refs/heads/main"]);
    });

    test("keeps labels, where the forge has any", async () => {
      const { forge, from, bench } = await start(open);
      const labels = ["architect", "needs review"];
      const change = await forge.propose({ ...proposal("one", from, { "c.txt": "c" }), labels });
      if (bench.labels !== undefined) expect([...(await bench.labels(change))].sort()).toEqual(labels);
    });
  });
}

export function describeChecks(open: OpenForge): void {
  describe("checks", () => {
    test("are none, pending, red and green as they are reported", async () => {
      const { forge, from } = await start(open);
      const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
      const { head, checks } = await forge.status(change);
      const after = async (check: string, result: CheckResult) => {
        await forge.report(head, check, result);
        return (await forge.status(change)).checks;
      };
      expect(checks).toBe("none");
      expect(await after("test", { status: "in_progress" })).toBe("pending");
      expect(await after("test", SUCCESS)).toBe("pending");
      expect(await after("semver", FAILURE)).toBe("red");
      expect(await after("semver", { ...SUCCESS, conclusion: "neutral" })).toBe("green");
      expect(await after("semver", { ...SUCCESS, conclusion: "neutral" })).toBe("green");
      expect([...(await forge.status(change)).runs].sort((a, b) => (a.name < b.name ? -1 : 1))).toMatchObject([
        { name: "semver", status: "neutral" },
        { name: "test", status: "success" },
      ]);
    });

    test("of a commit can be read whether or not a change leads to it", async () => {
      const { forge, from } = await start(open);
      expect(await forge.checks(from)).toEqual([]);
      await forge.report(from, "spelling", SUCCESS);
      await forge.report(from, "test", FAILURE);
      const runs = await forge.checks(from);
      expect(new Map(runs.map(({ name, status }) => [name, status]))).toEqual(
        new Map([
          ["spelling", "success"],
          ["test", "failure"],
        ]),
      );
    });

    test("that nobody requires make nothing green, and nothing red", async () => {
      const { forge, from } = await start(open);
      const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
      const { head } = await forge.status(change);
      await forge.report(head, "spelling", SUCCESS);
      expect((await forge.status(change)).checks).toBe("none");
      await forge.report(head, "spelling", FAILURE);
      for (const check of REQUIRED) await forge.report(head, check, SUCCESS);
      expect((await forge.status(change)).checks).toBe("green");
    });
  });
}
