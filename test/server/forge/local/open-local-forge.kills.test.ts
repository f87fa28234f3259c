import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Change, Forge } from "../../../../server/forge/forge.ts";
import { openLocalForge } from "../../../../server/forge/local/open-local-forge.ts";
import type { Store } from "../../../../server/store/store.ts";
import type { Git } from "../../../../server/versions/git/git.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { REQUIRED, SUCCESS, green, proposal, start } from "../contract/steps.ts";
import { type LocalBench, NOW, openLocalBench } from "../open-local-bench.ts";

interface Scene {
  readonly bench: LocalBench;
  readonly from: string;
  readonly change: Change;
  readonly head: string;
}

/** What is cut off, on what, and which answers it may have when it is done again. */
interface Scenario {
  readonly name: string;
  /** Done once, to the repository. */
  prepare?(scene: Scene): Promise<unknown>;
  /** Done to each copy of it, for what is in the store. */
  begin?(forge: Forge, scene: Scene): Promise<unknown>;
  act(forge: Forge, scene: Scene): Promise<unknown>;
  readonly again?: unknown;
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: "propose",
    act: (forge, { from }) =>
      forge.propose(proposal("two", from, { "a.txt": "1\n", "b.txt": null, "d/e.bin": new Uint8Array([0, 255]) })),
  },
  {
    name: "refresh",
    prepare: ({ bench }) => bench.push("main", { "h.txt": "h" }),
    act: async (forge, { change }) => {
      const refreshed = await forge.refresh(change);
      return refreshed.outcome === "conflict" ? refreshed : refreshed.head;
    },
  },
  {
    name: "land",
    begin: (forge, { bench, head }) => green({ ...bench, forge }, head),
    act: (forge, { change, head }) => forge.land(change, { expectHead: head, mode: "now" }),
  },
  {
    name: "land what somebody's push has landed",
    prepare: ({ bench, head }) => bench.git.run([`--git-dir=${bench.path}`, "update-ref", "refs/heads/main", head]),
    act: (forge, { change, head }) => forge.land(change, { expectHead: head, mode: "now" }),
  },
  {
    name: "have it land when green",
    begin: (forge, { head }) => forge.report(head, "semver", SUCCESS),
    act: async (forge, { change, head }) => {
      await forge.land(change, { expectHead: head, mode: "when-green" });
      await forge.report(head, "test", SUCCESS);
      return (await forge.status(change)).state;
    },
  },
  {
    name: "report the last check",
    begin: async (forge, { change, head }) => {
      await forge.land(change, { expectHead: head, mode: "when-green" });
      await forge.report(head, "semver", SUCCESS);
    },
    act: (forge, { head }) => forge.report(head, "test", SUCCESS),
  },
  {
    name: "abandon",
    act: (forge, { change }) => forge.abandon(change, "Nobody wants it."),
  },
  {
    name: "tag",
    act: (forge, { from }) => forge.tag("v1.0.0", from, "Version 1.0.0"),
    again: "same",
  },
];

describe("a local forge that is killed between any two steps", () => {
  test.each(SCENARIOS)("can $name again, to the same end", async ({ prepare, begin, act, again }) => {
    const scene = await setScene();
    await prepare?.(scene);
    const whole = await openCopy(scene);
    await begin?.(whole.forge, scene);
    const count = whole.life.begin(Number.POSITIVE_INFINITY);
    const answer = await act(whole.forge, scene);
    const steps = count();
    const end = await readRefs(whole.path, scene);
    expect(steps).toBeGreaterThan(1);

    for (let lived = 0; lived <= steps; lived += 1) {
      const copy = await openCopy(scene);
      await begin?.(copy.forge, scene);
      const before = await readRefs(copy.path, scene);
      copy.life.begin(lived);
      const cut = await act(copy.forge, scene).then(
        () => "lived",
        (error: unknown) => String(error),
      );
      expect(cut, `after ${lived} of ${steps} steps`).toBe(lived < steps ? "Error: killed" : "lived");
      const left = await readRefs(copy.path, scene);
      expect([before, end], `after ${lived} of ${steps} steps`).toContain(left);

      const revived = await openLocalForge({ ...copy.options, git: scene.bench.git, store: copy.store });
      const second = await act(revived, scene);
      expect(await readRefs(copy.path, scene), `after ${lived} of ${steps} steps`).toBe(end);
      expect(left === end && again !== undefined ? again : answer).toEqual(second);
    }
  });
});

async function setScene(): Promise<Scene> {
  const { bench, from } = await start(openLocalBench);
  const change = await bench.forge.propose(proposal("one", from, { "c.txt": "c" }));
  const { head } = await bench.forge.status(change);
  return { bench, from, change, head };
}

async function openCopy({ bench }: Scene) {
  const path = join(await temporaryFolder(), "origin.git");
  await cp(bench.path, path, { recursive: true });
  const store = await openTestStore();
  const life = createLife();
  const options = { path, copy: path, required: REQUIRED, now: () => NOW };
  const git: Git = { ...bench.git, run: (...args) => life.step(() => bench.git.run(...args)) };
  const mortal: Store = { ...store, commit: (commit) => life.step(() => store.commit(commit)) };
  return { path, store, options, life, forge: await openLocalForge({ ...options, git, store: mortal }) };
}

/** Counts steps, and has none done any more after so many. */
function createLife() {
  let [left, done] = [Number.POSITIVE_INFINITY, 0];
  return {
    begin: (steps: number) => {
      [left, done] = [steps, 0];
      return () => done;
    },
    step: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (done >= left) throw new Error("killed");
      done += 1;
      return work();
    },
  };
}

/** All refs, with what they lead to. */
function readRefs(path: string, { bench }: Scene): Promise<string> {
  return bench.git.run([`--git-dir=${path}`, "for-each-ref"]);
}
