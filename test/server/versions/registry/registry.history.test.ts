import { cp } from "node:fs/promises";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import { type LocalRef, type RemoteRef, readRemoteRefs } from "../../../../server/versions/mirror/refs.ts";
import { planSync } from "../../../../server/versions/mirror/sync-plan.ts";
import { createRepository, openRepository, versionFiles } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { type TestRegistry, openTestRegistry } from "./open-test-registry.ts";

const LONG = process.env["CAIRN_LONG"] !== undefined;
const VERSIONS = ["1.0.0", "1.1.0", "1.1.0+b", "2.0.0"] as const;

/** What can happen to a repository, and to the service that follows it. */
type Step =
  | { readonly kind: "tag"; readonly version: string; readonly commit: number; readonly annotated: boolean }
  | { readonly kind: "delete"; readonly version: string }
  | { readonly kind: "pack" | "gc" | "refresh" | "restart" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("tag" as const),
      version: fc.constantFrom(...VERSIONS),
      commit: fc.nat(2),
      annotated: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("delete" as const), version: fc.constantFrom(...VERSIONS) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("refresh" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("pack" as const, "gc" as const, "restart" as const) }) },
);

describe("what a tag means", () => {
  test("[V1] is the commit that it was first seen at, whatever happens to it afterwards", async () => {
    const template = await createRepository();
    // Three commits for each version, all of which could rightly carry its tag.
    const commits = new Map<string, string[]>();
    for (const semver of ["1.0.0", "1.1.0", "2.0.0"]) {
      const made = [];
      for (const at of [1, 2, 3]) {
        made.push(await template.commit({ ...versionFiles(semver), "manifests/n.yaml": `${at}` }));
      }
      commits.set(semver, made);
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
        const path = await temporaryFolder();
        await cp(template.path, path, { recursive: true });
        const repository = openRepository(path);
        const [upstream, seen] = [new Map<string, string>(), new Map<string, string>()];
        const open = async (data?: string) => {
          const opened = await openTestRegistry(repository.path, {
            ...(data && { data }),
            limits: { lookAgainMs: 1e9 },
          });
          // Spends the one look at the upstream that an unknown version may cause.
          await opened.resolve("0.0.0").catch(() => undefined);
          return opened;
        };
        let registry: TestRegistry = await open();
        const observe = () => {
          for (const [version, commit] of upstream) if (!seen.has(version)) seen.set(version, commit);
        };
        try {
          for (const { ...event } of steps) {
            if (event.kind === "tag") {
              const commit = commits.get(event.version.replace(/\+.*/, ""))?.[event.commit] ?? "";
              await repository.tag(`v${event.version}`, commit, event);
              upstream.set(event.version, commit);
            } else if (event.kind === "delete") {
              await repository.git("update-ref", "-d", `refs/tags/v${event.version}`);
              upstream.delete(event.version);
            } else if (event.kind === "pack") {
              await repository.git("pack-refs", "--all", "--prune");
            } else if (event.kind === "gc") {
              await repository.git("gc", "--quiet", "--prune=now");
            } else if (event.kind === "restart") {
              await registry.close();
              registry = await open(registry.data);
              observe();
            } else {
              expect(await registry.refresh()).toMatchObject({ ok: true, failed: new Map() });
              observe();
            }
            await checkAgainstModel(registry, seen, upstream, event.kind === "refresh" || event.kind === "restart");
          }
        } finally {
          await registry.close();
        }
      }),
      { numRuns: LONG ? 200 : 8 },
    );
  }, 600_000);
});

async function checkAgainstModel(
  registry: TestRegistry,
  seen: ReadonlyMap<string, string>,
  upstream: ReadonlyMap<string, string>,
  fresh: boolean,
): Promise<void> {
  for (const version of VERSIONS) {
    const first = seen.get(version);
    const resolved = await registry.resolve(version).catch((error: unknown) => error);
    if (first !== undefined) {
      expect(resolved).toMatchObject({ version: { commit: first }, immutable: true });
      expect(await registry.resolve(first)).toMatchObject({ version: { commit: first } });
    } else if (resolved instanceof Error) {
      expect(resolved).toBeInstanceOf(CairnError);
    } else {
      // Only a build name stands in for a plain tag, and says so.
      expect(resolved).toMatchObject({ immutable: false, record: { build: "b" } });
    }
  }
  if (!fresh) return;
  const { alarms } = registry.status();
  for (const [version, first] of seen) {
    const now = upstream.get(version);
    const expected = now === undefined ? "deleted" : now === first ? undefined : "moved";
    expect([version, alarms.get(`v${version}`)?.kind]).toEqual([version, expected]);
  }
  const standing = [...seen.keys()].filter((version) => upstream.has(version));
  const { versions } = await registry.list({ limit: 99, offset: 0 });
  expect(versions.map(({ tag }) => tag?.slice(1)).sort()).toEqual(standing.sort());
  const [latest] = standing
    .filter((version) => !version.includes("+"))
    .sort()
    .reverse();
  const resolved = await registry.resolve("latest").catch(() => undefined);
  expect(resolved?.record.tag).toBe(latest && `v${latest}`);
}

describe("the plan for a refresh", () => {
  const oid = fc.constantFrom("a", "b", "c").map((letter) => letter.repeat(40));
  const ref = fc.constantFrom(
    "refs/tags/v1.0.0",
    "refs/tags/v1.1.0",
    "refs/heads/main",
    "refs/heads/x/y",
    "refs/pull/1/head",
    "refs/cairn/HEAD",
  );

  test("carried out, leaves nothing to do, and never touches a known tag", () => {
    const refs = fc.array(fc.tuple(ref, oid), { maxLength: 6 }).map(toRefs);
    fc.assert(
      fc.property(refs, refs, (remote, local) => {
        const plan = planSync(remote, local);
        const after = new Map(local);
        for (const name of plan.remove) after.delete(name);
        for (const wanted of [...plan.create, ...plan.update]) {
          expect(local.has(wanted.ref) && wanted.ref.startsWith("refs/tags/")).toBe(false);
          after.set(wanted.ref, { oid: wanted.oid, target: wanted.oid });
        }
        expect(plan.remove.filter((name) => name.startsWith("refs/tags/"))).toEqual([]);
        const again = planSync(remote, after);
        expect([again.create, again.update, again.remove]).toEqual([[], [], []]);
        expect([again.moved, again.deleted]).toEqual([plan.moved, plan.deleted]);
      }),
    );
  });

  test("leaves the mirror's own refs alone", () => {
    const own: [string, LocalRef][] = ["refs/cairn/labels", "refs/cairn/dev"].map((name) => [
      name,
      { oid: "a".repeat(40), target: "a".repeat(40), type: "commit", createdAt: 0 },
    ]);
    expect(planSync(new Map(), new Map(own)).remove).toEqual([]);
  });

  test("reads only refs that Cairn follows", () => {
    const id = "a".repeat(40);
    const lines = [
      "HEAD",
      "refs/heads/main",
      "refs/tags/v1.0.0",
      "refs/tags/v1.0.0^{}",
      "refs/tags/other",
      "refs/notes/x",
    ];
    const more = ["refs/pull/1/head", "refs/pull/1/merge", "refs/pull/01/head", "refs/pull/x/head", "refs/remotes/o/m"];
    const refs = readRemoteRefs([...lines, ...more].map((name) => `${id}\t${name}\n`).join(""), {
      proposals: ["refs/pull/*/head"],
    });
    expect([...refs.keys()].sort()).toEqual([
      "refs/cairn/HEAD",
      "refs/heads/main",
      "refs/pull/1/head",
      "refs/tags/v1.0.0",
    ]);
  });
});

function toRefs(entries: readonly [string, string][]): Map<string, RemoteRef> {
  return new Map(entries.map(([name, id]) => [name, { oid: id, target: id }]));
}
