import { execFileSync } from "node:child_process";
import { chmod, mkdir, readFile, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFiles, type Files } from "../../../../server/capabilities/workspace/files.ts";
import { WORKSPACE_LIMITS } from "../../../../server/capabilities/workspace/limits.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

const SECRET = "the secret outside\n";

async function open(): Promise<{ files: Files; tree: string; outside: string; unfinished: string }> {
  const folder = await temporaryFolder();
  const [tree, unfinished, outside] = ["tree", "temporary", "outside"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [tree, unfinished, outside]) await mkdir(path);
  await writeFile(join(outside, "secret.txt"), SECRET);
  return { files: createFiles(tree, unfinished), tree, outside, unfinished };
}

describe("files of a workspace", () => {
  test("are written with the folders they need, and read back", async () => {
    const { files, tree, unfinished } = await open();
    expect(await files.write("src/deep/a.txt", "zwölf\r\n")).toEqual({
      path: "src/deep/a.txt",
      size: 8,
      created: true,
    });
    expect(await files.write("src/deep/a.txt", "\u{feff}x")).toMatchObject({ created: false });
    expect(await files.read("src/deep/a.txt")).toEqual({
      path: "src/deep/a.txt",
      content: "\u{feff}x",
      size: 4,
      executable: false,
    });
    expect((await stat(join(tree, "src/deep/a.txt"))).mode & 0o777).toBe(0o644);
    expect(await readdir(unfinished)).toEqual([]);
  });

  test("keep their executable bit", async () => {
    const { files, tree } = await open();
    await writeFile(join(tree, "run.sh"), "old");
    await chmod(join(tree, "run.sh"), 0o755);
    await files.write("run.sh", "new");
    expect(await files.read("run.sh")).toMatchObject({ content: "new", executable: true });
  });

  test("are replaced by another file, not written into: who reads the old one reads on", async () => {
    const { files, tree } = await open();
    await files.write("a", "old");
    const before = (await stat(join(tree, "a"))).ino;
    await files.write("a", "new");
    expect((await stat(join(tree, "a"))).ino).not.toBe(before);
  });

  test("are listed with what they are", async () => {
    const { files, tree, outside } = await open();
    await files.write("b/x", "");
    await files.write("a.txt", "");
    await symlink(outside, join(tree, "link"));
    execFileSync("mkfifo", [join(tree, "pipe")]);
    await mkdir(join(tree, ".git"));
    expect(await files.list("")).toEqual([
      { name: ".git", kind: "other" },
      { name: "a.txt", kind: "file" },
      { name: "b", kind: "folder" },
      { name: "link", kind: "symlink" },
      { name: "pipe", kind: "other" },
    ]);
    await expect(files.list("link")).rejects.toMatchObject({ name: "BAD_REQUEST" });
    await expect(files.list("none")).rejects.toMatchObject({ name: "NOT_FOUND" });
    await expect(files.list("a.txt")).rejects.toMatchObject({ name: "BAD_REQUEST" });
  });

  test("that are missing are not found", async () => {
    const { files } = await open();
    await expect(files.read("none")).rejects.toMatchObject({ name: "NOT_FOUND" });
    await expect(files.read("none/deeper")).rejects.toMatchObject({ name: "NOT_FOUND" });
  });

  test("are neither read nor written through a symlink, wherever it leads", async () => {
    const { files, tree, outside } = await open();
    await files.write("real/inside.txt", "inside");
    await symlink(join(outside, "secret.txt"), join(tree, "to-file"));
    await symlink(outside, join(tree, "to-folder"));
    await symlink("real", join(tree, "to-inside"));
    await symlink("nowhere", join(tree, "dangling"));
    for (const path of ["to-file", "to-folder/secret.txt", "to-inside/inside.txt", "dangling"]) {
      await expect(files.read(path)).rejects.toMatchObject({
        name: "BAD_REQUEST",
        message: expect.stringMatching(/symlink/),
      });
      await expect(files.write(path, "stolen")).rejects.toMatchObject({ name: "BAD_REQUEST" });
    }
    await expect(files.write("to-folder/new/x", "stolen")).rejects.toMatchObject({ name: "BAD_REQUEST" });
    expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe(SECRET);
    expect(await readdir(outside)).toEqual(["secret.txt"]);
  });

  test("that are pipes, sockets, devices or folders are refused at once", async () => {
    const { files, tree } = await open();
    execFileSync("mkfifo", [join(tree, "pipe")]);
    await mkdir(join(tree, "folder"));
    for (const path of ["pipe", "folder"]) {
      await expect(files.read(path)).rejects.toMatchObject({ name: "BAD_REQUEST" });
      await expect(files.write(path, "x")).rejects.toMatchObject({ name: "BAD_REQUEST" });
    }
    await files.write("file", "x");
    await expect(files.write("file/below", "x")).rejects.toMatchObject({ name: "BAD_REQUEST" });
  });

  test("do not stand beside others that some systems take for them", async () => {
    const { files } = await open();
    await files.write("Readme.md", "x");
    await files.write("src/a", "x");
    for (const path of ["README.md", "readme.MD", "SRC/b", "src/A"]) {
      await expect(files.write(path, "x")).rejects.toMatchObject({ name: "CONFLICT" });
    }
    await expect(files.write("Readme.md", "y")).resolves.toMatchObject({ created: false });
    await files.write("straße", "x");
    await expect(files.write("STRASSE", "x")).rejects.toMatchObject({ name: "CONFLICT" });
  });

  test("have at most as many bytes as can be read and written at once", async () => {
    const { files, tree } = await open();
    const most = "é".repeat(WORKSPACE_LIMITS.writeBytes / 2);
    await files.write("a", most);
    expect((await files.read("a")).size).toBe(WORKSPACE_LIMITS.readBytes);
    await expect(files.write("b", `${most}x`)).rejects.toMatchObject({ name: "PAYLOAD_TOO_LARGE" });
    await writeFile(join(tree, "c"), Buffer.alloc(WORKSPACE_LIMITS.readBytes + 1));
    await expect(files.read("c")).rejects.toMatchObject({ name: "PAYLOAD_TOO_LARGE" });
    await expect(files.read("b")).rejects.toMatchObject({ name: "NOT_FOUND" });
  });

  test("that are not text are refused", async () => {
    const { files, tree } = await open();
    await writeFile(join(tree, "bin"), Buffer.from([0xff, 0xfe, 0x00]));
    await expect(files.read("bin")).rejects.toMatchObject({ name: "UNPROCESSABLE" });
    await expect(files.write("x", "\u{d800}")).rejects.toMatchObject({ name: "UNPROCESSABLE" });
  });

  test("stay inside whatever the path: nothing outside is read or written", async () => {
    const { files, tree, outside, unfinished } = await open();
    await mkdir(join(tree, "d"));
    await symlink("..", join(tree, "up"));
    await symlink(outside, join(tree, "d", "out"));
    const piece = fc.constantFrom(
      "..",
      ".",
      "/",
      "\\",
      "up",
      "out",
      "d",
      "outside",
      "secret.txt",
      "tree",
      ".git",
      "\0",
      "%2e",
      "~",
      "a",
    );
    const path = fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join(""));
    const absolute = fc.constantFrom("", outside, `${tree}/../outside`, "/proc/self/root", "up/../outside/");
    await fc.assert(
      fc.asyncProperty(absolute, path, async (prefix, rest) => {
        const read = await files.read(prefix + rest).catch((error: Error) => error);
        if (!(read instanceof Error)) expect(read.content).toBe("written");
        await files.write(prefix + rest, "written").catch(() => undefined);
        await files.list(prefix + rest).catch(() => undefined);
        expect(await readdir(outside)).toEqual(["secret.txt"]);
      }),
      { numRuns: 300 },
    );
    expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe(SECRET);
    expect((await readdir(join(tree, ".."))).sort()).toEqual(["outside", "temporary", "tree"]);
    expect(await readdir(unfinished)).toEqual([]);
  });

  test("stay inside when a folder on the way becomes a symlink and a folder again all the time", async () => {
    const { files, tree, outside } = await open();
    await writeFile(join(outside, "a"), SECRET);
    const d = join(tree, "d");
    const done = new AbortController();
    const swap = (async () => {
      while (!done.signal.aborted) {
        // A write makes the folder anew whenever it is missing.
        await symlink(outside, d).catch(() => undefined);
        await rm(d, { recursive: true, force: true }).catch(() => undefined);
        await mkdir(d).catch(() => undefined);
        await rm(d, { recursive: true, force: true }).catch(() => undefined);
      }
    })();
    const seen = new Set<string>();
    for (let turn = 0; turn < 300; turn += 1) {
      const [read, written] = await Promise.allSettled([files.read("d/a"), files.write("d/b", "stolen")]);
      if (read.status === "fulfilled") seen.add(read.value.content);
      if (written.status === "fulfilled") seen.add("written");
    }
    done.abort();
    await swap;
    expect(seen.has(SECRET)).toBe(false);
    expect((await readdir(outside)).sort()).toEqual(["a", "secret.txt"]);
  });
});
