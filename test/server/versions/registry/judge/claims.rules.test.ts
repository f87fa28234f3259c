import { describe, expect, test } from "vitest";
import { sayLabels } from "../../../../../server/versions/registry/label-moves.ts";
import {
  createMemoryReplica,
  createMemoryRepository,
  type MemoryReplica,
  type MemoryRepository,
  type Surface,
} from "../memory-replica.ts";

interface Made {
  readonly parent?: string;
  /** Versions that versions.yaml lists besides, with their parents. */
  readonly listed?: Readonly<Record<string, string | undefined>>;
  readonly from?: readonly string[];
  readonly build?: string;
  /** What its author says of the tag. */
  readonly date?: number;
  /** What its author says of the commit. */
  readonly committed?: number;
}

const WIDE: Surface = { greet: 100 };
const NARROW: Surface = { greet: 20 };
const REFUSED = "VERSION_QUARANTINED";

/** Commits a version that names its parent, and tags it. */
function release(repository: MemoryRepository, semver: string, surface: Surface, made: Made = {}): string {
  const commit = commitOnly(repository, semver, surface, made);
  repository.tag(`v${semver}${made.build === undefined ? "" : `+${made.build}`}`, commit, made);
  return commit;
}

function commitOnly(repository: MemoryRepository, semver: string, surface: Surface, made: Made = {}): string {
  const { parent, listed = {}, from = [], committed } = made;
  const history = new Map<string, string | undefined>([...Object.entries(listed), [semver, parent]]);
  return repository.commit({
    semver,
    surface,
    parents: from,
    history,
    ...(committed !== undefined && { date: committed }),
  });
}

async function follow(repository: MemoryRepository, lookBack?: number): Promise<MemoryReplica> {
  const replica = createMemoryReplica(repository, lookBack);
  await replica.sync();
  return replica;
}

async function answers(replica: MemoryReplica, ...segments: readonly string[]): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const segment of segments) all[segment] = await replica.resolve(segment);
  return all;
}

describe("[D3] [V10] a number is measured against what is served", () => {
  test("past a parent that was quarantined, so that no break is laundered through it", async () => {
    const repository = createMemoryRepository();
    const good = release(repository, "0.1.0", WIDE);
    release(repository, "0.1.1", NARROW, { parent: "0.1.0" });
    release(repository, "0.1.2", NARROW, { parent: "0.1.1", listed: { "0.1.1": "0.1.0" } });
    const mended = release(repository, "0.1.3", WIDE, {
      parent: "0.1.2",
      listed: { "0.1.2": "0.1.1", "0.1.1": "0.1.0" },
    });
    const said = { "0.1.1": REFUSED, "0.1.2": REFUSED, "0.1.3": mended, "^0.1.0": mended, latest: mended };
    expect(await answers(await follow(repository), ...Object.keys(said))).toEqual(said);
    repository.tags.delete("v0.1.3");
    expect(await answers(await follow(repository), "^0.1.0", "latest")).toEqual({ "^0.1.0": good, latest: good });
  });

  test.each([
    ["was deleted", { parent: "1.0.1", listed: { "1.0.1": "1.0.0" } }],
    ["is not listed", { parent: "1.0.1" }],
    ["is not named", {}],
  ])("where its parent %s", async (_what, made) => {
    const repository = createMemoryRepository();
    const good = release(repository, "1.0.0", WIDE);
    release(repository, "1.0.2", NARROW, made);
    const said = { "1.0.2": REFUSED, "^1": good, latest: good };
    expect(await answers(await follow(repository), ...Object.keys(said))).toEqual(said);
  });

  test("where its parent is a commit that nobody tagged, or tagged and quarantined", async () => {
    const repository = createMemoryRepository();
    const good = release(repository, "1.0.0", WIDE);
    const between = commitOnly(repository, "1.0.0", NARROW, { from: [good] });
    release(repository, "1.0.1", NARROW, { parent: between.slice(0, 9), from: [between] });
    const quarantined = release(repository, "1.0.2", NARROW, { parent: "1.0.0" });
    release(repository, "1.0.3", NARROW, { parent: quarantined });
    const fine = release(repository, "1.0.4", WIDE, { parent: good.slice(0, 7) });
    const said = { "1.0.1": REFUSED, "1.0.2": REFUSED, "1.0.3": REFUSED, "1.0.4": fine };
    expect(await answers(await follow(repository), ...Object.keys(said))).toEqual(said);
  });

  test("below it on another branch, which ranges would move from, whatever it names as its parent", async () => {
    const repository = createMemoryRepository();
    const base = release(repository, "1.0.0", WIDE);
    const other = release(repository, "1.1.0", { ...WIDE, count: 10 }, { parent: "1.0.0", from: [base] });
    release(repository, "1.2.0", WIDE, { parent: "1.0.0", from: [base] });
    release(repository, "1.1.1", WIDE, { parent: "0.9.0", from: [base] });
    const merged = release(
      repository,
      "1.3.0",
      { ...WIDE, count: 10, more: 5 },
      { parent: "1.0.0", from: [base, other] },
    );
    const said = { "1.2.0": REFUSED, "1.1.1": REFUSED, "~1.1.0": other, "1.3.0": merged, "^1.0.0": merged };
    expect(await answers(await follow(repository), ...Object.keys(said))).toEqual(said);
  });

  test("on the line that it continues: old majors are mended beside new ones", async () => {
    const repository = createMemoryRepository();
    const first = release(repository, "1.0.0", WIDE);
    const major = release(repository, "2.0.0", { other: 1 }, { parent: "1.0.0", from: [first] });
    const hotfix = release(repository, "1.0.1", WIDE, { parent: "1.0.0", from: [first] });
    release(repository, "1.0.2", NARROW, { parent: "1.0.1", listed: { "1.0.1": "1.0.0" }, from: [hotfix] });
    const minor = release(repository, "1.1.0", { ...WIDE, more: 1 }, { parent: "1.0.1", from: [hotfix] });
    const next = release(repository, "2.0.1", { other: 1 }, { parent: "2.0.0", from: [major] });
    const said = { "~1.0": hotfix, "1.0.2": REFUSED, "^1": minor, "^2": next, latest: next, "0.x || 1.x": minor };
    expect(await answers(await follow(repository), ...Object.keys(said))).toEqual(said);
  });

  test("and not against what came later, so that no tag takes another one's place away", async () => {
    const repository = createMemoryRepository();
    const base = release(repository, "1.0.0", WIDE);
    const early = release(repository, "1.2.0", { ...WIDE, b: 1 }, { parent: "1.0.0", from: [base] });
    const before = await follow(repository);
    const late = release(repository, "1.1.0", { ...WIDE, c: 1 }, { parent: "1.0.0", from: [base] });
    await before.sync();
    const said = { "1.2.0": early, "^1": early, "1.1.0": late, "~1.1": late };
    expect(await answers(before, ...Object.keys(said))).toEqual(said);
    expect(await answers(await follow(repository), ...Object.keys(said))).toEqual(said);
  });

  test("but always against what it has in its history, whatever clocks say", async () => {
    const repository = createMemoryRepository();
    const parent = commitOnly(repository, "1.0.0", WIDE);
    const child = commitOnly(repository, "1.0.1", NARROW, { parent: "1.0.0", from: [parent] });
    const stranger = commitOnly(repository, "1.0.2", NARROW);
    repository.tag("v1.0.0", parent);
    // As old as their commits, which are older than the tag before.
    repository.tag("v1.0.1", child, { isLightweight: true });
    repository.tag("v1.0.2", stranger, { isLightweight: true });
    const said = { "1.0.1": REFUSED, "1.0.2": stranger };
    expect(await answers(await follow(repository), ...Object.keys(said))).toEqual(said);
  });

  test.each([
    ["a tag dated before its commit", { parent: "1.0.0", date: 1 }, WIDE],
    ["a tag dated so that names no parent", { date: 1 }, WIDE],
    ["a tag and a commit dated before the parent that it names", { parent: "1.0.0", date: 1, committed: 1 }, WIDE],
    ["dates before all parents, where ranges move from another", { parent: "1.0.0", date: 1, committed: 1 }, NARROW],
  ])("also by %s", async (_what, made, first) => {
    const repository = createMemoryRepository();
    const base = release(repository, "1.0.0", first);
    const served = release(repository, "1.1.0", WIDE, { parent: "1.0.0", from: [base] });
    const seen = await follow(repository);
    release(repository, "1.1.2", NARROW, made);
    await seen.sync();
    const said = { "1.1.2": REFUSED, "^1.1.0": served, latest: served };
    for (const replica of [seen, await follow(repository)])
      expect(await answers(replica, ...Object.keys(said))).toEqual(said);
  });

  test.each([
    [
      { "3.0.0-alpha": "2.0.0" },
      "its parent `3.0.0-alpha` is a pre-release, and this is the nearest served release that",
    ],
    [{ "3.0.0-alpha": "2.1.0", "2.1.0": "2.0.0" }, "its parent `2.1.0` is not served, and this is the nearest served"],
    [{}, "its parent `3.0.0-alpha` is not served, and this is the highest served release below it"],
  ])("and says why it is that one: %j", async (listed, because) => {
    const repository = createMemoryRepository();
    release(repository, "2.0.0", WIDE);
    const made = commitOnly(repository, "3.0.0-beta", NARROW, { parent: "3.0.0-alpha", listed });
    const { version } = repository.commits.get(made) ?? {};
    if (version === undefined) throw new Error("There is no version.");
    const [base] = await (await follow(repository)).claims.findBases(version, undefined);
    expect(base).toMatchObject({ version: { name: "2.0.0" }, because: expect.stringContaining(because) });
  });

  test("and a tag dated before its commit does not count as older for those above it", async () => {
    const repository = createMemoryRepository();
    const base = release(repository, "1.0.0", WIDE);
    const early = release(repository, "1.2.0", { ...WIDE, b: 1 }, { parent: "1.0.0", from: [base] });
    const late = release(repository, "1.1.0", { ...WIDE, c: 1 }, { parent: "1.0.0", from: [base], date: 1 });
    const said = { "1.2.0": early, "^1": early, "1.1.0": late, "~1.1": late };
    expect(await answers(await follow(repository), ...Object.keys(said))).toEqual(said);
  });

  test("past pre-releases, which promise nothing, and by their own number as what they lead to", async () => {
    const repository = createMemoryRepository();
    const first = release(repository, "1.0.0", WIDE);
    const rc = release(repository, "2.0.0-rc.1", NARROW, { parent: "1.0.0" });
    release(repository, "1.1.0-rc.1", NARROW, { parent: "1.0.0" });
    const listed = { "2.0.0-rc.1": "1.0.0", "1.1.0-rc.1": "1.0.0" };
    const next = release(repository, "2.0.0-rc.2", { greet: 5 }, { parent: "2.0.0-rc.1", listed });
    const major = release(repository, "2.0.0", { greet: 1 }, { parent: "2.0.0-rc.1", listed });
    release(repository, "1.1.0", NARROW, { parent: "1.1.0-rc.1", listed });
    const said = {
      "2.0.0-rc.1": rc,
      "2.0.0-rc.2": next,
      "^2.0.0-rc.1": major,
      "1.1.0-rc.1": REFUSED,
      "1.1.0": REFUSED,
      "^1": first,
    };
    expect(await answers(await follow(repository), ...Object.keys(said))).toEqual(said);
  });

  test("along its parents alone where it has a build name, which no range leads to", async () => {
    const repository = createMemoryRepository();
    const base = release(repository, "1.0.0", WIDE);
    const plain = release(repository, "1.1.0", { ...WIDE, b: 1 }, { parent: "1.0.0", from: [base] });
    const warm = release(repository, "1.1.1", { ...WIDE, c: 1 }, { parent: "1.0.0", from: [base], build: "warm" });
    release(repository, "1.1.2", NARROW, { parent: "1.0.0", from: [base], build: "cold" });
    const said = { "1.1.1+warm": warm, "1.1.2+cold": REFUSED, "^1": plain };
    expect(await answers(await follow(repository), ...Object.keys(said))).toEqual(said);
  });

  test("as far down as there are versions, as soon as all have been looked at", async () => {
    const repository = createMemoryRepository();
    const good = release(repository, "1.0.0", WIDE);
    const listed: Record<string, string> = {};
    for (let patch = 1; patch <= 8; patch += 1) {
      const parent = `1.0.${patch - 1}`;
      release(repository, `1.0.${patch}`, NARROW, { parent, listed: { ...listed } });
      listed[`1.0.${patch}`] = parent;
    }
    const replica = await follow(repository, 0);
    expect(await answers(replica, "1.0.1", "1.0.8", "latest")).toEqual({
      "1.0.1": REFUSED,
      "1.0.8": REFUSED,
      latest: good,
    });
  });
});

describe("[V10] a tag that was never served", () => {
  const bad = () => {
    const repository = createMemoryRepository();
    const first = release(repository, "0.1.0", WIDE);
    const refused = release(repository, "0.1.1", NARROW, { parent: "0.1.0", from: [first] });
    return { repository, first, refused };
  };

  test("may be set again, and is judged anew by every replica alike", async () => {
    const { repository, first } = bad();
    const seen = await follow(repository);
    expect(await answers(seen, "0.1.1", "latest")).toEqual({ "0.1.1": REFUSED, latest: first });
    const mended = commitOnly(repository, "0.1.1", { ...WIDE, more: 1 }, { parent: "0.1.0", from: [first] });
    repository.tag("v0.1.1", mended);
    const later = release(repository, "0.1.2", { ...WIDE, more: 1 }, { parent: "0.1.1", from: [mended] });
    await seen.sync();
    const said = { "0.1.1": mended, "~0.1.0": later, latest: later };
    for (const replica of [seen, await follow(repository)]) {
      expect(await answers(replica, ...Object.keys(said))).toEqual(said);
    }
    expect(seen.index().byName.get("0.1.1")?.alarm).toBeUndefined();
  });

  test("is forgotten when it is taken back", async () => {
    const { repository, first } = bad();
    const seen = await follow(repository);
    repository.tags.delete("v0.1.1");
    await seen.sync();
    const said = { "0.1.1": "VERSION_NOT_FOUND", latest: first };
    for (const replica of [seen, await follow(repository)]) {
      expect(await answers(replica, ...Object.keys(said))).toEqual(said);
    }
    expect(seen.index().versions.map(({ tag }) => tag)).toEqual(["v0.1.0"]);
  });

  test("does not take the place of those that came meanwhile", async () => {
    const { repository, first } = bad();
    const next = release(repository, "0.1.2", WIDE, { parent: "0.1.1", listed: { "0.1.1": "0.1.0" }, from: [first] });
    const seen = await follow(repository);
    const mended = release(repository, "0.1.1", { ...WIDE, more: 1 }, { parent: "0.1.0", from: [first] });
    await seen.sync();
    const said = { "0.1.1": mended, "0.1.2": next, "^0.1.0": next };
    for (const replica of [seen, await follow(repository)]) {
      expect(await answers(replica, ...Object.keys(said))).toEqual(said);
    }
  });
});

describe("[V1] a tag that was served", () => {
  test("never moves", async () => {
    const repository = createMemoryRepository();
    const first = release(repository, "1.0.0", WIDE);
    const seen = await follow(repository);
    const moved = release(repository, "1.0.0", NARROW);
    await seen.sync();
    expect(await answers(seen, "1.0.0", "latest")).toEqual({ "1.0.0": first, latest: first });
    expect(seen.index().byName.get("1.0.0")?.alarm).toMatchObject({ kind: "moved", upstreamCommit: moved });
  });

  test("keeps its own address when others that were served are taken back, and ranges pass it over", async () => {
    const repository = createMemoryRepository();
    const first = release(repository, "1.0.0", WIDE);
    const second = release(repository, "1.1.0", { ...WIDE, b: 1 }, { parent: "1.0.0", from: [first] });
    release(repository, "1.1.1", { ...WIDE, c: 1 }, { parent: "1.1.0", listed: { "1.1.0": "1.0.0" }, from: [second] });
    const third = release(repository, "1.2.0", { ...WIDE, b: 1 }, { parent: "1.1.0", listed: { "1.1.0": "1.0.0" } });
    const seen = await follow(repository);
    expect(await answers(seen, "1.1.1", "^1")).toEqual({ "1.1.1": REFUSED, "^1": third });
    repository.tags.delete("v1.1.0");
    await seen.sync();
    const fresh = await follow(repository);
    const moving = ["^1", "latest", "~1.1", "~1.2"];
    expect(await answers(seen, ...moving)).toEqual(await answers(fresh, ...moving));
    expect(await answers(seen, "1.1.0", "1.2.0")).toEqual({ "1.1.0": second, "1.2.0": third });
    expect(await answers(fresh, "1.1.0", "1.2.0")).toEqual({ "1.1.0": "VERSION_NOT_FOUND", "1.2.0": REFUSED });
  });
});

describe("[V10] [D6] a label", () => {
  const lines = () => {
    const repository = createMemoryRepository();
    const first = release(repository, "1.0.0", WIDE);
    const second = release(repository, "1.1.0", { ...WIDE, b: 1 }, { parent: "1.0.0", from: [first] });
    const major = release(repository, "2.0.0", NARROW, {
      parent: "1.1.0",
      listed: { "1.1.0": "1.0.0" },
      from: [second],
    });
    return { repository, first, second, major };
  };

  test("goes where it is moved: across a major number that says so, and back", async () => {
    const { repository, first, second, major } = lines();
    const means: string[] = [];
    for (const target of ["1.0.0", "1.1.0", "2.0.0", "1.1.0", "1.0.0", "2.0.0"]) {
      repository.label({ stable: target });
      means.push(await (await follow(repository)).resolve("stable"));
    }
    expect(means).toEqual([first, second, major, second, first, major]);
  });

  test("stays where it was when moving it would break its callers and the number does not say so", async () => {
    const { repository, first, second } = lines();
    release(repository, "1.1.1", NARROW, { parent: "1.1.0", from: [second] });
    const narrow = repository.tags.get("v1.1.1")?.commit ?? "";
    const warm = release(repository, "1.1.2", WIDE, { parent: "1.0.0", from: [first], build: "warm" });
    repository.label({ stable: "1.1.0", canary: "1.0.0" });
    const seen = await follow(repository);
    // The commit of what is quarantined, which ranges and names refuse.
    repository.label({ stable: narrow, canary: warm });
    await seen.sync();
    for (const replica of [seen, await follow(repository)]) {
      expect(await answers(replica, "stable", "canary")).toEqual({ stable: second, canary: warm });
      expect(replica.labelProblems()).toBeGreaterThan(0);
    }
    // A branch of its own that lacks what 1.1.0 has.
    repository.label({ stable: warm });
    await seen.sync();
    expect(await seen.resolve("stable")).toBe(second);
    repository.label({ stable: "1.1.0" });
    await seen.sync();
    expect([await seen.resolve("stable"), seen.labelProblems()]).toEqual([second, 0]);
  });

  test.each(["number", "commit"])("stays where it was when it is moved to what is quarantined: by %s", async (how) => {
    const { repository, second, major } = lines();
    const narrow = release(repository, "1.1.1", NARROW, { parent: "1.1.0", from: [second] });
    repository.label({ stable: "1.1.0" });
    const seen = await follow(repository);
    repository.label({ stable: how === "number" ? "1.1.1" : narrow });
    await seen.sync();
    for (const replica of [seen, await follow(repository)]) {
      expect(await answers(replica, "stable", "1.1.1")).toEqual({ stable: second, "1.1.1": REFUSED });
      expect(replica.labelProblems()).toBeGreaterThan(0);
    }
    repository.label({ stable: "2.0.0" });
    await seen.sync();
    expect([await seen.resolve("stable"), seen.labelProblems()]).toEqual([major, 0]);
  });

  test("stays where it was when what it is moved to is quarantined for another reason than a break", async () => {
    const { repository, first, second } = lines();
    // Says a number that is not its own.
    repository.tag("v1.1.1", second);
    repository.label({ stable: "1.0.0" });
    repository.label({ stable: "1.1.1" });
    const replica = await follow(repository);
    expect([await replica.resolve("stable"), replica.labelProblems()]).toEqual([first, 1]);
  });

  test("does not keep a quarantined number from being mended by the commit that moves the label to it", async () => {
    const { repository, second } = lines();
    const narrow = release(repository, "1.1.1", NARROW, { parent: "1.1.0", from: [second] });
    const { version } = repository.commits.get(narrow) ?? {};
    const { index } = await follow(repository);
    const say = (commit: string) => {
      const labels = new Map([
        ["stable", "1.1.1"],
        ["canary", "1.0.0"],
      ]);
      if (version === undefined) throw new Error("There is no version.");
      return [...sayLabels(index(), { ...version, commit, history: { ...version.history, labels } }).labels.keys()];
    };
    expect([say("f".repeat(40)), say(narrow)]).toEqual([["canary"], ["stable", "canary"]]);
  });

  test("that names what is not there stays where it was, and refuses if it never meant what is served", async () => {
    const { repository, second } = lines();
    release(repository, "1.1.1", NARROW, { parent: "1.1.0", from: [second] });
    for (const target of ["1.1.0", "1.1.1", "3.0.0"]) repository.label({ stable: target, canary: "3.0.0" });
    const seen = await follow(repository);
    expect(await answers(seen, "stable", "canary")).toEqual({ stable: second, canary: "VERSION_NOT_FOUND" });
    repository.label({ stable: "1.1.1", canary: "1.1.1" });
    await seen.sync();
    expect(await answers(seen, "stable", "canary")).toEqual({ stable: second, canary: REFUSED });
    const narrow = commitOnly(repository, "1.1.0", NARROW, { from: [second] });
    repository.label({ stable: narrow });
    await seen.sync();
    expect(await seen.resolve("stable")).toBe(second);
  });
});
