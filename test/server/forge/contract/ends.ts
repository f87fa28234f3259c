import { describe, expect, test } from "vitest";
import type { OpenForge } from "./bench.ts";
import { green, proposal, start } from "./steps.ts";

export function describeEnds(open: OpenForge): void {
  describe("abandoning", () => {
    test("takes the branch away, as often as it is asked to", async () => {
      const { forge, from, bench } = await start(open);
      const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
      const { head } = await forge.status(change);
      expect(await forge.isOpen(change.number ?? 1)).toBe(true);
      await green(bench, head);
      await forge.abandon(change, "Nobody wants it.");
      await forge.abandon(change, "Nobody wants it.");
      expect(await bench.refs()).toEqual(["refs/heads/main"]);
      // Where there are no numbers, nothing of a number is ever closed.
      expect(await forge.isOpen(change.number ?? 1)).toBe(change.number === undefined);
      expect(await forge.isOpen(999_999)).toBe(change.number === undefined);
      expect(await forge.status(change)).toMatchObject({ state: "closed", head, mergeable: "unknown" });
      expect(await forge.land(change, { expectHead: head, mode: "now" })).toMatchObject({ outcome: "blocked" });
      await expect(forge.refresh(change)).rejects.toMatchObject({ name: "CONFLICT" });
      expect(await forge.propose(proposal("one", from, { "c.txt": "c" }))).toMatchObject({ key: "one" });
      expect((await forge.status(change)).state).toBe("closed");
      expect(await bench.refs()).toEqual(["refs/heads/main"]);
      expect(await bench.find("main")).toBe(from);
    });

    test("is too late for what has landed", async () => {
      const { forge, from, bench } = await start(open);
      const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
      const { head } = await forge.status(change);
      await green(bench, head);
      await forge.land(change, { expectHead: head, mode: "now" });
      const main = await bench.find("main");
      await expect(forge.abandon(change, "Too late.")).rejects.toMatchObject({ name: "CONFLICT" });
      await expect(forge.refresh(change)).rejects.toMatchObject({ name: "CONFLICT" });
      expect(await forge.status(change)).toMatchObject({ state: "merged", merged: main });
      expect(await bench.find("main")).toBe(main);
    });
  });
}

export function describeTags(open: OpenForge): void {
  describe("a tag", () => {
    test("is made once, and never moves", async () => {
      const { forge, from, bench } = await start(open);
      const later = await bench.push("main", { "b.txt": "later\n" });
      await forge.sync([]);
      expect(await forge.tag("v1.2.0", from, "Version 1.2.0")).toBe("created");
      expect(await forge.tag("v1.2.0", from, "Version 1.2.0")).toBe("same");
      expect(await forge.tag("v1.2.0", later, "Version 1.2.0")).toBe("taken");
      expect(await bench.find("refs/tags/v1.2.0")).toBe(from);
      expect(await forge.tag("v1.2.1+warm-start", later, "Version 1.2.1")).toBe("created");
    });

    test("by two at once is one's", async () => {
      const { forge, from, bench } = await start(open);
      const later = await bench.push("main", { "b.txt": "later\n" });
      await forge.sync([]);
      const answers = await Promise.all([from, later].map((oid) => forge.tag("v2.0.0", oid, "Version 2.0.0")));
      expect([...answers].sort()).toEqual(["created", "taken"]);
      expect(await bench.find("refs/tags/v2.0.0")).toBe(answers[0] === "created" ? from : later);
    });

    test("of a name that could mean something else is refused", async () => {
      const { forge, from, bench } = await start(open);
      for (const name of ["", "-d", "../main", "a..b", "v1.lock", "v1 2", "v1\n", "v1/", "@", "v1~1", "refs/tags/v1"]) {
        await expect(forge.tag(name, from, "x"), name).rejects.toMatchObject({ name: "BAD_REQUEST" });
      }
      expect(await bench.refs()).toEqual(["refs/heads/main"]);
    });

    test("for a commit that is not there is NOT_FOUND", async () => {
      const { forge, from, bench } = await start(open);
      const unknown = "1".repeat(from.length);
      await expect(forge.tag("v1.0.0", unknown, "x")).rejects.toMatchObject({ name: "NOT_FOUND" });
      expect(await bench.refs()).toEqual(["refs/heads/main"]);
    });
  });
}
