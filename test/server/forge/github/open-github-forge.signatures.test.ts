import { describe, expect, test } from "vitest";
import type { GitHubHost } from "../../../stand-ins/github/start-github-host.ts";
import { green, proposal, texts } from "../contract/steps.ts";
import { shareGitHub } from "../share-github.ts";

const { begin, change: make, rule } = shareGitHub();

describe("signed commits", () => {
  test("are what GitHub is asked to make where a branch takes no others, and they land", async () => {
    const { bench, host, from, head, pull, land } = await begin({ type: "required_signatures" });
    expect(host.state.signed.has(head)).toBe(true);
    expect(await host.state.git.git(["log", "-1", "--format=%P", head])).toBe(from);
    expect(await host.state.git.git(["log", "-1", "--format=%B", head])).toBe(`${pull.title}\n\nIt is asked for.`);
    expect((await land()).outcome).toBe("merged");
    expect([...(await bench.read("refs/heads/main")).keys()]).toContain(`${pull.head.slice("proposal/".length)}.txt`);
  });

  test("are made once, also when an answer is lost", async () => {
    const { forge, host, bench } = await begin({ type: "required_signatures" });
    const from = (await bench.find("main")) ?? "";
    host.faults.order({ route: "POST /graphql", kind: "reset", done: true });
    const change = await forge.propose(proposal("signed-again", from, { "again.txt": "again" }));
    expect(await host.state.git.git(["rev-list", "--count", `${from}..${change.branch}`])).toBe("1");
  });

  test("that change nothing or write executable files are refused, and leave no branch", async () => {
    const { forge, bench } = await begin({ type: "required_signatures" });
    const from = (await bench.find("main")) ?? "";
    for (const [key, files, message] of [
      ["same", { "b.txt": "b\n" }, "would change nothing"],
      ["executable", { "bin/run": "#!/bin/sh\nexit\n" }, "`bin/run`"],
    ] as const) {
      const refused = forge.propose(proposal(`signed-${key}`, from, files));
      await expect(refused).rejects.toMatchObject({ name: "CONFLICT", message: expect.stringContaining(message) });
      expect(await bench.find(`proposal/signed-${key}`)).toBeUndefined();
    }
  });
});

describe("revisions where a branch takes signed commits alone", () => {
  const SIGNED = { type: "required_signatures" };
  const show = (host: GitHubHost, oid: string) => host.state.git.git(["log", "-1", "--format=%P %s", oid]);

  test("are signed, and undo what they do not have of the change before", async () => {
    const bench = await rule(SIGNED);
    const { forge, host } = bench;
    await bench.push("main", { "old.txt": "old", "gone.txt": "gone", "kept.txt": "kept" });
    const files = { "old.txt": "changed", "gone.txt": null, "kept.txt": null, "extra.txt": "extra", "both.txt": "1" };
    const made = await make(bench, files);
    const { key: _key, base: _base, ...next } = proposal("any", made.from, { "both.txt": "2", "kept.txt": null });
    await forge.revise(made.change, { ...next, expectHead: made.head });
    const { head } = await forge.status(made.change);
    expect(host.state.signed.has(head)).toBe(true);
    expect(await show(host, head)).toBe(`${made.head} Change any`);
    const changed = await host.state.git.git(["diff", "--name-status", made.from, head]);
    expect(changed.split("\n")).toEqual(["A\tboth.txt", "D\tkept.txt"]);
    expect((await texts(bench, head))["both.txt"]).toBe("2");
    await green(bench, head);
    expect((await forge.land(made.change, { expectHead: head, mode: "now" })).outcome).toBe("merged");
  });

  test("are made once, also when an answer is lost", async () => {
    const bench = await rule(SIGNED);
    const { forge, host } = bench;
    const made = await make(bench, { "lost.txt": "1" });
    const { key: _key, base: _base, ...next } = proposal("any", made.from, { "lost.txt": "2" });
    host.faults.order({ route: "POST /graphql", kind: "reset", done: true });
    await forge.revise(made.change, { ...next, expectHead: made.head });
    expect(await show(host, made.change.branch)).toBe(`${made.head} Change any`);
  });

  test("are refused where they would bring in the base, or write executable files", async () => {
    const bench = await rule(SIGNED);
    const { forge } = bench;
    await bench.push("main", { "run.sh": { executable: "1" } });
    const made = await make(bench, { "run.sh": null, "b.txt": "1" });
    const revise = (from: string, files: Readonly<Record<string, string>>) => {
      const { key: _key, base: _base, ...next } = proposal("any", from, files);
      return forge.revise(made.change, { ...next, expectHead: made.head });
    };
    const conflict = (message: string) => ({ name: "CONFLICT", message: expect.stringContaining(message) });
    await expect(revise(made.from, { "b.txt": "2" })).rejects.toMatchObject(conflict("executable files: `run.sh`"));
    const moved = await bench.push("main", { "theirs.txt": "theirs" });
    await expect(revise(moved, { "b.txt": "2" })).rejects.toMatchObject(conflict("brings in its base"));
    await expect(revise(made.from, { "b.txt": "2", "run.sh": "1" })).rejects.toMatchObject(conflict("executable"));
  });

  test("leave a branch alone to which a person has pushed in that very moment", async () => {
    const bench = await rule(SIGNED);
    const made = await make(bench, { "moment.txt": "1" });
    const { key: _key, base: _base, ...next } = proposal("any", made.from, { "moment.txt": "2" });
    bench.host.before.set("POST /graphql", () => bench.push(made.change.branch, { "moment.txt": "by a person" }));
    await expect(bench.forge.revise(made.change, { ...next, expectHead: made.head })).rejects.toMatchObject({
      name: "CONFLICT",
      message: expect.stringContaining("Somebody has pushed"),
    });
    expect((await texts(bench, made.change.branch))["moment.txt"]).toBe("by a person");
  });
});
