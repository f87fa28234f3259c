import { spawnSync } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, open, readdir, readFile, readlink, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeBackup } from "../../../server/backup/make-backup.ts";
import { openLmdbStore } from "../../../server/store/lmdb/lmdb.ts";
import { openRepository } from "../../helpers/repository.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";
import { createData, restore, toOptions } from "./create-data.ts";

describe("a backup", () => {
  test("becomes a data folder that equals the one it was made of, where nothing can be made again", async () => {
    const made = await createData();
    const options = await toOptions(made);
    const manifest = await makeBackup(options);
    expect(manifest).toMatchObject({ schemaVersion: 1, cairn: "1.2.3", findings: [], leftOut: [] });
    expect(manifest.begunAt).toBe("2026-01-02T00:00:00.000Z");
    const data = join(await temporaryFolder(), "restored");
    expect(await restore(options.target, data)).toEqual(manifest);
    const names = ["audit.key", "instance", "mirror.git", "origin.git", "store", "workspaces"];
    expect((await readdir(data)).toSorted()).toEqual(names);
    expect(await readdir(join(data, "instance"))).toEqual(["process.lock"]);
    expect(await readdir(join(data, "store"))).toEqual(["data.mdb"]);
    for (const name of ["origin.git", "mirror.git"]) {
      expect(await listRefs(join(data, name))).toBe(await listRefs(join(made.data, name)));
      expect(await readFile(join(data, name, "HEAD"), "utf8")).toBe("ref: refs/heads/main\n");
      await openRepository(join(data, name)).git("fsck", "--strict");
    }
    expect((await stat(join(data, "origin.git", "hooks", "post-receive"))).mode & 0o777).toBe(0o755);
    const tree = join(data, "workspaces", "run-1", "tree");
    expect((await stat(join(tree, "run.sh"))).mode & 0o777).toBe(0o755);
    expect(await readlink(join(tree, "link"))).toBe("../../elsewhere");
    expect(await readdir(join(tree, "empty"))).toEqual([]);
    expect((await stat(join(data, "audit.key"))).mode & 0o777).toBe(0o600);
    expect((await stat(options.target)).mode & 0o777).toBe(0o700);
    const store = await openLmdbStore({ directory: join(data, "store") });
    expect(await store.get(["k"])).toMatchObject({ value: "kept" });
    expect(await store.admin.check()).toEqual([]);
    await store.admin.close();
  });

  test("keeps holes of files: it takes no more room than its original, and the same content is restored", async () => {
    const made = await createData();
    const path = join(made.data, "exports", "sparse");
    await mkdir(dirname(path));
    const file = await open(path, "w");
    await file.write("middle", 30_000_000);
    await file.truncate(60_000_000);
    await file.close();
    const options = await toOptions(made);
    await makeBackup(options);
    const copy = await stat(join(options.target, "data", "exports", "sparse"));
    expect([copy.size, copy.blocks * 512 < 2_000_000]).toEqual([60_000_000, true]);
    const data = join(await temporaryFolder(), "restored");
    await restore(options.target, data);
    const restored = await stat(join(data, "exports", "sparse"));
    expect([restored.size, restored.blocks * 512 < 2_000_000]).toEqual([60_000_000, true]);
  });

  test("has what repositories got until the store's moment, and keeps what runs committed although it went away", async () => {
    const made = await createData();
    await made.origin.git("branch", "topic");
    let isChanged = false;
    const options = await toOptions(made, {
      store: {
        ...made.store,
        admin: {
          ...made.store.admin,
          async backup(directory) {
            // Between the first copy of the repositories and that of the store.
            await made.origin.git("branch", "--delete", "topic");
            await made.origin.git("branch", "topic/below");
            await made.mirror.git("update-ref", "-d", "refs/cairn/runs/run-1");
            await made.mirror.git("update-ref", "refs/tags/v1.1.0", "main");
            isChanged = true;
            return made.store.admin.backup(directory);
          },
        },
      },
    });
    await makeBackup(options);
    expect(isChanged).toBe(true);
    const data = join(options.target, "data");
    expect(await listRefs(join(data, "origin.git"))).toBe(await listRefs(made.origin.path));
    const main = await made.mirror.git("rev-parse", "main");
    expect((await listRefs(join(data, "mirror.git"))).split("\n")).toEqual(
      expect.arrayContaining([`refs/cairn/runs/run-1 ${main}`, `refs/tags/v1.1.0 ${main}`]),
    );
  });

  test("takes a workspace as it was at one moment, and none that goes away meanwhile", async () => {
    const made = await createData();
    const workspaces = join(made.data, "workspaces");
    const tree = join(workspaces, "run-1", "tree");
    const write = (text: string) => {
      for (const name of ["a", "z"]) writeFileSync(join(tree, name), text);
    };
    write("before");
    await mkdir(join(workspaces, "run-2", "tree"), { recursive: true });
    const met = new Set<string>();
    const once = (text: string, words: string, act: () => void) => {
      if (!text.includes(words) || met.has(words)) return;
      met.add(words);
      act();
    };
    const onProgress = (text: string) => {
      // The first of the two files is copied already.
      once(text, "`run-1/tree/empty`", () => write("after"));
      once(text, "`run-2/tree`", () => renameSync(join(workspaces, "run-2"), join(made.data, "gone")));
    };
    const options = await toOptions(made, { onProgress });
    await makeBackup(options);
    expect([...met]).toEqual(["`run-1/tree/empty`", "`run-2/tree`"]);
    const copy = join(options.target, "data", "workspaces");
    expect(await readdir(copy)).toEqual(["run-1"]);
    const texts = ["a", "z"].map((name) => readFileSync(join(copy, "run-1", "tree", name), "utf8"));
    expect(texts).toEqual(["after", "after"]);
  });

  test("says what it left out, and what is wrong with the store that it copied", async () => {
    const made = await createData();
    spawnSync("mkfifo", [join(made.data, "pipe")]);
    const options = await toOptions(made, {
      openCopy: async (directory) => {
        const store = await openLmdbStore({ directory });
        return { ...store, admin: { ...store.admin, check: async () => ["entries: `k` is damaged"] } };
      },
    });
    expect(await makeBackup(options)).toMatchObject({
      leftOut: ["pipe: no file, folder or link"],
      findings: ["entries: `k` is damaged"],
    });
  });

  test("leaves nothing when it is stopped, wherever that happens", async () => {
    const made = await createData();
    let steps = 0;
    await makeBackup(await toOptions(made, { onProgress: () => void (steps += 1) }));
    expect(steps).toBeGreaterThan(10);
    for (let at = 1; at < steps; at += Math.ceil(steps / 6)) {
      const stopping = new AbortController();
      let step = 0;
      const onProgress = () => {
        if ((step += 1) === at) stopping.abort();
      };
      const options = await toOptions(made, { onProgress, signal: stopping.signal });
      await expect(makeBackup(options)).rejects.toMatchObject({ name: "CANCELLED" });
      expect(await readdir(dirname(options.target))).toEqual([]);
    }
  });

  test("leaves nothing when it fails", async () => {
    const made = await createData();
    const backup = async () => Promise.reject(new Error("no room"));
    const store = { ...made.store, admin: { ...made.store.admin, backup } };
    const options = await toOptions(made, { store });
    await expect(makeBackup(options)).rejects.toThrow("no room");
    expect(await readdir(dirname(options.target))).toEqual([]);
  });

  test("is refused inside of the data folder, and where something is already", async () => {
    const made = await createData();
    for (const target of [made.data, join(made.data, "backups", "new")]) {
      await expect(makeBackup(await toOptions(made, { target }))).rejects.toMatchObject({
        name: "BAD_REQUEST",
        message: `\`${target}\` lies in the data folder; a backup must be somewhere else.`,
      });
    }
    const target = await temporaryFolder();
    await writeFile(join(target, "mine"), "");
    await expect(makeBackup(await toOptions(made, { target }))).rejects.toMatchObject({ name: "BAD_REQUEST" });
    expect(await readdir(target)).toEqual(["mine"]);
    await expect(makeBackup(await toOptions(made, { target: join(target, "mine") }))).rejects.toMatchObject({
      message: expect.stringContaining("cannot be the folder of a backup: ENOTDIR"),
    });
  });
});

async function listRefs(path: string): Promise<string> {
  return openRepository(path).git("for-each-ref", "--format=%(refname) %(objectname)");
}
