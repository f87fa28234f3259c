import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { tryFileLock } from "../../../server/store/file-lock.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";

/** Waits for a line on standard input, tries the lock, says how that went, and lives on until it is killed. */
const TRY = `
  const { tryFileLock } = await import(${JSON.stringify(resolve("server/store/file-lock.ts"))});
  await new Promise((go) => process.stdin.once("data", go));
  globalThis.lock = tryFileLock(process.argv[1]);
  console.log(globalThis.lock === undefined ? "refused" : "held");
  setInterval(() => undefined, 1_000);
`;
const ARGS = ["--input-type=module", "--eval", TRY];

interface Trier {
  readonly child: ChildProcess;
  /** What it says once it has tried. */
  go(): Promise<string>;
  kill(): Promise<void>;
}

/** `wrapper` is a command line that runs the one behind it. */
function startTrier(path: string, wrapper: readonly string[] = []): Trier {
  const [command = "", ...args] = [...wrapper, process.execPath, ...ARGS, path];
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    child,
    async go() {
      child.stdin.write("go\n");
      const [said] = await once(child.stdout, "data");
      return String(said).trim();
    },
    async kill() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

describe("a lock on a file", () => {
  test("is with exactly one of those that try in the same instant, and goes on to the next when that is killed", async () => {
    const path = join(await temporaryFolder(), "lock");
    for (let round = 0; round < 2; round++) {
      const triers = Array.from({ length: 4 }, () => startTrier(path));
      const said = await Promise.all(triers.map((trier) => trier.go()));
      expect(said.toSorted()).toEqual(["held", "refused", "refused", "refused"]);
      await Promise.all(triers.map((trier) => trier.kill()));
    }
    expect((await stat(path)).size).toBe(0);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("stays with this process when it is tried here once more, and ends with `release`", async () => {
    const path = join(await temporaryFolder(), "lock");
    const lock = tryFileLock(path);
    expect([lock, tryFileLock(path), tryFileLock(path)]).toEqual([expect.anything(), undefined, undefined]);
    expect(await startTrier(path).go()).toBe("refused");
    lock?.release();
    expect(await startTrier(path).go()).toBe("held");
  });

  test("is not passed on to processes that its holder starts", async () => {
    const path = join(await temporaryFolder(), "lock");
    const lock = tryFileLock(path);
    const child = spawn("sleep", ["60"], { stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "spawn");
    lock?.release();
    expect(tryFileLock(path)).toBeDefined();
  });

  test("is seen from other namespaces of processes and networks, as containers have them", async ({ skip }) => {
    const wrapper = ["unshare", "--user", "--map-root-user", "--net", "--pid", "--fork", "--kill-child"];
    skip(spawnSync(wrapper[0] ?? "", [...wrapper.slice(1), "true"]).status !== 0, "this machine makes no namespaces");
    const path = join(await temporaryFolder(), "lock");
    const lock = tryFileLock(path);
    expect(await startTrier(path, wrapper).go()).toBe("refused");
    lock?.release();
    const other = startTrier(path, wrapper);
    expect([await other.go(), tryFileLock(path)]).toEqual(["held", undefined]);
    await other.kill();
    await expect.poll(() => tryFileLock(path) !== undefined).toBe(true);
  });

  test("is refused with the reason where there can be none", async () => {
    const folder = await temporaryFolder();
    const full = join(folder, "full");
    await writeFile(full, "something else".repeat(100));
    expect(() => tryFileLock(full)).toThrow(`The lock \`${full}\` cannot be taken: file is not a database.`);
    expect(() => tryFileLock(join(folder, "none", "lock"))).toThrow(/cannot be taken: ENOENT/);
    expect(await readFile(full, "utf8")).toContain("something else");
  });
});
