import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createInPlace } from "../../../../server/versions/git/create-in-place.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

test("a folder that is made in place is its owner's alone from the beginning, also below one that is not", async () => {
  const parent = await temporaryFolder();
  await chmod(parent, 0o755);
  const modes: number[] = [];
  const path = join(parent, "mirror.git");
  await createInPlace(path, async (unfinished) => {
    expect(await readdir(unfinished)).toEqual([]);
    modes.push((await stat(unfinished)).mode & 0o777);
    await writeFile(join(unfinished, "HEAD"), "main");
  });
  modes.push((await stat(path)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700]);
  expect(await readFile(join(path, "HEAD"), "utf8")).toBe("main");
  expect(await readdir(parent)).toEqual(["mirror.git"]);
  const failing = createInPlace(join(parent, "other.git"), async (unfinished) => {
    await writeFile(join(unfinished, "HEAD"), "main");
    throw new Error("no room");
  });
  await expect(failing).rejects.toThrow("no room");
  expect(await readdir(parent)).toEqual(["mirror.git"]);
});
