import { execFileSync } from "node:child_process";
import { chmod, mkdir, readFile, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import { eventually } from "../../../helpers/eventually.ts";
import { startGitServer } from "../../../helpers/git-server.ts";
import { createRepository, openRepository, versionFiles } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { type TestRegistry, loadTestVersion, openTestRegistry } from "../registry/open-test-registry.ts";

async function names(registry: TestRegistry, includeUnstable = false): Promise<string[]> {
  const { versions } = await registry.list({ limit: 1_000, offset: 0, includeUnstable });
  return versions.map(({ tag, pullRequest }) => tag ?? `#${pullRequest}`);
}

async function commitOf(registry: TestRegistry, segment: string): Promise<string> {
  return (await registry.resolve(segment)).version.commit;
}

function kinds(registry: TestRegistry): string[] {
  return registry.events.map((event) => {
    if (event.kind === "added" || event.kind === "quarantined") return `${event.kind} ${event.record.tag}`;
    return event.kind === "alarm" ? `${event.alarm.kind} ${event.tag}` : event.kind;
  });
}

describe("following tags", () => {
  test("[D4] a tag pushed from a clone is served without a restart", async () => {
    const origin = await temporaryFolder();
    execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", origin]);
    const registry = await openTestRegistry(origin, { limits: { watch: true } });
    expect(await names(registry)).toEqual([]);
    const clone = await createRepository();
    const first = await clone.release("1.0.0");
    await clone.git("push", "--quiet", origin, "main", "v1.0.0");
    await eventually(() => expect(kinds(registry)).toContain("added v1.0.0"));
    expect(await commitOf(registry, "latest")).toBe(first);
    const second = await clone.release("1.1.0");
    await clone.git("push", "--quiet", origin, "v1.1.0");
    await eventually(() => expect(kinds(registry)).toContain("added v1.1.0"));
    expect(await commitOf(registry, "latest")).toBe(second);
  });

  test("hears of packed, nested and deleted refs of a local repository without polling", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    await repository.release("1.1.0");
    const registry = await openTestRegistry(repository.path, { limits: { watch: true } });
    await repository.git("pack-refs", "--all");
    const packed = await repository.release("1.2.0");
    await eventually(() => expect(kinds(registry)).toContain("added v1.2.0"));
    // In packed-refs alone, then gone from there.
    await repository.git("tag", "--delete", "v1.1.0");
    await eventually(() => expect(kinds(registry)).toContain("deleted v1.1.0"));
    // Another program than git may do without touching the tags' folder.
    await repository.git("pack-refs", "--all");
    for (const _ of [1, 2]) await registry.refresh();
    const packedRefs = join(repository.path, ".git/packed-refs");
    const lines = (await readFile(packedRefs, "utf8")).split("\n");
    await writeFile(`${packedRefs}.new`, lines.filter((line) => !line.endsWith("refs/tags/v1.0.0")).join("\n"));
    await rename(`${packedRefs}.new`, packedRefs);
    await eventually(() => expect(kinds(registry)).toContain("deleted v1.0.0"));
    await repository.git("update-ref", "refs/pull/7/head", packed);
    await repository.git("branch", "deep/er/branch");
    const hidden = await repository.git("commit-tree", "-m", "x", `${packed}^{tree}`);
    await repository.git("update-ref", "refs/pull/8/head", hidden);
    await eventually(() => expect(registry.status().pullRequests).toBe(1));
    expect(await names(registry)).toEqual(["v1.2.0"]);
  });

  test("annotated, lightweight and nested tags mean the commit they end at", async () => {
    const repository = await createRepository();
    const commit = await repository.commit(versionFiles("1.0.0"));
    await repository.tag("inner", commit, { annotated: true });
    await repository.tag("v1.0.0", "inner", { annotated: true });
    await repository.tag("v1.0.0+light", commit);
    await repository.tag("v1.0.0+heavy", commit, { annotated: true });
    const registry = await openTestRegistry(repository.path);
    expect(await names(registry)).toHaveLength(3);
    for (const name of ["1.0.0", "1.0.0+light", "1.0.0+heavy"]) expect(await commitOf(registry, name)).toBe(commit);
    const { record } = await registry.resolve("1.0.0+heavy");
    // When the tag was made, not the commit.
    expect(record).toMatchObject({ tag: "v1.0.0+heavy", build: "heavy", createdAt: "2026-01-01T00:05:00.000Z" });
    await registry.refresh();
    expect(registry.status().alarms).toEqual(new Map());
  });

  test("tags that name no version are ignored", async () => {
    const repository = await createRepository();
    const commit = await repository.release("1.0.0");
    for (const tag of ["1.1.0", "v1.2", "v01.3.0", "v1.4.0.0", "release", "v99999999999999999999.0.0"]) {
      await repository.tag(tag, commit);
    }
    const registry = await openTestRegistry(repository.path);
    expect(await names(registry, true)).toEqual(["v1.0.0"]);
    expect(registry.status().alarms.size).toBe(0);
  });

  test("[V8] a tag of a tree or a file is quarantined, and harms nothing", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    await repository.tag("v1.1.0", "HEAD^{tree}");
    await repository.tag("v1.2.0", "HEAD:versions.yaml", { annotated: true });
    const registry = await openTestRegistry(repository.path);
    expect(await names(registry)).toEqual(["v1.0.0"]);
    expect(await names(registry, true)).toEqual(["v1.2.0", "v1.1.0", "v1.0.0"]);
    await expect(registry.resolve("1.1.0")).rejects.toMatchObject({
      name: "VERSION_QUARANTINED",
      message: expect.stringContaining("The tag `v1.1.0` points at a tree, not at a commit."),
    });
    await expect(registry.resolve("1.2.0")).rejects.toThrow("points at a blob");
    expect((await registry.resolve("latest")).record.tag).toBe("v1.0.0");
    // Looking at it again does not help.
    await registry.refresh();
    expect(registry.events.filter(({ kind }) => kind === "quarantined")).toHaveLength(0);
    await repository.tag("v1.3.0", "HEAD^{tree}");
    await registry.refresh();
    expect(kinds(registry)).toEqual(["quarantined v1.3.0"]);
  });

  test("[D4] [V8] a broken version is quarantined with its problems, and harms nothing", async () => {
    const repository = await createRepository();
    const good = await repository.release("1.0.0");
    const registry = await openTestRegistry(repository.path);
    const bad = await repository.release("1.1.0", { "manifests/broken.yaml": "x" });
    await registry.refresh();
    expect(kinds(registry)).toEqual(["quarantined v1.1.0"]);
    await expect(registry.resolve("1.1.0")).rejects.toMatchObject({
      name: "VERSION_QUARANTINED",
      message: "Version `1.1.0` is not served. manifests/broken.yaml:1:1: manifests/broken.yaml is broken",
      details: { version: "1.1.0", commit: bad, problems: [{ file: "manifests/broken.yaml", fix: "Mend it." }] },
    });
    await expect(registry.resolve(bad)).rejects.toMatchObject({ name: "VERSION_QUARANTINED" });
    expect(await commitOf(registry, "latest")).toBe(good);
    expect(await commitOf(registry, "^1")).toBe(good);
  });

  test("[V8] a tag that contradicts versions.yaml is quarantined; its commit is served by another", async () => {
    const repository = await createRepository();
    const commit = await repository.release("1.0.0");
    await repository.tag("v1.1.0", commit);
    await repository.tag("v1.1.0+warm-start", commit);
    await repository.tag("v1.0.0+warm-start", commit);
    const registry = await openTestRegistry(repository.path);
    await expect(registry.resolve("1.1.0")).rejects.toMatchObject({
      name: "VERSION_QUARANTINED",
      details: {
        problems: [
          {
            file: "versions.yaml",
            rule: "tag-mismatch",
            message: "The tag `v1.1.0` names version `1.1.0`, but `current` is `1.0.0` at this commit.",
          },
        ],
      },
    });
    await expect(registry.resolve("1.1.0+warm-start")).rejects.toThrow("names version `1.1.0`");
    expect(await commitOf(registry, "1.0.0+warm-start")).toBe(commit);
    expect((await registry.resolve(commit)).record.tag).toBe("v1.0.0");
    expect(await names(registry)).toEqual(["v1.0.0", "v1.0.0+warm-start"]);
  });

  test("[V1] [V8] a moved tag keeps meaning its first commit, across restarts, and raises an alarm", async () => {
    const repository = await createRepository();
    const first = await repository.release("1.0.0");
    const registry = await openTestRegistry(repository.path);
    const second = await repository.commit({ ...versionFiles("1.0.0"), "manifests/other.yaml": "x" });
    await repository.tag("v1.0.0", second, { annotated: true });
    expect(await registry.refresh()).toMatchObject({ ok: true, added: [] });
    const alarm = { kind: "moved", commit: first, upstreamCommit: second };
    expect(registry.events).toMatchObject([{ kind: "alarm", tag: "v1.0.0", alarm }]);
    await repository.git("gc", "--prune=now", "--quiet");
    await openRepository(registry.mirror).git("gc", "--prune=now", "--quiet");
    await registry.close();

    const again = await openTestRegistry(repository.path, { data: registry.data });
    expect(await again.resolve("1.0.0")).toMatchObject({ version: { commit: first }, record: { alarms: [alarm] } });
    const { alarms } = again.status();
    await again.refresh();
    expect(again.events).toEqual([]);
    expect(again.status().alarms).toBe(alarms);
    expect(again.status().alarms.get("v1.0.0")).toMatchObject(alarm);
    await repository.tag("v1.0.0", first);
    await again.refresh();
    expect(kinds(again)).toEqual(["alarm-over"]);
    expect((await again.resolve("1.0.0")).record.alarms).toEqual([]);
  });

  test("a tag made again for the same commit is no alarm", async () => {
    const repository = await createRepository();
    const commit = await repository.release("1.0.0");
    const registry = await openTestRegistry(repository.path);
    await repository.tag("v1.0.0", commit, { annotated: true });
    await registry.refresh();
    expect(registry.events).toEqual([]);
    expect(registry.status().alarms.size).toBe(0);
  });

  test("[V1] a deleted tag answers those who pinned it, and labels, and nobody else, also when the upstream is away", async () => {
    const path = join(await temporaryFolder(), "upstream");
    const repository = await createRepository(path);
    const older = await repository.release("1.0.0");
    const newer = await repository.release("1.1.0", { "versions.yaml": "current: 1.1.0\nlabels: { stable: 1.1.0 }\n" });
    const registry = await openTestRegistry(path);
    expect((await registry.resolve("stable")).record.labels).toEqual(["stable"]);
    await repository.git("tag", "--delete", "v1.1.0");
    await registry.refresh();
    const check = async (opened: TestRegistry) => {
      expect(await opened.resolve("1.1.0")).toMatchObject({
        version: { commit: newer },
        immutable: true,
        record: { alarms: [{ kind: "deleted", commit: newer }], labels: ["stable"] },
      });
      expect(await commitOf(opened, newer)).toBe(newer);
      for (const segment of ["latest", "^1", "1.x"]) expect(await commitOf(opened, segment)).toBe(older);
      expect(await names(opened, true)).toEqual(["v1.0.0"]);
      // A label is never dead: its callers go on with what it meant.
      expect(await commitOf(opened, "stable")).toBe(newer);
      expect(opened.status().labelProblems.map(({ message }) => message)).toEqual([
        "The label `stable` stands for `1.1.0`, whose tag was deleted upstream; it goes on from the copy.",
      ]);
    };
    await check(registry);
    await registry.close();
    await rename(path, `${path}.away`);
    await check(await openTestRegistry(path, { data: registry.data }));
  });

  test("a thousand tags at once are brought in together", async () => {
    const repository = await createRepository();
    await repository.release("0.0.1");
    const registry = await openTestRegistry(repository.path, { limits: { sweep: true } });
    const lines = Array.from({ length: 1_000 }, (_, at) => {
      const yaml = `current: 1.${at}.0\n`;
      const commit = `commit refs/heads/many\ncommitter A <a@b> ${1_800_000_000 + at} +0000\ndata 0\n`;
      return `${commit}M 100644 inline versions.yaml\ndata ${yaml.length}\n${yaml}\nreset refs/tags/v1.${at}.0\nfrom refs/heads/many\n\n`;
    });
    execFileSync("git", ["-C", repository.path, "fast-import", "--quiet"], { input: lines.join("") });
    const result = await registry.refresh();
    expect(result.added).toHaveLength(1_000);
    expect((await registry.resolve("latest")).record.tag).toBe("v1.999.0");
    expect(registry.status()).toMatchObject({ versions: 1_001, quarantined: 0 });
    // Newest first, in the background.
    await eventually(() => expect(registry.loads.length).toBeGreaterThan(20));
    const swept = await Promise.all(registry.loads.slice(2, 12).map((commit) => registry.resolve(commit)));
    const minors = swept.map(({ record }) => Number(record.semver?.split(".")[1]));
    expect(minors.every((minor) => minor > 950)).toBe(true);
  });
});

describe("following branches and pull requests", () => {
  test("[V3] commits of branches and pull requests can be read while a ref leads to them, and not called", async () => {
    const repository = await createRepository();
    const base = await repository.release("1.0.0");
    const early = await repository.commit({ "manifests/a.yaml": "1" });
    const head = await repository.commit({ "manifests/a.yaml": "2" });
    await repository.git("update-ref", "refs/pull/12/head", head);
    await repository.git("branch", "feature", early);
    await repository.git("reset", "--quiet", "--hard", base);
    const registry = await openTestRegistry(repository.path);
    expect(await registry.inspect(head)).toMatchObject({
      immutable: false,
      version: { commit: head, semver: "1.0.0" },
      record: { pullRequest: 12, semver: "1.0.0", state: "unserved" },
    });
    expect((await registry.inspect(early.slice(0, 7))).version.commit).toBe(early);
    for (const commit of [head, early]) {
      await expect(registry.resolve(commit)).rejects.toMatchObject({ name: "VERSION_NOT_SERVED" });
    }
    expect((await registry.list({ limit: 9, offset: 0, includeUnstable: true })).versions).toMatchObject([
      { tag: "v1.0.0" },
      { pullRequest: 12, commit: head, state: "unserved" },
    ]);
    await repository.git("update-ref", "-d", "refs/pull/12/head");
    await repository.git("branch", "-D", "feature");
    await registry.refresh();
    await expect(registry.inspect(head)).rejects.toMatchObject({ name: "VERSION_NOT_FOUND" });
    await expect(registry.inspect(early)).rejects.toThrow("no branch, tag or pull request leads to that commit");
    expect(await commitOf(registry, base)).toBe(base);
  });

  test("a branch may become a folder of branches", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    await repository.git("branch", "topic");
    const registry = await openTestRegistry(repository.path);
    await repository.git("branch", "-D", "topic");
    const commit = await repository.commit({ "manifests/a.yaml": "1" });
    await repository.git("branch", "topic/one");
    await repository.git("reset", "--quiet", "--hard", "HEAD~1");
    expect(await registry.refresh()).toMatchObject({ ok: true, failed: new Map() });
    expect((await registry.inspect(commit)).version.commit).toBe(commit);
  });

  test("[D6] labels are those of the default branch; what cannot be understood leaves them alone, across restarts", async () => {
    const repository = await createRepository();
    const one = await repository.release("1.0.0");
    const two = await repository.release("1.1.0", {
      "versions.yaml": "current: 1.1.0\nlabels: { stable: 1.0.0, next: 1.1.0 }\n",
    });
    const registry = await openTestRegistry(repository.path);
    expect(await commitOf(registry, "stable")).toBe(one);
    expect(await registry.resolve("next")).toMatchObject({ version: { commit: two }, immutable: false });
    await repository.commit({ "versions.yaml": "current: 1.1.0\nlabels: { stable: 1.1.0 }\n" });
    await registry.refresh();
    expect(await commitOf(registry, "stable")).toBe(two);
    expect(kinds(registry)).toEqual(["labels"]);
    await repository.commit({ "versions.yaml": "nonsense" });
    await registry.refresh();
    expect(await commitOf(registry, "stable")).toBe(two);
    expect(registry.status().labelProblems).toMatchObject([{ file: "versions.yaml" }]);
    await registry.close();
    const again = await openTestRegistry(repository.path, { data: registry.data });
    expect(await commitOf(again, "stable")).toBe(two);
    expect(again.status().labelProblems).toHaveLength(1);
  });

  test("labels that are not understood, or name what is not there, are said once, and when that is over", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0", { "versions.yaml": "current: 1.0.0\nlabels: { stable: 1.0.0 }\n" });
    const registry = await openTestRegistry(repository.path);
    const said = () => registry.events.flatMap((event) => (event.kind === "label-problems" ? [event.problems] : []));
    const change = async (text: string) => {
      await repository.commit({ "versions.yaml": text });
      await registry.refresh();
    };
    expect(registry.status().labelProblems).toEqual([]);
    await change("nonsense");
    expect(said()).toMatchObject([[{ file: "versions.yaml", message: "versions.yaml has no `current`" }]]);
    expect(registry.status().labelProblems).toEqual(said()[0]);
    await registry.refresh();
    await change(`current: 1.1.0\nlabels: { stable: 1.0.0, next: 1.1.0, odd: "${"0".repeat(40)}" }\n`);
    expect(said()[1]?.map(({ message }) => message)).toEqual([
      "The label `next` stands for `1.1.0`, of which there is no tag yet.",
      `The label \`odd\` stands for \`${"0".repeat(40)}\`, and there is no such commit.`,
    ]);
    await expect(registry.resolve("next")).rejects.toThrow("the label says `1.1.0`, which no tag names yet");
    await change("current: 1.1.0\nlabels: { stable: 1.0.0, next: 1.1.0 }\n");
    await repository.tag("v1.1.0");
    await registry.refresh();
    expect(
      said()
        .slice(2)
        .map((problems) => problems.length),
    ).toEqual([1, 0]);
    expect(await registry.resolve("next")).toMatchObject({ version: { semver: "1.1.0" } });
  });

  test("[D6] a label that is moved to what is not served stays where it was, across restarts", async () => {
    const repository = await createRepository();
    const say = (label: string) => ({ "versions.yaml": `current: 1.0.0\nlabels: { stable: ${label} }\n` });
    const one = await repository.release("1.0.0", say("1.0.0"));
    const registry = await openTestRegistry(repository.path);
    await repository.git("checkout", "--quiet", "-b", "topic");
    const stray = await repository.commit({ "manifests/a.yaml": "1" });
    await repository.git("checkout", "--quiet", "main");
    const check = async (opened: TestRegistry, message: RegExp) => {
      expect(await commitOf(opened, "stable")).toBe(one);
      expect(opened.status().labelProblems.map((problem) => problem.message)).toEqual([expect.stringMatching(message)]);
    };
    for (const [label, message] of [
      ["1.1.0", /of which there is no tag yet/],
      ["f".repeat(40), /there is no such commit/],
      [stray, /stays at `1.0.0`, because .* is not served/],
    ] as const) {
      await repository.commit(say(label));
      await registry.refresh();
      await check(registry, message);
    }
    await registry.close();
    await check(await openTestRegistry(repository.path, { data: registry.data }), /is not served/);
  });

  test("a label that has the id of an annotated tag stands for the commit of the tag", async () => {
    const repository = await createRepository();
    const commit = await repository.commit({ "versions.yaml": "current: 1.0.0\n" });
    await repository.git("tag", "--annotate", "--message", "v1.0.0", "v1.0.0");
    const tag = (await repository.git("rev-parse", "v1.0.0")).trim();
    expect(tag).not.toBe(commit);
    await repository.commit({ "versions.yaml": `current: 1.0.0\nlabels: { stable: "${tag}" }\n` });
    const registry = await openTestRegistry(repository.path);
    expect(await commitOf(registry, "stable")).toBe(commit);
    expect(registry.status()).toMatchObject({ labelProblems: [], labels: new Map([["stable", commit]]) });
  });

  test("a bare repository whose HEAD names no branch has its labels on main", async () => {
    const origin = await temporaryFolder();
    execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=elsewhere", origin]);
    const clone = await createRepository();
    const commit = await clone.release("1.0.0", { "versions.yaml": "current: 1.0.0\nlabels: { stable: 1.0.0 }\n" });
    await clone.git("push", "--quiet", origin, "main", "v1.0.0");
    const registry = await openTestRegistry(origin);
    expect(await commitOf(registry, "stable")).toBe(commit);
  });
});

describe("an upstream in trouble", () => {
  test("at the first start is an error without passwords", async () => {
    const repository = await createRepository();
    const server = await startGitServer(repository.path);
    server.password = "secret";
    const url = server.url.replace("http://", "http://ada:wrong@");
    const error: unknown = await openTestRegistry(url).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: "UPSTREAM_ERROR", message: expect.stringContaining("http://***@127.0.0.1") });
    expect(String(error)).not.toContain("wrong");
    const data = await temporaryFolder();
    await expect(openTestRegistry(join(data, "nothing"), { data })).rejects.toThrow(
      /cannot be read: `git ls-remote` failed/,
    );
    expect(await readdir(data)).toEqual(["store"]);
    // Once it is there, the same data folder will do.
    const path = join(data, "nothing");
    const late = await (await createRepository(path)).release("1.0.0");
    expect(await commitOf(await openTestRegistry(path, { data }), "1.0.0")).toBe(late);
  });

  test("over http with a password is served, and away leaves what is here, before and after a restart", async () => {
    const repository = await createRepository();
    const first = await repository.release("1.0.0");
    const server = await startGitServer(join(repository.path, ".git"));
    server.password = "secret";
    const url = server.url.replace("http://", "http://ada:secret@");
    let now = Date.UTC(2026, 5, 1);
    const registry = await openTestRegistry(url, { now: () => now });
    expect(await commitOf(registry, "1.0.0")).toBe(first);
    expect(registry.status().upstream).toBe(server.url.replace("http://", "http://***@"));
    expect(await readFile(join(registry.mirror, "config"), "utf8")).not.toContain("secret");
    server.fail = { kind: "down" };
    now += 60_000;
    expect(await registry.refresh()).toMatchObject({ ok: false, message: expect.stringContaining("git ls-remote") });
    now += 60_000;
    await registry.refresh();
    expect(await commitOf(registry, "latest")).toBe(first);
    expect(registry.status()).toMatchObject({
      lastSuccess: "2026-06-01T00:00:00.000Z",
      failingSince: "2026-06-01T00:01:00.000Z",
      lastFailure: { at: "2026-06-01T00:02:00.000Z" },
    });
    await expect(registry.resolve("9.9.9")).rejects.toThrow("could not be read since 2026-06-01T00:01:00.000Z");
    await registry.close();

    const again = await openTestRegistry(url, { data: registry.data, now: () => now });
    expect(await commitOf(again, "^1")).toBe(first);
    expect(again.status().lastSuccess).toBeUndefined();
    server.fail = undefined;
    const second = await repository.release("1.1.0");
    expect(await again.refresh()).toMatchObject({ ok: true, added: ["v1.1.0"] });
    expect(await commitOf(again, "latest")).toBe(second);
    expect(again.status().failingSince).toBeUndefined();
    expect([kinds(registry), kinds(again)]).toEqual([["sync-failed"], ["added v1.1.0", "sync-recovered"]]);
  });

  test("a transfer that breaks off brings in nothing, and is tried again", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    const server = await startGitServer(join(repository.path, ".git"));
    const registry = await openTestRegistry(server.url);
    const big = Array.from({ length: 20_000 }, (_, at) => (at * 2_654_435_761) % 4_294_967_296).join("\n");
    const commit = await repository.release("1.1.0", { "tools/big.ts": big });
    server.fail = { kind: "cut", bytes: 50_000 };
    const result = await registry.refresh();
    expect([...result.failed.keys()]).toContain("refs/tags/v1.1.0");
    await expect(registry.resolve("1.1.0")).rejects.toThrow(
      /its tag exists, but could not be copied yet: `git fetch` failed/,
    );
    expect(registry.status().missing.get("1.1.0")).toContain("git fetch");
    server.fail = undefined;
    expect((await registry.refresh()).added).toEqual(["v1.1.0"]);
    expect(await commitOf(registry, "1.1.0")).toBe(commit);
    expect(registry.status().missing.size).toBe(0);
  });

  test("that never answers is given up after the time limit", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    const server = await startGitServer(join(repository.path, ".git"));
    const registry = await openTestRegistry(server.url, { limits: { listMs: 2_000 } });
    server.fail = { kind: "hang" };
    expect(await registry.refresh()).toMatchObject({ ok: false, message: "`git ls-remote` took longer than 2000 ms." });
  });

  test("with one damaged object keeps no other tag away", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    const registry = await openTestRegistry(repository.path);
    const made: string[] = [];
    for (let minor = 1; minor <= 9; minor += 1) made.push(await repository.release(`1.${minor}.0`));
    const blob = await repository.git("rev-parse", "v1.5.0:versions.yaml");
    const file = join(repository.path, ".git/objects", blob.slice(0, 2), blob.slice(2));
    await chmod(file, 0o644);
    await writeFile(file, "damaged");
    const result = await registry.refresh();
    // The branch needs the same object.
    const failed = ["refs/tags/v1.5.0", "refs/tags/v1.6.0", "refs/tags/v1.7.0", "refs/tags/v1.8.0", "refs/tags/v1.9.0"];
    expect([...result.failed.keys()].filter((ref) => ref.startsWith("refs/tags"))).toEqual(
      expect.arrayContaining(["refs/tags/v1.5.0"]),
    );
    expect(failed).toEqual(
      expect.arrayContaining([...result.failed.keys()].filter((ref) => ref.startsWith("refs/tags"))),
    );
    expect(result.added).toEqual(expect.arrayContaining(["v1.1.0", "v1.4.0"]));
    await repository.git("checkout", "--quiet", "--force", "v1.4.0");
    await rm(file);
    await writeFile(join(repository.path, "again"), "current: 1.5.0\n");
    expect(await repository.git("hash-object", "-w", "again")).toBe(blob);
    await registry.refresh();
    expect(await commitOf(registry, "latest")).toBe(made.at(-1));
  });

  test("with one damaged object can be copied for the first time", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    const second = await repository.release("1.1.0");
    const damaged = await repository.release("1.2.0");
    const file = join(repository.path, ".git/objects", damaged.slice(0, 2), damaged.slice(2));
    await chmod(file, 0o644);
    await writeFile(file, "damaged");
    await repository.git("update-ref", "refs/heads/main", second);
    const registry = await openTestRegistry(repository.path);
    expect(await commitOf(registry, "latest")).toBe(second);
    expect([...registry.status().missing.keys()]).toEqual(["1.2.0"]);
  });

  test("a tag whose version could not be looked at does not count as seen", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    let broken = false;
    const registry = await openTestRegistry(repository.path, {
      load: async (tree, commit) => {
        if (broken) throw new CairnError("UNAVAILABLE", "The disk is busy.");
        return loadTestVersion(tree, commit);
      },
    });
    expect((await registry.resolve("latest")).record.tag).toBe("v1.0.0");
    const commit = await repository.release("1.1.0");
    broken = true;
    expect(await registry.refresh()).toMatchObject({
      added: [],
      failed: new Map([["refs/tags/v1.1.0", "The disk is busy."]]),
    });
    expect(await commitOf(registry, "latest")).not.toBe(commit);
    broken = false;
    expect(await registry.refresh()).toMatchObject({ added: ["v1.1.0"], failed: new Map() });
    expect(await commitOf(registry, "1.1.0")).toBe(commit);
  });
});

describe("a store in trouble", () => {
  test("delays what was seen, and forgets nothing of it", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    let isDown = false;
    const registry = await openTestRegistry(repository.path, {
      wrapStore: (store) => ({
        ...store,
        commit: async (commit) => {
          if (isDown) throw new CairnError("UNAVAILABLE", "The disk is full.");
          return store.commit(commit);
        },
      }),
    });
    const commit = await repository.release("1.1.0");
    await repository.git("tag", "--delete", "v1.0.0");
    isDown = true;
    expect(await registry.refresh()).toMatchObject({ ok: false, message: "The disk is full." });
    isDown = false;
    expect(await registry.refresh()).toMatchObject({ ok: true });
    expect(await commitOf(registry, "latest")).toBe(commit);
    expect(kinds(registry)).toEqual(["sync-failed", "added v1.1.0", "deleted v1.0.0", "sync-recovered"]);
  });
});

describe("the mirror", () => {
  test("that is gone is said so, and what is open goes on being served", async () => {
    const repository = await createRepository();
    const commit = await repository.release("1.0.0");
    const registry = await openTestRegistry(repository.path);
    expect(await commitOf(registry, "1.0.0")).toBe(commit);
    await rm(registry.mirror, { recursive: true });
    expect(await registry.refresh()).toMatchObject({
      ok: false,
      message: expect.stringContaining("not a git repository"),
    });
    expect(await commitOf(registry, "1.0.0")).toBe(commit);
    expect(registry.status().versions).toBe(1);
  });

  test("that cannot be read at a start is left for a person to look at", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    const registry = await openTestRegistry(repository.path);
    await registry.close();
    await rm(join(registry.mirror, "HEAD"));
    await expect(openTestRegistry(repository.path, { data: registry.data })).rejects.toThrow(
      `The copy of the repository at \`${registry.mirror}\` cannot be read. Restore it from a backup; or remove`,
    );
    expect(await readdir(registry.mirror)).toContain("objects");
  });

  test("gets over the locks of a git that was killed, but respects those of one that may live", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    await repository.git("branch", "gone");
    const registry = await openTestRegistry(repository.path);
    const commit = await repository.release("1.1.0");
    await repository.git("branch", "-D", "gone");
    const locks = ["packed-refs.lock", "refs/tags/v1.1.0.lock"].map((name) => join(registry.mirror, name));
    for (const lock of locks) {
      await mkdir(dirname(lock), { recursive: true });
      await writeFile(lock, "");
    }
    expect(await registry.refresh()).toMatchObject({
      ok: false,
      message: expect.stringContaining(".lock': File exists"),
    });
    const old = new Date(Date.now() - 600_000);
    for (const lock of locks) await utimes(lock, old, old);
    expect(await registry.refresh()).toMatchObject({ ok: true, added: ["v1.1.0"], failed: new Map() });
    expect(await commitOf(registry, "1.1.0")).toBe(commit);
  });

  test("half made at the last start is made anew", async () => {
    const repository = await createRepository();
    const commit = await repository.release("1.0.0");
    const data = await temporaryFolder();
    execFileSync("mkdir", ["-p", join(data, "mirror.git.unfinished-123/objects")]);
    const registry = await openTestRegistry(repository.path, { data });
    expect(await commitOf(registry, "1.0.0")).toBe(commit);
    expect((await readdir(data)).sort()).toEqual(["mirror.git", "store"]);
  });

  test("copies a shallow clone, a detached checkout and a linked work tree", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    const commit = await repository.release("1.1.0");
    const folder = await temporaryFolder();
    execFileSync("git", ["clone", "--quiet", "--depth=1", `file://${repository.path}`, join(folder, "shallow")]);
    const shallow = await openTestRegistry(join(folder, "shallow"));
    expect(await commitOf(shallow, commit)).toBe(commit);
    await repository.release("1.2.0");
    const later = await repository.release("1.3.0");
    await openRepository(join(folder, "shallow")).git("fetch", "--quiet", "--depth=1", "origin", "tag", "v1.3.0");
    expect(await commitOf(shallow, "1.3.0")).toBe(later);
    expect(await openRepository(shallow.mirror).git("fsck", "--connectivity-only")).toBe("");
    await repository.git("worktree", "add", "--quiet", "--detach", join(folder, "linked"), "v1.0.0");
    const linked = openRepository(join(folder, "linked"));
    const detached = await linked.commit({ "manifests/a.yaml": "1" });
    const registry = await openTestRegistry(linked.path);
    expect(await commitOf(registry, "latest")).toBe(later);
    expect((await registry.inspect(detached)).version.commit).toBe(detached);
  });

  test("may belong to another user than the repository it copies", async ({ skip }) => {
    if (process.getuid?.() !== 0) skip();
    const repository = await createRepository();
    const commit = await repository.release("1.0.0");
    execFileSync("chown", ["-R", "12345:12345", repository.path]);
    expect(await commitOf(await openTestRegistry(repository.path, { limits: { watch: true } }), "1.0.0")).toBe(commit);
  });
});
