import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { checkTemporary } from "../../../../server/operations/doctor/check-machine.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { runIn } from "../run-in.ts";

test("a machine without git is named before anything is made, with the exit code of wrong surroundings", async () => {
  const folder = await temporaryFolder();
  const data = join(folder, "data");
  expect(await runIn(folder, ["serve", "--data", data], { environment: { PATH: folder, PORT: "0" } })).toEqual({
    code: 3,
    printed: "cairn: `git` cannot be run; Cairn needs git 2.36 or newer.",
  });
  expect(existsSync(data)).toBe(false);
});

test("a machine without a folder for temporary files is named in one line, also by the doctor", async () => {
  const folder = await temporaryFolder();
  const [data, missing] = [join(folder, "data"), join(folder, "missing")];
  vi.stubEnv("TMPDIR", missing);
  const found = `No folder can be made in \`${missing}\` for temporary files (ENOENT).`;
  const advice = "Make it a folder that this account may write to (`chmod 1777 /tmp`), or set TMPDIR to one.";
  try {
    expect(await runIn(folder, ["serve", "--data", data])).toEqual({ code: 3, printed: `cairn: ${found} ${advice}` });
    expect(existsSync(data)).toBe(false);
    expect(await checkTemporary()).toEqual({ check: "machine.temporary", status: "fail", message: found, advice });
  } finally {
    vi.unstubAllEnvs();
  }
});
