import { describe, expect, test } from "vitest";
import type { OpenForge } from "./bench.ts";
import { mergeable, proposal, start, texts } from "./steps.ts";

export function describeRevising(open: OpenForge): void {
  describe("revising", () => {
    test("puts other content on the branch, brings in the base, and replaces no commit", async () => {
      const { forge, from, bench } = await start(open);
      const change = await forge.propose(proposal("one", from, { "a.txt": "1\n", "c.txt": "c" }));
      const { head: first } = await forge.status(change);
      const moved = await bench.push("main", { "a.txt": "by a person\n" });
      await forge.sync([]);
      expect(await mergeable(bench, change)).toBe("conflict");
      const { key: _key, base: _base, ...next } = proposal("one", moved, { "a.txt": "2\n", "d.txt": "d" });
      await forge.revise(change, { ...next, expectHead: first });
      const { head, state } = await forge.status(change);
      expect([state, await bench.find(change.branch)]).toEqual(["open", head]);
      expect(await texts(bench, head)).toEqual({
        "a.txt": "2\n",
        "b.txt": "b\n",
        "bin/run": "#!/bin/sh\n",
        "d.txt": "d",
      });
      expect([await bench.isAncestor(first, head), await bench.isAncestor(moved, head)]).toEqual([true, true]);
      expect(await mergeable(bench, change)).toBe("yes");
    });

    test("leaves a branch alone to which a person has pushed", async () => {
      const { forge, from, bench } = await start(open);
      const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
      const { head: expectHead } = await forge.status(change);
      const pushed = await bench.push(change.branch, { "c.txt": "by a person" });
      await forge.sync([]);
      const { key: _key, base: _base, ...next } = proposal("one", from, { "c.txt": "other" });
      await expect(forge.revise(change, { ...next, expectHead })).rejects.toMatchObject({ name: "CONFLICT" });
      expect(await bench.find(change.branch)).toBe(pushed);
    });

    test("is for open changes, which are found by key; what was abandoned is known from what a person closed", async () => {
      const { forge, from } = await start(open);
      expect(await forge.find("one")).toBeUndefined();
      const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
      expect(await forge.find("one")).toMatchObject({ key: "one", base: "main", branch: change.branch });
      const { head: expectHead, isAbandoned: isOver = false } = await forge.status(change);
      await forge.abandon(change, "It is over.");
      expect([isOver, (await forge.status(change)).isAbandoned]).toEqual([false, true]);
      expect(await forge.find("one")).toMatchObject({ key: "one", branch: change.branch });
      const { key: _key, base: _base, ...next } = proposal("one", from, { "c.txt": "other" });
      await expect(forge.revise(change, { ...next, expectHead })).rejects.toMatchObject({ name: "CONFLICT" });
    });
  });
}
