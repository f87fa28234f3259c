import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { toReadablePaths } from "../../../../server/kernel/isolates/readable-paths.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

/** What a process with the host's permissions says of a file. */
function readWith(paths: readonly string[], file: string): Promise<string> {
  const flags = ["--permission", ...paths.map((path) => `--allow-fs-read=${path}`)];
  const program = `try { process.stdout.write(fs.readFileSync(${JSON.stringify(file)}, "utf8")) } catch ({ code }) { process.stdout.write(code) }`;
  return new Promise((done) => {
    execFile(process.execPath, [...flags, "--eval", program], (_, stdout) => done(stdout));
  });
}

describe("what a host may read", () => {
  test("is its own code, and no key in a data folder", async () => {
    const paths = toReadablePaths();
    const key = join(await temporaryFolder(), "audit.key");
    await writeFile(key, "secret");
    expect(await readWith(paths, key)).toBe("ERR_ACCESS_DENIED");
    expect(await readWith(["*"], key)).toBe("secret");
    for (const file of [".cairn/audit.key", "README.md", "/etc/passwd"]) {
      expect([file, await readWith(paths, resolve(file))]).toEqual([file, "ERR_ACCESS_DENIED"]);
    }
    expect(await readWith(paths, resolve("server/errors.ts"))).toContain("ERRORS");
  });
});
