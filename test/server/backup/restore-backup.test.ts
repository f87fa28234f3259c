import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, cp, lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeBackup } from "../../../server/backup/make-backup.ts";
import { checkBackup } from "../../../server/backup/restore-backup.ts";
import { holdOrAsk } from "../../../server/instance/hold-or-ask.ts";
import { createShared, temporaryFolder } from "../../helpers/temporary.ts";
import { createData, restore, toOptions } from "./create-data.ts";

const shared = createShared();
let pristine = "";

beforeAll(async () => {
  pristine = join(await temporaryFolder(shared.atEnd), "backup");
  await makeBackup(await toOptions(await createData(shared.atEnd), { target: pristine }));
});
afterAll(shared.undoAll);

/** A backup to do harm to. */
async function copyBackup(): Promise<string> {
  const backup = join(await temporaryFolder(), "backup");
  await cp(pristine, backup, { recursive: true, verbatimSymlinks: true });
  return backup;
}

describe("a restore", () => {
  async function changeManifest(backup: string, change: (manifest: { entries: object[] }) => void): Promise<void> {
    const path = join(backup, "manifest.json");
    const manifest = JSON.parse(await readFile(path, "utf8")) as { entries: object[] };
    change(manifest);
    await writeFile(path, JSON.stringify(manifest));
  }

  test("refuses a folder that holds anything, and changes nothing there", async () => {
    const backup = await copyBackup();
    const data = await temporaryFolder();
    await writeFile(join(data, "mine"), "mine");
    await expect(restore(backup, data)).rejects.toMatchObject({
      name: "BAD_REQUEST",
      message: `\`${data}\` is not empty; a backup is restored into a folder that is.`,
    });
    expect(await readdir(data)).toEqual(["mine"]);
  });

  test.each(["store/data.mdb", "audit.key", "origin.git/HEAD"])(
    "refuses a backup in which a bit of `%s` has flipped, or that lacks it, and leaves nothing",
    async (path) => {
      const backup = await copyBackup();
      const file = join(backup, "data", path);
      const bytes = await readFile(file);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 4;
      for (const [damage, what] of [
        [() => writeFile(file, bytes), "is not as it was when the backup was made"],
        [() => rm(file), "is missing"],
      ] as const) {
        await chmod(file, 0o600);
        await damage();
        const data = await temporaryFolder();
        const damaged = { name: "UNPROCESSABLE", message: `The backup is damaged: \`${path}\` ${what}.` };
        await expect(checkBackup({ backup, onEntry: () => undefined })).rejects.toMatchObject(damaged);
        await expect(restore(backup, data)).rejects.toMatchObject(damaged);
        expect(await readdir(data)).toEqual([]);
      }
    },
  );

  test("refuses what was cut short, also just before it got its name, and what is no backup", async () => {
    const backup = await copyBackup();
    const unnamed = `${backup}.unfinished-7`;
    await cp(backup, unnamed, { recursive: true });
    await expect(restore(unnamed, await temporaryFolder())).rejects.toMatchObject({
      name: "BAD_REQUEST",
      message: `\`${unnamed}\` is no backup, or one that was cut short: it has the name of an unfinished one.`,
    });
    await rm(join(backup, "manifest.json"));
    const data = await temporaryFolder();
    const message = `\`${backup}\` is no backup, or one that was cut short: it has no \`manifest.json\`.`;
    await expect(restore(backup, data)).rejects.toMatchObject({ name: "BAD_REQUEST", message });
    await writeFile(join(backup, "manifest.json"), "{");
    await expect(restore(backup, data)).rejects.toMatchObject({
      name: "BAD_REQUEST",
      message: expect.stringContaining("manifest.json` cannot be understood"),
    });
  });

  const FILE = { kind: "file", mode: 0o600, bytes: 0, sha256: createHash("sha256").digest("hex") };

  test.each([
    ["above the data folder", [{ ...FILE, path: "../above" }]],
    ["at a full path", [{ ...FILE, path: "/tmp/above" }]],
    [
      "by a way that leads up",
      [
        { kind: "folder", path: "a" },
        { ...FILE, path: "a/../../above" },
      ],
    ],
    [
      "through a link",
      [
        { kind: "link", path: "out", target: "/tmp" },
        { ...FILE, path: "out/above" },
      ],
    ],
    [
      "twice",
      [
        { ...FILE, path: "a" },
        { ...FILE, path: "a" },
      ],
    ],
    ["that runs as another account", [{ ...FILE, path: "a", mode: 0o4755 }]],
  ])("writes no file %s, whatever a manifest says", async (_, entries) => {
    const backup = await copyBackup();
    await changeManifest(backup, (manifest) => manifest.entries.push(...entries));
    const parent = await temporaryFolder();
    await expect(restore(backup, join(parent, "data"))).rejects.toMatchObject({
      name: "BAD_REQUEST",
      message: expect.stringContaining("cannot be understood"),
    });
    expect(await readdir(parent)).toEqual([]);
    await expect(lstat("/tmp/above")).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("that fails takes away the folders that it made, and leaves those that were there", async () => {
    const backup = await copyBackup();
    await rm(join(backup, "data", "audit.key"));
    const parent = await temporaryFolder();
    await mkdir(join(parent, "there"));
    const damaged = { message: "The backup is damaged: `audit.key` is missing." };
    await expect(restore(backup, join(parent, "there", "new", "data"))).rejects.toMatchObject(damaged);
    expect(await readdir(parent, { recursive: true })).toEqual(["there"]);
    // Somebody has run a command on the empty folder before: what says who has it stays.
    const used = join(parent, "used");
    const use = await holdOrAsk({ data: used, command: "serve", now: Date.now });
    if ("instance" in use) await use.instance.release();
    await expect(restore(backup, used)).rejects.toMatchObject(damaged);
    expect(await readdir(used, { recursive: true })).toEqual(["instance", "instance/process.lock"]);
  });

  /** Has a process restore into `data`, and be killed by the code `kill`, which may use the modules `fs` and `path`. */
  function restoreAndDie(backup: string, data: string, kill: string): void {
    const program = `
      const fs = process.getBuiltinModule("node:fs");
      const { syncBuiltinESMExports } = process.getBuiltinModule("node:module");
      const die = () => process.kill(process.pid, "SIGKILL");
      let onEntry = () => undefined;
      ${kill};
      syncBuiltinESMExports();
      const { restoreBackup } = await import(${JSON.stringify(join(import.meta.dirname, "../../../server/backup/restore-backup.ts"))});
      const [backup, data] = process.argv.slice(1);
      await restoreBackup({ backup, data, now: Date.now, onEntry: (path) => onEntry(path) });
    `;
    const { signal, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program, backup, data]);
    expect([signal, String(stderr)]).toEqual(["SIGKILL", ""]);
  }

  const CUT_SHORT = (data: string) => `A restore into \`${data}\` was cut short; empty the folder and restore again.`;

  test("that is killed leaves a folder on which nothing starts", async () => {
    const backup = await copyBackup();
    const data = join(await temporaryFolder(), "data");
    restoreAndDie(backup, data, 'onEntry = (path) => path === "store/data.mdb" && die()');
    expect(await readdir(data)).toContain("origin.git");
    const message = CUT_SHORT(data);
    await expect(holdOrAsk({ data, command: "serve", now: Date.now })).rejects.toMatchObject({ message });
    await expect(restore(backup, data)).rejects.toMatchObject({ message: expect.stringContaining("is not empty") });
  });

  test.each([
    ["before the folder has anything in it but the mark", "fs.renameSync = die"],
    [
      "as soon as the folder has who holds it",
      "const rename = fs.renameSync; fs.renameSync = (...a) => { rename(...a); die(); }",
    ],
    ["before anything is copied", "onEntry = die"],
  ])("that is killed %s leaves one, too", async (_, kill) => {
    const backup = await copyBackup();
    const parent = await temporaryFolder();
    for (const name of ["missing", "empty"]) {
      const data = join(parent, name);
      if (name === "empty") await mkdir(data);
      restoreAndDie(backup, data, kill);
      for (const command of ["serve", "token create"]) {
        const used = holdOrAsk({ data, command, now: Date.now });
        await expect(used).rejects.toMatchObject({ name: "UNAVAILABLE", message: CUT_SHORT(data) });
      }
      for (const left of await readdir(data)) await rm(join(data, left), { recursive: true });
      await restore(backup, data);
      expect(await readdir(data)).toContain("origin.git");
    }
  });
});
