import * as fc from "fast-check";
import { compare, prerelease, Range, satisfies } from "semver";
import { describe, expect, test } from "vitest";
import { createToolCatalogue } from "../../../../../server/versions/registry/tools/tool-catalogue.ts";
import { writeToolNames } from "../../../../../server/versions/registry/tools/tool-names.ts";
import type { Verdict } from "../../../../../server/versions/registry/verdicts.ts";
import { compareVersions, createIndex } from "../../../../../server/versions/registry/version-index.ts";

interface Released {
  /** Of the agent: what its tag says behind the `v`. */
  readonly name: string;
  readonly createdAt?: number;
  /** Name to version. */
  readonly tools: Readonly<Record<string, string>>;
  readonly isBroken?: boolean;
  readonly isDeleted?: boolean;
}

/** A catalogue of versions that are all looked at, unless `unverified` names them; `verify` looks at one more. */
function setUp(released: readonly Released[], unverified: readonly string[] = []) {
  const commitOf = (name: string) => `commit of ${name}`;
  const verdictOf = ({ name, tools, isBroken }: Released): Verdict =>
    isBroken === true
      ? { ok: false, problems: [{ file: "f", line: 1, column: 1, rule: "r", message: "m", fix: "f" }] }
      : {
          ok: true,
          semver: name.replace(/\+.*$/, ""),
          servers: ["s"],
          tools: writeToolNames(Object.entries(tools).map(([tool, version]) => ({ name: tool, version }))),
        };
  let index = createIndex({ refs: new Map(), alarms: new Map(), labels: new Map(), failed: new Map() });
  const push = (versions: readonly Released[]) => {
    const refs = versions.map(
      ({ name, createdAt = 0 }) =>
        [`refs/tags/v${name}`, { oid: commitOf(name), target: commitOf(name), type: "commit", createdAt }] as const,
    );
    const alarms = versions
      .filter(({ isDeleted }) => isDeleted)
      .map(({ name }) => [`v${name}`, { kind: "deleted", commit: commitOf(name), since: "" }] as const);
    index = createIndex({ refs: new Map(refs), alarms: new Map(alarms), labels: new Map(), failed: new Map() });
  };
  push(released);
  const verdicts = new Map(
    released.filter(({ name }) => !unverified.includes(name)).map((one) => [commitOf(one.name), verdictOf(one)]),
  );
  const catalogue = createToolCatalogue({ index: () => index, verdicts });
  const verify = (one: Released) => {
    verdicts.set(commitOf(one.name), verdictOf(one));
    catalogue.onVerdict(commitOf(one.name), verdictOf(one));
  };
  const find = (name: string, range?: string) => {
    const choice = catalogue.find(name, range === undefined ? undefined : new Range(range));
    return choice && `${choice.version} of ${choice.carrier.name}`;
  };
  return { catalogue, find, verify, push, index: () => index };
}

describe("[G5] by name", () => {
  test("the highest semver of a tool wins, wherever it is, as numbers and not as text", () => {
    const { find } = setUp([
      { name: "1.0.0", tools: { a: "1.10.0" } },
      { name: "2.0.0", tools: { a: "1.9.0" } },
    ]);
    expect(find("a")).toBe("1.10.0 of 1.0.0");
    expect(find("b")).toBeUndefined();
  });

  test("of versions with the same version of a tool the highest carries it, then the newest", () => {
    const { find, catalogue } = setUp([
      { name: "1.0.0", createdAt: 9, tools: { a: "1.0.0", gone: "1.0.0" } },
      { name: "1.2.0", createdAt: 1, tools: { a: "1.0.0" } },
      { name: "1.2.0+x", createdAt: 2, tools: { a: "1.0.0" } },
    ]);
    expect(find("a")).toBe("1.0.0 of 1.2.0");
    expect(catalogue.list(false).map(({ name, carrier }) => [name, carrier.name])).toEqual([
      ["a", "1.2.0"],
      ["gone", "1.0.0"],
    ]);
    expect(catalogue.list(true).map(({ name, carrier }) => [name, carrier.name])).toEqual([
      ["a", "1.2.0+x"],
      ["gone", "1.0.0"],
    ]);
  });

  test("pre-releases, named, quarantined, deleted and unverified versions do not count", () => {
    const { find, catalogue } = setUp(
      [
        { name: "1.0.0", tools: { a: "1.0.0" } },
        { name: "1.1.0", tools: { a: "1.1.0" }, isBroken: true },
        { name: "1.2.0", tools: { a: "1.2.0" }, isDeleted: true },
        { name: "1.3.0", tools: { a: "1.3.0" } },
        { name: "1.4.0+try", tools: { a: "1.4.0" } },
        { name: "2.0.0-rc.1", tools: { a: "2.0.0", b: "1.0.0" } },
      ],
      ["1.3.0"],
    );
    expect(find("a")).toBe("1.0.0 of 1.0.0");
    expect(find("a", ">1.0.0")).toBeUndefined();
    expect([find("a", "2.0.0"), find("a", "1.4.0")]).toEqual(["2.0.0 of 2.0.0-rc.1", "1.4.0 of 1.4.0+try"]);
    expect([find("a", "1.1.0"), find("a", "1.2.0"), find("a", "1.3.0")]).toEqual([undefined, undefined, undefined]);
    expect(find("b")).toBeUndefined();
    expect(catalogue.versionsOf("a")).toEqual(["1.0.0"]);
    expect(catalogue.list(true).map(({ name, version }) => [name, version])).toEqual([
      ["a", "2.0.0"],
      ["b", "1.0.0"],
    ]);
  });

  test("a tool's own pre-releases count only for those who name one", () => {
    const { find, catalogue } = setUp([
      { name: "1.0.0", tools: { a: "1.0.0" } },
      { name: "1.1.0", tools: { a: "1.1.0-beta.1", b: "1.0.0-beta.1" } },
      { name: "2.0.0-rc.1", tools: { a: "1.1.0-beta.2" } },
    ]);
    expect(find("a")).toBe("1.0.0 of 1.0.0");
    expect(find("a", "^1")).toBe("1.0.0 of 1.0.0");
    expect(find("a", "1.1.0-beta.1")).toBe("1.1.0-beta.1 of 1.1.0");
    expect(find("a", "1.1.0-beta.2")).toBe("1.1.0-beta.2 of 2.0.0-rc.1");
    expect(catalogue.list(false).map(({ name }) => name)).toEqual(["a"]);
  });

  test("a version or a range chooses among the versions of a tool", () => {
    const { find, catalogue } = setUp([
      { name: "1.0.0", tools: { a: "1.0.0" } },
      { name: "1.1.0", tools: { a: "1.5.0" } },
      { name: "1.2.0", tools: { a: "2.0.0" } },
    ]);
    expect([find("a", "1.0.0"), find("a", "^1.0.0"), find("a", "*"), find("a", "3.x")]).toEqual([
      "1.0.0 of 1.0.0",
      "1.5.0 of 1.1.0",
      "2.0.0 of 1.2.0",
      undefined,
    ]);
    expect(catalogue.versionsOf("a")).toEqual(["2.0.0", "1.5.0", "1.0.0"]);
  });

  test("a version counts as soon as it was looked at, and no longer once it turned out broken or was deleted", () => {
    const [old, young] = [
      { name: "1.0.0", tools: { a: "1.0.0" } },
      { name: "1.1.0", tools: { a: "1.1.0" } },
    ];
    const { find, verify, push } = setUp([old, young], ["1.1.0"]);
    expect(find("a")).toBe("1.0.0 of 1.0.0");
    verify(young);
    expect(find("a")).toBe("1.1.0 of 1.1.0");
    verify({ ...young, isBroken: true });
    expect(find("a")).toBe("1.0.0 of 1.0.0");
    verify(young);
    push([old, { ...young, isDeleted: true }]);
    expect(find("a")).toBe("1.0.0 of 1.0.0");
  });
});

const semver = fc
  .tuple(fc.nat(2), fc.nat(2), fc.constantFrom("", "", "-rc.1"))
  .map(([major, minor, rest]) => `${major}.${minor}.0${rest}`);
const releases: fc.Arbitrary<readonly Released[]> = fc.uniqueArray(
  fc.record({
    name: fc.tuple(semver, fc.constantFrom("", "", "+x")).map(([version, build]) => version + build),
    createdAt: fc.nat(3),
    tools: fc.dictionary(fc.constantFrom("a", "b"), semver),
    isBroken: fc.constantFrom(false, false, true),
    isDeleted: fc.constantFrom(false, false, true),
  }),
  { selector: ({ name }) => name, maxLength: 8 },
);

test("[G5] whatever order versions are looked at in, the choice is what a search through all of them finds", () => {
  fc.assert(
    fc.property(releases, fc.nat(8), fc.option(fc.constantFrom("*", "^1", "1.0.0-rc.1")), (all, first, range) => {
      const late = all.slice(first);
      const { find, verify, index } = setUp(
        all,
        late.map(({ name }) => name),
      );
      // Built with the first ones, and added to with the others.
      find("a");
      late.forEach(verify);

      const stable = index().versions.filter(({ name, prerelease: isPrerelease, build, deleted }) => {
        const isGood = all.some((one) => one.name === name && !one.isBroken);
        return isGood && !isPrerelease && build === undefined && !deleted;
      });
      const offers = stable.flatMap((carrier) => {
        const version = all.find(({ name }) => name === carrier.name)?.tools["a"];
        return version === undefined ? [] : [{ version, carrier }];
      });
      const wanted = offers
        .filter(({ version }) => (range === null ? prerelease(version) === null : satisfies(version, range)))
        .sort((a, b) => compare(b.version, a.version) || compareVersions(a.carrier, b.carrier))[0];
      const found = find("a", range ?? undefined);
      // Pre-releases of the agent come in only where a version is named to the letter and no stable one has it.
      if (wanted !== undefined) expect(found).toBe(`${wanted.version} of ${wanted.carrier.name}`);
      else if (range !== "1.0.0-rc.1") expect(found).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});
