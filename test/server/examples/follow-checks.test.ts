import { expect, onTestFinished, test, vi } from "vitest";
import { followChecks } from "../../../server/examples/follow-checks.ts";
import { loadTests } from "../../../server/examples/test-reports.ts";
import type { CheckRun } from "../../../server/forge/forge.ts";
import { createNudges } from "../../../server/forge/nudges.ts";
import { loadGit } from "../../../server/versions/git/git.ts";
import { createRepository } from "../../helpers/repository.ts";
import { openTestStore } from "../../helpers/store.ts";

/** When the test repository's commits are. */
const NOW = Date.UTC(2026, 0, 1, 1);

async function open({ now = NOW, pollMs = 5 } = {}) {
  const repository = await createRepository();
  const [old, tagged] = [await repository.release("1.0.0"), await repository.release("1.1.0", { a: "a\n" })];
  const untagged = await repository.commit({ b: "b\n" });
  const store = await openTestStore();
  const runs = new Map<string, readonly CheckRun[] | Error>();
  const asked: string[] = [];
  const errors: unknown[] = [];
  const { nudge, onNudge } = createNudges((error) => errors.push(error));
  const checks = async (oid: string) => {
    asked.push(oid);
    const known = runs.get(oid) ?? [];
    if (known instanceof Error) throw known;
    return known;
  };
  const git = await loadGit({ environment: process.env });
  const start = () => {
    const place = { git, gitDir: `${repository.path}/.git`, store };
    const onError = (error: unknown) => void errors.push(error);
    const follower = followChecks({
      ...place,
      forge: { checks },
      reporter: "acme/tools",
      onNudge,
      pollMs,
      now: () => now,
      onError,
    });
    onTestFinished(() => follower.close());
    return follower;
  };
  const statusOf = async (commit: string) => (await loadTests(store, [commit])).get(commit)?.status;
  return { old, tagged, untagged, runs, asked, errors, nudge, start, statusOf };
}

const done = (status: CheckRun["status"]): readonly CheckRun[] => [
  { name: "ci", status, completedAt: "2026-01-01T00:00:00Z" },
];

test("keeps what has come of tagged commits, and looks again at new ones until something has", async () => {
  const { old, tagged, runs, asked, start, statusOf } = await open();
  runs.set(old, done("success"));
  runs.set(tagged, [{ name: "ci", status: "pending" }]);
  start();
  await vi.waitFor(() => expect(asked.filter((oid) => oid === tagged).length).toBeGreaterThan(3));
  expect([await statusOf(old), await statusOf(tagged)]).toEqual(["pass", undefined]);
  expect(asked.filter((oid) => oid === old)).toHaveLength(1);
  runs.set(tagged, done("failure"));
  await vi.waitFor(async () => expect(await statusOf(tagged)).toBe("fail"));
});

test("looks at what is old once, and again when the forge tells of it", async () => {
  const { old, tagged, untagged, runs, asked, nudge, start, statusOf } = await open({
    now: NOW + 7 * 24 * 60 * 60_000,
  });
  start();
  await vi.waitFor(() => expect(asked.toSorted()).toEqual([old, tagged].toSorted()));
  runs.set(tagged, done("success"));
  nudge({ commit: untagged });
  nudge({ branch: "main" });
  nudge({ commit: tagged });
  await vi.waitFor(async () => expect(await statusOf(tagged)).toBe("pass"));
  expect(asked).toHaveLength(3);
  // A check that ran again.
  runs.set(tagged, done("failure"));
  nudge({ commit: tagged });
  await vi.waitFor(async () => expect(await statusOf(tagged)).toBe("fail"));
});

test("goes on after the forge could not be asked, and ends when it is closed", async () => {
  const { tagged, runs, asked, errors, start, statusOf } = await open();
  runs.set(tagged, new Error("away"));
  const follower = start();
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(1));
  runs.set(tagged, done("success"));
  await vi.waitFor(async () => expect(await statusOf(tagged)).toBe("pass"));
  await follower.close();
  const count = asked.length;
  await new Promise(setImmediate);
  expect(asked).toHaveLength(count);
});
