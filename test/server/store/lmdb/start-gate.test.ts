import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tryFileLock } from "../../../../server/store/file-lock.ts";
import { openLmdbStore } from "../../../../server/store/lmdb/lmdb.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { LIMIT_MS, LONG } from "../long.ts";
import { openStore, range } from "../open-store.ts";
import { openSmallDisk } from "../../../helpers/small-disk.ts";
import { startProgram } from "../start-program.ts";

const TRIAL = join("server", "store", "lmdb", "trial.ts");
const PAGE_BYTES = 4_096;
const RUINS = LONG ? 400 : 8;

describe("the start of a store", () => {
  test("refuses a truncated file without being ended by a signal, and says what to do", async () => {
    for (const share of [0.1, 0.5, 0.9]) {
      const directory = await filledDirectory();
      const { size } = await stat(join(directory, "data.mdb"));
      await truncate(join(directory, "data.mdb"), Math.floor((size * share) / PAGE_BYTES) * PAGE_BYTES);
      await expect(openLmdbStore({ directory })).rejects.toMatchObject({
        name: "UNAVAILABLE",
        message: expect.stringMatching(/was ended by `SIG\w+`.*Move the directory away and put a backup in its place/),
      });
    }
  });

  test("refuses a file whose headers are zeros", async () => {
    const directory = await filledDirectory();
    await overwrite(directory, 0, Buffer.alloc(2 * PAGE_BYTES));
    await expect(openLmdbStore({ directory })).rejects.toMatchObject({ name: "UNAVAILABLE" });
  });

  test("refuses a file that is empty or gone, instead of starting over", async () => {
    const directory = await filledDirectory();
    const missing = { name: "UNAVAILABLE", message: expect.stringContaining("its file is missing or empty") };
    await truncate(join(directory, "data.mdb"), 0);
    await expect(openLmdbStore({ directory })).rejects.toMatchObject(missing);
    await rm(join(directory, "data.mdb"));
    await expect(openLmdbStore({ directory })).rejects.toMatchObject(missing);
  });

  test("refuses a directory that it may not use", async () => {
    const directory = join(await temporaryFolder(), "file");
    await writeFile(directory, "");
    await expect(openLmdbStore({ directory })).rejects.toMatchObject({ name: "UNAVAILABLE" });
  });

  test("takes a file that lacks only pages that were never needed", async () => {
    const directory = await filledDirectory();
    const first = await openStore("lmdb", { directory });
    await first.commit({ del: range(300).map((n) => ["k", n]) });
    await first.commit({ set: [{ key: ["small"], value: 1 }] });
    await first.admin.close();
    const { size } = await stat(join(directory, "data.mdb"));
    await truncate(join(directory, "data.mdb"), size - PAGE_BYTES);
    const outcome = await openLmdbStore({ directory }).then(
      async (store) => {
        const findings = await store.admin.check();
        await store.admin.close();
        return findings;
      },
      (error: Error) => error.name,
    );
    expect(outcome).toEqual([]);
  });

  test("refuses to begin on a full disk, where creating its files would end in a signal", async (context) => {
    const disk = await openSmallDisk(context);
    const open = () => openLmdbStore({ directory: join(disk, "store") });
    const full = { name: "UNAVAILABLE", message: expect.stringContaining("is full; make room and start again") };
    await expect(writeFile(join(disk, "ballast"), Buffer.alloc(9_000_000))).rejects.toMatchObject({ code: "ENOSPC" });
    await expect(open()).rejects.toMatchObject(full);
    await truncate(join(disk, "ballast"), 1_000_000);
    await (await open()).admin.close();
    await rm(join(disk, "store", "lock.mdb"));
    await expect(writeFile(join(disk, "ballast"), Buffer.alloc(9_000_000))).rejects.toMatchObject({ code: "ENOSPC" });
    await expect(open()).rejects.toMatchObject(full);
  });

  test.each([
    ["kill -KILL $$", "a trial process was ended by `SIGKILL`"],
    ["echo reading; kill -TERM $$", "a trial process was ended by `SIGTERM`"],
    ["echo No memory. >&2; exit 1", "a trial process ended with code 1: No memory."],
    ["echo reading; echo EMFILE >&2; exit 11", "a trial process ended with code 11: EMFILE"],
  ])("calls no file damaged because of a trial that ends with `%s`", async (script, message) => {
    const directory = await filledDirectory();
    await rm(join(directory, "clean"));
    await withTrial(`#!/bin/sh\n${script}\n`, async () => {
      await expect(openLmdbStore({ directory })).rejects.toMatchObject({
        name: "UNAVAILABLE",
        message: `The store in \`${directory}\` could not be looked at: ${message}. Start again.`,
      });
    });
    expect(await (await openStore("lmdb", { directory })).admin.check()).toEqual([]);
  });

  test.each(["echo reading; kill -BUS $$", "echo reading; exit 1"])(
    "calls a file damaged whose trial ends with `%s`",
    async (script) => {
      const directory = await filledDirectory();
      await rm(join(directory, "clean"));
      await withTrial(`#!/bin/sh\n${script}\n`, async () => {
        await expect(openLmdbStore({ directory })).rejects.toMatchObject({
          message: expect.stringContaining("is damaged: a trial process that read its file"),
        });
      });
    },
  );

  test("changes nothing in the file by its trial", async () => {
    const directory = await filledDirectory();
    const before = await readFile(join(directory, "data.mdb"));
    const trial = spawn(process.execPath, [TRIAL, directory]);
    expect(await once(trial, "close")).toEqual([0, null]);
    expect((await readFile(join(directory, "data.mdb"))).equals(before)).toBe(true);
  });

  test("ends its trial when it is killed itself, however long reading takes, and the next one starts", async () => {
    const directory = await filledDirectory();
    const preload = join(import.meta.dirname, "../programs", "endless-trial.ts");
    const trial = spawn(process.execPath, ["--import", preload, TRIAL, directory], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(trial.stdout, "data");
    expect(tryFileLock(join(directory, "process.lock"))).toBeUndefined();
    trial.stdin.destroy();
    expect(await once(trial, "close")).toEqual([null, "SIGKILL"]);
    expect(await (await openStore("lmdb", { directory })).admin.check()).toEqual([]);
  });

  test("creates its directory for its own account only", async () => {
    const directory = join(await temporaryFolder(), "a", "b.store");
    await openStore("lmdb", { directory });
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    for (const file of ["data.mdb", "lock.mdb", "clean"]) {
      expect((await stat(join(directory, file))).mode & 0o077).toBe(0);
    }
  });

  test(
    `ends in no signal, whichever of ${RUINS} pages is ruined`,
    async () => {
      const healthy = await filledDirectory();
      const bytes = await readFile(join(healthy, "data.mdb"));
      const pages = bytes.length / PAGE_BYTES;
      const ruin = async (n: number) => {
        const directory = await temporaryFolder();
        const ruined = Buffer.from(bytes);
        const page = (n * 7_919) % pages;
        ruined.fill(n % 2 === 0 ? 0 : "garbage", page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
        await writeFile(join(directory, "data.mdb"), ruined);
        const program = startProgram("store-user", "lmdb", directory);
        program.go();
        expect({ page, ...(await program.ended()) }).toMatchObject({ page, code: 0, signal: null });
      };
      for (let n = 0; n < RUINS; n += 4) await Promise.all(range(4).map((more) => ruin(n + more)));
    },
    LIMIT_MS,
  );
});

async function filledDirectory(): Promise<string> {
  const directory = await temporaryFolder();
  const store = await openStore("lmdb", { directory });
  for (let turn = 0; turn < 5; turn++) {
    await store.commit({
      set: range(300).map((n) => ({ key: ["k", n], value: `${turn}`.repeat((n * 31) % 6_000) })),
      append: range(20).map((n) => ({ log: "l", entry: n })),
    });
  }
  await store.admin.close();
  return directory;
}

/** Has a shell script in the place of the program that runs trials, for the time of `work`. */
async function withTrial(script: string, work: () => Promise<void>): Promise<void> {
  const program = join(await temporaryFolder(), "trial");
  await writeFile(program, script, { mode: 0o700 });
  const { execPath } = process;
  process.execPath = program;
  try {
    await work();
  } finally {
    process.execPath = execPath;
  }
}

async function overwrite(directory: string, at: number, bytes: Buffer): Promise<void> {
  const file = join(directory, "data.mdb");
  const all = await readFile(file);
  bytes.copy(all, at);
  await writeFile(file, all);
}
