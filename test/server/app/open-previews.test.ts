import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { OpenedPreview } from "../../../server/app/open-preview.ts";
import { openPreviews, PREVIEW_IDLE_MS, PREVIEW_LIMIT } from "../../../server/app/open-previews.ts";
import { createLog } from "../../../server/log/log.ts";
import type { RegistryEvent } from "../../../server/versions/registry/registry-types.ts";
import type { Resolved } from "../../../server/versions/registry/resolve/resolve.ts";
import type { Version } from "../../../server/versions/version.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

const headOf = (number: number, text = "a"): Version => ({
  ...createTestVersion({ commit: text.repeat(38) + String(number).padStart(2, "0") }),
  preview: number,
});

/** Previews that only note what is done to them; `heads` are what pull requests have now, `closed` what the forge says. */
async function setUp({ knowsForge = false } = {}) {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const data = await temporaryFolder();
  // Of a process that is gone, of this one before, and of one that is there.
  for (const name of ["4194999-abc", `${process.pid}-abc`, "1-abc"]) {
    await mkdir(join(data, "previews", name), { recursive: true });
    await writeFile(join(data, "previews", name, "data.mdb"), "x");
  }
  let time = 1_000_000;
  const [done, asked, closed, heads]: [string[], number[], Set<number>, Map<string, Version>] = [
    [],
    [],
    new Set(),
    new Map(),
  ];
  const failing = new Set<number>();
  const listeners = new Set<(event: RegistryEvent) => void>();
  const previews = await openPreviews({
    registry: {
      inspect: async (commit) => {
        const version = heads.get(commit);
        if (version === undefined) throw new Error("There is no such version.");
        return { version } as Resolved;
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    data,
    open: async ({ preview = 0 }, folder) => {
      if (failing.has(preview)) throw new Error("There is no room.");
      done.push(`open ${preview}`);
      return {
        kernel: { folder } as unknown as OpenedPreview["kernel"],
        close: async () => void done.push(`close ${preview}`),
      };
    },
    audit: {
      changed: async ({ change, target, details }) => {
        done.push(`${change} ${target}${details?.["reason"] === undefined ? "" : `: ${String(details["reason"])}`}`);
        return "id";
      },
    },
    ...(knowsForge
      ? {
          isOpen: async (number: number) => {
            asked.push(number);
            return !closed.has(number);
          },
        }
      : {}),
    now: () => time,
    log: createLog("silent"),
    onError: (error) => void done.push(`error ${String(error)}`),
  });
  onTestFinished(() => previews.close());
  return {
    data,
    done,
    asked,
    closed,
    heads,
    failing,
    listeners,
    previews,
    pass: (ms: number) => void (time += ms),
    sweep: async () => {
      vi.advanceTimersByTime(60_000);
      await new Promise(setImmediate);
    },
    moved: async () => {
      for (const listener of listeners) listener({ kind: "refs" });
      await new Promise(setImmediate);
    },
  };
}

describe("[V9] previews", () => {
  test("begin with nothing, are opened once each, and go with the service", async () => {
    const { data, done, previews } = await setUp();
    expect((await readdir(join(data, "previews"))).sort()).toEqual([
      "1-abc",
      expect.stringMatching(`^${process.pid}-(?!abc)`),
    ]);
    const [one, two] = await Promise.all([previews.open(headOf(1)), previews.open(headOf(1))]);
    expect(one).toBe(two);
    await previews.open(headOf(2));
    expect(done).toEqual(["preview.opened pull/1", "open 1", "preview.opened pull/2", "open 2"]);
    expect(previews.count()).toBe(2);
    done.splice(0);
    await previews.close();
    expect([...done].sort()).toEqual([
      "close 1",
      "close 2",
      "preview.dropped pull/1: the service ends",
      "preview.dropped pull/2: the service ends",
    ]);
    expect(await readdir(join(data, "previews"))).toEqual(["1-abc"]);
    await expect(previews.open(headOf(3))).rejects.toMatchObject({ name: "UNAVAILABLE" });
  });

  test("make room for one another, the one used longest ago first", async () => {
    const { done, previews } = await setUp();
    for (let number = 1; number <= PREVIEW_LIMIT; number += 1) await previews.open(headOf(number));
    await previews.open(headOf(1));
    done.splice(0);
    await previews.open(headOf(99));
    await new Promise(setImmediate);
    expect(done).toEqual(expect.arrayContaining(["open 99", "close 2", "preview.dropped pull/2: others are tried"]));
    expect(previews.count()).toBe(PREVIEW_LIMIT);
    // Opened again it has another folder: the one before may still be on its way out.
    const kernel = (await previews.open(headOf(2))) as unknown as { folder: string };
    expect(kernel.folder).toMatch(/02-\d+$/);
  });

  test("are dropped when nobody calls them for an hour", async () => {
    const { done, previews, pass, sweep } = await setUp();
    await previews.open(headOf(1));
    await previews.open(headOf(2));
    pass(PREVIEW_IDLE_MS - 1);
    await previews.open(headOf(2));
    await sweep();
    expect(previews.count()).toBe(2);
    pass(2);
    await sweep();
    expect(previews.count()).toBe(1);
    expect(done).toContain("preview.dropped pull/1: nobody has called it for an hour");
  });

  test("are dropped when their head is another, or is no preview any more", async () => {
    const { done, heads, previews, moved } = await setUp();
    const [one, two, three] = [headOf(1), headOf(2), headOf(3)];
    for (const version of [one, two, three]) {
      heads.set(version.commit, version);
      await previews.open(version);
    }
    await moved();
    expect(previews.count()).toBe(3);
    heads.delete(one.commit);
    // Tagged, say.
    heads.set(two.commit, createTestVersion({ commit: two.commit }));
    await moved();
    expect(previews.count()).toBe(1);
    for (const number of [1, 2]) {
      expect(done).toContain(`preview.dropped pull/${number}: it is not the head of its pull request any more`);
    }
  });

  test("are refused and dropped when the forge says that their pull request is closed", async () => {
    const { done, asked, closed, previews, pass, sweep } = await setUp({ knowsForge: true });
    await previews.open(headOf(1));
    await previews.open(headOf(1));
    // It is believed for a minute.
    expect(asked).toEqual([1]);
    closed.add(1);
    pass(60_000);
    await expect(previews.open(headOf(1))).rejects.toMatchObject({
      name: "VERSION_NOT_SERVED",
      message: expect.stringContaining("Pull request 1 is closed"),
    });
    expect([previews.count(), done.at(-1)]).toEqual([0, "preview.dropped pull/1: its pull request is closed"]);
    await expect(previews.open(headOf(1))).rejects.toMatchObject({ name: "VERSION_NOT_SERVED" });

    // At once where the forge tells by itself, and within a minute where nobody calls.
    await previews.open(headOf(2));
    await previews.open(headOf(3));
    closed.add(2).add(3);
    previews.nudge(2);
    await new Promise(setImmediate);
    expect(previews.count()).toBe(1);
    pass(60_000);
    await sweep();
    expect(previews.count()).toBe(0);
  });

  test("that cannot be opened are tried again", async () => {
    const { failing, previews } = await setUp();
    failing.add(1);
    await expect(previews.open(headOf(1))).rejects.toThrow("There is no room.");
    expect(previews.count()).toBe(0);
    failing.clear();
    await previews.open(headOf(1));
    expect(previews.count()).toBe(1);
  });
});
