import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CairnError } from "../../../../../server/errors.ts";
import type { Git } from "../../../../../server/versions/git/git.ts";
import { readSegment } from "../../../../../server/versions/registry/resolve/segment.ts";
import { compareNames, readVersionName } from "../../../../../server/versions/version-name.ts";
import { type TestRepository, createRepository, versionFiles, loadTestGit } from "../../../../helpers/repository.ts";
import { type TestRegistry, loadTestVersion, openTestRegistry } from "../open-test-registry.ts";

async function commitOf(registry: TestRegistry, segment: string): Promise<string> {
  return (await registry.resolve(segment)).version.commit;
}

async function detailsOf(registry: TestRegistry, segment: string): Promise<CairnError> {
  const error: unknown = await registry.resolve(segment).catch((caught: unknown) => caught);
  if (error instanceof CairnError) return error;
  throw new Error(`\`${segment}\` is served`);
}

/** Git that notes the commands it is given. */
async function openCountingGit(): Promise<{ git: Git; commands: string[] }> {
  const git = await loadTestGit();
  const commands: string[] = [];
  const note = (args: readonly string[]) => commands.push(args.find((arg) => !arg.startsWith("-")) ?? "");
  return {
    commands,
    git: {
      run: (args, options) => (note(args), git.run(args, options)),
      start: (args) => (note(args), git.start(args)),
    },
  };
}

async function createHistory(): Promise<{ repository: TestRepository; commits: Map<string, string> }> {
  const repository = await createRepository();
  const commits = new Map<string, string>();
  for (const version of ["1.0.0", "1.2.0", "1.2.7", "1.10.0", "2.0.0-rc.1", "2.0.0", "2.1.0-beta.2"]) {
    commits.set(version, await repository.release(version));
  }
  return { repository, commits };
}

describe("the version in an address", () => {
  test("[V1] may be an exact version, a range or the latest", async () => {
    const { repository, commits } = await createHistory();
    const registry = await openTestRegistry(repository.path);
    for (const [segment, version] of [
      ["1.2.7", "1.2.7"],
      ["2.0.0-rc.1", "2.0.0-rc.1"],
      ["latest", "2.0.0"],
      ["^1.2", "1.10.0"],
      ["%5E1.2", "1.10.0"],
      ["~1.2", "1.2.7"],
      ["1.x", "1.10.0"],
      ["1", "1.10.0"],
      ["*", "2.0.0"],
      [">=1 <1.10", "1.2.7"],
      ["%3E%3D1%20%3C1.10", "1.2.7"],
      ["1.0 - 1.2", "1.2.7"],
      ["^3 || ~1.0", "1.0.0"],
      // A prerelease only where it is named.
      [">=2.0.0-rc.1 <2.0.0", "2.0.0-rc.1"],
      ["^2", "2.0.0"],
    ] as const) {
      expect([segment, await commitOf(registry, segment)]).toEqual([segment, commits.get(version)]);
    }
    for (const segment of ["^3", "~1.1", ">2.0.0", "^3||"]) {
      await expect(registry.resolve(segment)).rejects.toMatchObject({ name: "VERSION_NOT_FOUND" });
    }
  });

  test("[V1] is immutable when it is a commit or an exact version with a plain tag", async () => {
    const { repository, commits } = await createHistory();
    const commit = commits.get("1.2.0") ?? "";
    const named = await repository.commit(versionFiles("3.0.0"));
    await repository.tag("v3.0.0+trial", named);
    const registry = await openTestRegistry(repository.path);
    const immutable = async (segment: string) => (await registry.resolve(segment)).immutable;
    for (const segment of [commit, "1.2.0", "2.0.0-rc.1", "3.0.0+trial", "3.0.0%2Btrial"]) {
      expect([segment, await immutable(segment)]).toEqual([segment, true]);
    }
    for (const segment of [commit.slice(0, 7), "latest", "^1", "3.0.0"]) {
      expect([segment, await immutable(segment)]).toEqual([segment, false]);
    }
  });

  test("[V3] that several commits carry needs a plain tag, or has to be told apart", async () => {
    const repository = await createRepository();
    const warm = await repository.commit(versionFiles("1.6.0"));
    await repository.tag("v1.6.0+warm-start", warm);
    const registry = await openTestRegistry(repository.path);
    expect(await commitOf(registry, "1.6.0")).toBe(warm);
    await repository.tag("v1.6.0+same-commit", warm);
    await registry.refresh();
    expect(await commitOf(registry, "1.6.0")).toBe(warm);
    const cold = await repository.commit({ "manifests/cold.yaml": "x" });
    await repository.tag("v1.6.0+cold", cold);
    await registry.refresh();
    expect(await detailsOf(registry, "1.6.0")).toMatchObject({
      name: "VERSION_AMBIGUOUS",
      details: {
        choices: expect.arrayContaining([
          { version: "1.6.0+cold", commit: cold },
          { version: "1.6.0+warm-start", commit: warm },
        ]),
      },
    });
    expect(await commitOf(registry, "1.6.0+cold")).toBe(cold);
    for (const segment of ["latest", "^1"]) expect((await detailsOf(registry, segment)).name).toBe("VERSION_NOT_FOUND");
    await repository.tag("v1.6.0", warm);
    await registry.refresh();
    expect(await registry.resolve("1.6.0")).toMatchObject({ version: { commit: warm }, immutable: true });
    expect(await commitOf(registry, "latest")).toBe(warm);
  });

  test("[V8] unknown is not found, with what is near", async () => {
    const { repository } = await createHistory();
    await repository.commit({ "versions.yaml": "current: 2.1.0\nlabels: { stable: 2.0.0, lost: 7.0.0, odd: ^1 }\n" });
    const registry = await openTestRegistry(repository.path);
    expect(await detailsOf(registry, "1.2.8")).toMatchObject({
      name: "VERSION_NOT_FOUND",
      message: "There is no version `1.2.8`: no tag names it. There are `1.2.7`, `1.10.0`, `1.2.0` and others.",
      details: { available: expect.arrayContaining(["1.2.7", "2.0.0"]), labels: ["stable", "lost", "odd"], total: 7 },
    });
    expect((await detailsOf(registry, "v1.2.7")).message).toMatch("addresses leave out the tag's `v`: `1.2.7`");
    expect((await detailsOf(registry, "v1.2.7+x")).message).toMatch("leave out the tag's `v`: `1.2.7+x`");
    expect((await detailsOf(registry, "canary")).message).toMatch("no label, version or commit is called so");
    expect((await detailsOf(registry, "main")).name).toBe("VERSION_NOT_FOUND");
    expect((await detailsOf(registry, "dev")).message).toMatch("no work tree is followed here");
    expect((await detailsOf(registry, "lost")).message).toMatch("the label says `7.0.0`, which no tag names yet");
    expect((await detailsOf(registry, "odd")).message).toMatch("neither a version nor a commit");
    expect((await detailsOf(registry, "^1.99")).message).toMatch("no stable version fits");
    expect((await detailsOf(registry, "0".repeat(40))).message).toMatch("no branch, tag or pull request leads to");
  });

  test("skips quarantined versions in ranges and in the latest, looking only as far as needed", async () => {
    const { repository, commits } = await createHistory();
    await repository.release("2.1.0", { "manifests/broken.yaml": "x" });
    await repository.release("2.2.0");
    const registry = await openTestRegistry(repository.path, { limits: { sweep: false } });
    expect((await registry.resolve("latest")).record.tag).toBe("v2.0.0");
    expect(await commitOf(registry, ">=1")).toBe(commits.get("2.0.0"));
    expect((await detailsOf(registry, "^2.1")).message).toMatch(
      "no stable version fits; quarantined: `2.2.0`, `2.1.0`.",
    );
    expect((await detailsOf(registry, "9.9.9")).message).toMatch("There are `2.1.0-beta.2`, `2.0.0`");
  });

  test("abbreviates a commit to seven characters or more, of what some ref leads to", async () => {
    const { repository, commits } = await createHistory();
    const commit = commits.get("1.2.0") ?? "";
    await repository.tag("v1.2.0+annotated", commit, { annotated: true });
    const registry = await openTestRegistry(repository.path);
    expect(await commitOf(registry, commit.slice(0, 7))).toBe(commit);
    expect(await commitOf(registry, commit.slice(0, 39))).toBe(commit);
    const annotated = await repository.git("rev-parse", "v1.2.0+annotated");
    const tree = await repository.git("rev-parse", `${commit}^{tree}`);
    const unreachable = await repository.git("commit-tree", "-m", "secret", tree);
    await repository.git("push", "--quiet", registry.mirror, `${unreachable}:refs/cairn/labels`, "--force");
    for (const other of [
      commit.slice(0, 6),
      annotated,
      annotated.slice(0, 12),
      tree,
      unreachable,
      commit.toUpperCase(),
    ]) {
      expect([other, (await detailsOf(registry, other)).name]).toEqual([other, "VERSION_NOT_FOUND"]);
    }
  });

  test("is ambiguous when two commits begin alike", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    const tree = await repository.git("rev-parse", "HEAD^{tree}");
    // Among so many commits two share their first 28 bits.
    const seen = new Map<string, string>();
    let pair: string[] = [];
    for (let at = 0; pair.length === 0; at += 1) {
      const commit = `tree ${tree}\nauthor A <a@b> 0 +0000\ncommitter A <a@b> 0 +0000\n\n${at}\n`;
      const start = createHash("sha1").update(`commit ${commit.length}\0${commit}`).digest("hex").slice(0, 7);
      const other = seen.get(start);
      seen.set(start, commit);
      if (other !== undefined) pair = [other, commit];
    }
    const commits: string[] = [];
    for (const content of pair) {
      await writeFile(join(repository.path, "commit"), content);
      commits.push(await repository.git("hash-object", "-t", "commit", "-w", "commit"));
    }
    const [one = "", two = ""] = commits;
    const start = one.slice(0, 7);
    await repository.git("branch", "two", two);
    const registry = await openTestRegistry(repository.path);
    expect((await registry.describe(start)).record).toMatchObject({ commit: two, state: "unserved" });
    await repository.git("branch", "one", one);
    await registry.refresh();
    const ambiguous = {
      name: "VERSION_AMBIGUOUS",
      details: { choices: expect.arrayContaining([{ commit: one }, { commit: two }]) },
    };
    expect(await detailsOf(registry, start)).toMatchObject(ambiguous);
    // What nobody has reviewed takes no address away.
    await repository.tag("v1.0.0+one", one);
    await registry.refresh();
    expect(await commitOf(registry, start)).toBe(one);
    await repository.tag("v1.0.0+two", two);
    await registry.refresh();
    expect(await detailsOf(registry, start)).toMatchObject(ambiguous);
    expect(await commitOf(registry, two)).toBe(two);
  });

  test("starts no git for garbage, and asks the upstream only once in a while for what might have appeared", async () => {
    const { repository } = await createHistory();
    const { git, commands } = await openCountingGit();
    let now = 0;
    const registry = await openTestRegistry(repository.path, { git, now: () => now, limits: { lookAgainMs: 5_000 } });
    await detailsOf(registry, "9.9.9");
    commands.splice(0);
    const garbage = [
      "",
      "..",
      "%2e%2e",
      "%2e%2e%2fetc",
      "%00",
      "a\u0000b",
      "1.0.0/",
      "%",
      "%zz",
      "-x",
      "--all",
      "x".repeat(5_000),
    ];
    for (const segment of [
      ...garbage,
      "^",
      ">=",
      "1.2.3.4",
      "HEAD",
      "HEAD~1",
      "v1.2.7",
      "refs/heads/main",
      "\u001b[2J",
    ]) {
      expect([segment, (await detailsOf(registry, segment)).name]).toEqual([segment, "VERSION_NOT_FOUND"]);
    }
    for (const segment of ["9.9.9", "^9", "nobody", "1".repeat(40), "abcdef1"]) await detailsOf(registry, segment);
    expect(commands).toEqual([]);
    now += 5_001;
    await Promise.all(["9.9.9", "^9", "nobody", "1".repeat(40)].map((segment) => detailsOf(registry, segment)));
    expect(commands.filter((command) => command === "ls-remote")).toHaveLength(1);
  });

  test("appears as soon as someone asks for it", async () => {
    const { repository } = await createHistory();
    const registry = await openTestRegistry(repository.path);
    const commit = await repository.release("3.0.0");
    expect(await commitOf(registry, "3.0.0")).toBe(commit);
    const branch = await repository.commit({ "manifests/a.yaml": "1" });
    expect((await registry.describe(branch.slice(0, 9))).record).toMatchObject({ commit: branch, state: "unserved" });
    await repository.tag("v3.0.0+a", branch);
    expect(await commitOf(registry, branch.slice(0, 9))).toBe(branch);
  });

  test("[V8] whatever it is, is served or refused by name", async () => {
    const { repository } = await createHistory();
    const registry = await openTestRegistry(repository.path, { limits: { lookAgainMs: 1e9 } });
    const expected = ["VERSION_NOT_FOUND", "VERSION_AMBIGUOUS", "VERSION_QUARANTINED"];
    const alphabet = fc.constantFrom(
      ..."0123456789.xv^~<>=|-+* abcdef%/\\\u0000\u001bé😀",
      "1.2.7",
      "latest",
      "dev",
      "rc",
    );
    const segment = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.array(alphabet, { maxLength: 20 }).map((parts) => parts.join("")),
      fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 6, maxLength: 41 }),
    );
    await fc.assert(
      fc.asyncProperty(segment, async (text) => {
        try {
          expect((await registry.resolve(text)).record.state).toBe("served");
        } catch (error) {
          expect(expected).toContain(error instanceof CairnError ? error.name : error);
          // oxlint-disable-next-line no-control-regex
          expect(String(error)).not.toMatch(/[\u0000-\u001f]/);
        }
      }),
      { numRuns: process.env["CAIRN_LONG"] ? 20_000 : 1_000 },
    );
  });

  test("means the same whether it was decoded before or not", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        const encoded = readSegment(encodeURIComponent(text.toWellFormed()));
        expect(encoded).toEqual(readSegment(text.toWellFormed().replaceAll("%", "%25")));
      }),
    );
    expect(readSegment("%255E1")).toEqual({ kind: "nonsense" });
  });
});

describe("the description of a version", () => {
  test("[V6] tells what it was made from", async () => {
    const repository = await createRepository();
    const first = await repository.release("1.0.0");
    const second = await repository.release("1.1.0", { "versions.yaml": "current: 1.1.0\nparent: 1.0.0\n" });
    await repository.release("1.2.0", { "versions.yaml": `current: 1.2.0\nparent: ${second.slice(0, 8)}\n` });
    await repository.release("1.3.0", { "versions.yaml": "current: 1.3.0\nparent: 0.9.0\n" });
    const registry = await openTestRegistry(repository.path);
    expect(await registry.describe("1.1.0")).toMatchObject({
      record: { tag: "v1.1.0", servers: ["runner"] },
      version: { commit: second },
      parent: { named: "1.0.0", version: "1.0.0", commit: first },
    });
    expect((await registry.describe("1.2.0")).parent).toEqual({
      named: second.slice(0, 8),
      version: "1.1.0",
      commit: second,
    });
    expect((await registry.describe("1.3.0")).parent).toEqual({ named: "0.9.0" });
    expect((await registry.describe("1.0.0")).parent).toBeUndefined();
    await expect(registry.describe("7.0.0")).rejects.toMatchObject({ name: "VERSION_NOT_FOUND" });
  });

  test("tells what is wrong with a quarantined one, also when asked for by commit", async () => {
    const repository = await createRepository();
    const commit = await repository.release("1.0.0", { "manifests/broken.yaml": "x" });
    const registry = await openTestRegistry(repository.path);
    for (const segment of ["1.0.0", commit]) {
      const { record, version } = await registry.describe(segment);
      expect(record).toMatchObject({ tag: "v1.0.0", state: "quarantined", servers: [], problems: [{ rule: "test" }] });
      expect(version).toBeUndefined();
    }
  });
});

describe("open versions", () => {
  test("are loaded once however many ask, kept up to a limit, and stay whole in the hands of who has them", async () => {
    const { repository, commits } = await createHistory();
    const registry = await openTestRegistry(repository.path, { limits: { open: 2 } });
    registry.loads.splice(0);
    const resolved = await Promise.all(Array.from({ length: 20 }, () => registry.resolve("1.0.0")));
    expect(registry.loads.length).toBeLessThanOrEqual(1);
    expect(new Set(resolved.map(({ version }) => version)).size).toBe(1);
    for (const version of ["1.2.0", "1.2.7", "1.10.0"]) await registry.resolve(version);
    expect(registry.status().open).toBe(2);
    expect(resolved[0]?.version.commit).toBe(commits.get("1.0.0"));
    const again = await registry.resolve("1.0.0");
    expect(again.version).not.toBe(resolved[0]?.version);
  });

  test("are known good or bad after a restart, until the rules change", async () => {
    const { repository } = await createHistory();
    await repository.release("2.2.0", { "manifests/broken.yaml": "x" });
    const registry = await openTestRegistry(repository.path);
    await registry.list({ limit: 100, offset: 0, includeUnstable: true });
    await registry.close();
    const same = await openTestRegistry(repository.path, { data: registry.data });
    expect(same.status()).toMatchObject({ unverified: 0, quarantined: 1 });
    await expect(same.resolve("2.2.0")).rejects.toMatchObject({ name: "VERSION_QUARANTINED" });
    expect((await same.list({ limit: 100, offset: 0, includeUnstable: true })).versions).toHaveLength(8);
    expect(same.loads).toEqual([]);
    await same.close();
    const stricter = await openTestRegistry(repository.path, {
      data: registry.data,
      fingerprint: "rules-2",
      load: async (tree, commit) => {
        const loaded = await loadTestVersion(tree, commit);
        if (!loaded.ok || loaded.version.semver !== "2.0.0") return loaded;
        return { ok: false, problems: [{ file: "x", line: 1, column: 1, rule: "new", message: "No.", fix: "None." }] };
      },
    });
    expect(stricter.status()).toMatchObject({ unverified: 8 });
    expect((await stricter.resolve("latest")).record.tag).toBe("v1.10.0");
  });
});

describe("version names", () => {
  test("sort by precedence, the plain one first", () => {
    const names = ["1.0.0+b", "1.0.0-rc.1", "1.0.0", "1.0.0+a", "1.0.0-rc.10", "1.0.0-alpha", "0.9.9", "10.0.0"];
    const sorted = names.flatMap((name) => readVersionName(name) ?? []).sort(compareNames);
    expect(sorted.map(({ name }) => name)).toEqual([
      "10.0.0",
      "1.0.0",
      "1.0.0+a",
      "1.0.0+b",
      "1.0.0-rc.10",
      "1.0.0-rc.1",
      "1.0.0-alpha",
      "0.9.9",
    ]);
  });
});
