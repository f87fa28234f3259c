import { describe, expect, test, vi } from "vitest";
import type { OpenForge } from "./bench.ts";
import { FAILURE, PATIENCE, SUCCESS, green, mergeable, proposal, start, texts } from "./steps.ts";

export function describeLanding(open: OpenForge): void {
  describe("landing", () => {
    test("is refused while checks are missing, pending or red", async () => {
      const { forge, from, bench } = await start(open);
      const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
      const { head } = await forge.status(change);
      const land = () => forge.land(change, { expectHead: head, mode: "now" });
      expect(await land()).toMatchObject({ outcome: "blocked" });
      await forge.report(head, "semver", SUCCESS);
      expect(await land()).toMatchObject({ outcome: "blocked" });
      await forge.report(head, "test", { status: "in_progress" });
      expect(await land()).toMatchObject({ outcome: "blocked" });
      await forge.report(head, "test", FAILURE);
      expect(await land()).toMatchObject({ outcome: "blocked" });
      expect(await bench.find("main")).toBe(from);
      expect((await forge.status(change)).state).toBe("open");
    });

    test("of another head than was expected is refused, however green it is", async () => {
      const { forge, from, bench } = await start(open);
      const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
      const { head } = await forge.status(change);
      await green(bench, head);
      const pushed = await bench.push(change.branch, { "d.txt": "d" });
      await forge.sync([]);
      expect(await forge.land(change, { expectHead: head, mode: "now" })).toMatchObject({ outcome: "stale" });
      expect(await forge.status(change)).toMatchObject({ head: pushed, checks: "none", state: "open" });
      expect(await forge.land(change, { expectHead: pushed, mode: "now" })).toMatchObject({ outcome: "blocked" });
      expect(await bench.find("main")).toBe(from);
    });

    test("puts what was checked on the base, once", async () => {
      const { forge, from, bench } = await start(open);
      const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
      const { head } = await forge.status(change);
      const checked = await texts(bench, head);
      await green(bench, head);
      const landing = await forge.land(change, { expectHead: head, mode: "now" });
      const main = (await bench.find("main")) ?? "";
      expect(landing).toEqual({ outcome: "merged", oid: main });
      expect(await bench.isAncestor(from, main)).toBe(true);
      expect(await texts(bench, main)).toEqual(checked);
      expect(await forge.status(change)).toMatchObject({ state: "merged", merged: main, head });
      expect(await forge.land(change, { expectHead: head, mode: "now" })).toEqual(landing);
      expect(await forge.land(change, { expectHead: from, mode: "now" })).toMatchObject({ outcome: "stale" });
      expect(await bench.find("main")).toBe(main);
      expect(await forge.propose(proposal("one", from, { "c.txt": "c" }))).toMatchObject({ key: "one" });
      expect((await forge.status(change)).state).toBe("merged");
    });

    test("when green waits for the checks of exactly that head", async () => {
      const { forge, from, bench } = await start(open);
      const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
      const { head } = await forge.status(change);
      expect(await forge.land(change, { expectHead: from, mode: "when-green" })).toMatchObject({ outcome: "stale" });
      expect(await forge.land(change, { expectHead: head, mode: "when-green" })).toMatchObject({ outcome: "armed" });
      await forge.report(head, "semver", SUCCESS);
      expect(await bench.find("main")).toBe(from);
      await forge.report(head, "test", SUCCESS);
      await vi.waitFor(async () => expect((await forge.status(change)).state).toBe("merged"), PATIENCE);
      expect((await texts(bench, (await bench.find("main")) ?? ""))["c.txt"]).toBe("c");
    });

    test("when green happens at once when it is", async () => {
      const { forge, from, bench } = await start(open);
      const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
      const { head } = await forge.status(change);
      await green(bench, head);
      const landing = await forge.land(change, { expectHead: head, mode: "when-green" });
      expect(landing).toEqual({ outcome: "merged", oid: await bench.find("main") });
    });
  });
}

export function describeMovedBase(open: OpenForge): void {
  describe("a base that moved", () => {
    test("is brought in, checked again, and lands with both", async () => {
      const { forge, from, bench } = await start(open);
      const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
      const { head } = await forge.status(change);
      await green(bench, head);
      const pushed = await bench.push("main", { "b.txt": "by a person\n" });
      await forge.sync([]);
      expect(await mergeable(bench, change)).toBe("behind");
      expect(await forge.land(change, { expectHead: head, mode: "now" })).toMatchObject({ outcome: "behind" });
      expect(await bench.find("main")).toBe(pushed);

      const refreshed = await forge.refresh(change);
      if (refreshed.outcome !== "updated") throw new Error(refreshed.outcome);
      expect(refreshed.head).not.toBe(head);
      expect(await forge.status(change)).toMatchObject({ head: refreshed.head, checks: "none", state: "open" });
      expect(await mergeable(bench, change)).toBe("yes");
      expect(await forge.refresh(change)).toEqual({ outcome: "same", head: refreshed.head });
      expect(await forge.land(change, { expectHead: head, mode: "now" })).toMatchObject({ outcome: "stale" });
      expect(await forge.land(change, { expectHead: refreshed.head, mode: "now" })).toMatchObject({
        outcome: "blocked",
      });

      await green(bench, refreshed.head);
      const landing = await forge.land(change, { expectHead: refreshed.head, mode: "now" });
      const main = (await bench.find("main")) ?? "";
      expect(landing).toEqual({ outcome: "merged", oid: main });
      expect(await bench.isAncestor(pushed, main)).toBe(true);
      expect(await texts(bench, main)).toMatchObject({ "b.txt": "by a person\n", "c.txt": "c" });
    });

    test("in the same lines is a conflict that names its paths, and changes nothing", async () => {
      const { forge, from, bench } = await start(open);
      const change = await forge.propose(proposal("one", from, { "a.txt": "ONE\ntwo\nthree\n", "b.txt": null, c: "" }));
      const { head } = await forge.status(change);
      await green(bench, head);
      const pushed = await bench.push("main", { "a.txt": "1\ntwo\nthree\n", "b.txt": "B\n", "d.txt": "d" });
      await forge.sync([]);
      expect(await mergeable(bench, change)).toBe("conflict");
      expect(await forge.land(change, { expectHead: head, mode: "now" })).toMatchObject({ outcome: "conflict" });
      expect(await forge.refresh(change)).toEqual({ outcome: "conflict", paths: ["a.txt", "b.txt"] });
      expect((await forge.status(change)).head).toBe(head);
      expect(await bench.find("main")).toBe(pushed);
    });

    test("by another change that lands at the same moment loses neither", async () => {
      const { forge, from, bench } = await start(open);
      const changes = await Promise.all([
        forge.propose(proposal("one", from, { "c.txt": "c", "a.txt": "1\ntwo\nthree\n" })),
        forge.propose(proposal("two", from, { "d.txt": "d", "a.txt": "one\ntwo\n3\n" })),
      ]);
      const landings = await Promise.all(
        changes.map(async (change) => {
          const { head } = await forge.status(change);
          await green(bench, head);
          return forge.land(change, { expectHead: head, mode: "now" });
        }),
      );
      const outcomes = landings.map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === "merged")).toHaveLength(1);
      const late = changes.find((_, at) => outcomes[at] !== "merged");
      expect(["behind", "stale"]).toContain(outcomes.find((outcome) => outcome !== "merged"));
      if (late === undefined) throw new Error("Both have landed.");

      const first = (await bench.find("main")) ?? "";
      const refreshed = await forge.refresh(late);
      if (refreshed.outcome === "conflict") throw new Error(refreshed.paths.join());
      await green(bench, refreshed.head);
      expect(await forge.land(late, { expectHead: refreshed.head, mode: "now" })).toMatchObject({ outcome: "merged" });
      const main = (await bench.find("main")) ?? "";
      expect(await bench.isAncestor(first, main)).toBe(true);
      expect(await texts(bench, main)).toMatchObject({ "a.txt": "1\ntwo\n3\n", "c.txt": "c", "d.txt": "d" });
    });
  });
}
