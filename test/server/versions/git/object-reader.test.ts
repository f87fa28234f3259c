import { createHash } from "node:crypto";
import { chmod, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Git } from "../../../../server/versions/git/git.ts";
import { type ObjectReader, openObjectReader } from "../../../../server/versions/git/object-reader.ts";
import { type TestRepository, createRepository, loadTestGit } from "../../../helpers/repository.ts";

interface Opened {
  readonly repository: TestRepository;
  readonly reader: ObjectReader;
  /** Process ids of every `cat-file` so far. */
  readonly pids: number[];
  write(content: string): Promise<string>;
}

async function open(): Promise<Opened> {
  const repository = await createRepository();
  const git = await loadTestGit();
  const pids: number[] = [];
  const watched: Git = {
    ...git,
    start: (args) => {
      const child = git.start(args);
      pids.push(child.pid ?? 0);
      return child;
    },
  };
  const reader = openObjectReader(watched, join(repository.path, ".git"));
  onTestFinished(() => reader.close());
  const write = async (content: string) => {
    await writeFile(join(repository.path, "blob"), content);
    return repository.git("hash-object", "-w", "blob");
  };
  return { repository, reader, pids, write };
}

function blobId(content: string): string {
  return createHash("sha1").update(`blob ${content.length}\0${content}`).digest("hex");
}

async function corrupt(repository: TestRepository, oid: string): Promise<void> {
  const path = join(repository.path, ".git/objects", oid.slice(0, 2), oid.slice(2));
  await chmod(path, 0o644);
  await writeFile(path, "no object");
}

describe("the object reader", () => {
  test("reads many objects at a time through one process", async () => {
    const { reader, pids, write } = await open();
    const contents = Array.from({ length: 300 }, (_, at) => `${at}\n`.repeat(at * 3));
    const oids: string[] = [];
    for (const content of contents.slice(0, 40)) oids.push(await write(content));
    const read = await Promise.all([...oids, ...oids].map((oid) => reader.read(oid, 100_000)));
    expect(read.map(String)).toEqual([...contents.slice(0, 40), ...contents.slice(0, 40)]);
    expect(pids.length).toBe(1);
  });

  test("reads an object of many chunks byte for byte", async () => {
    const { reader, write } = await open();
    const content = "0123456789abcdef\n".repeat(200_000);
    const [big, small] = [await write(content), await write("small")];
    const read = await Promise.all([reader.read(small, 10), reader.read(big, 10_000_000), reader.read(small, 10)]);
    expect(read.map(String)).toEqual(["small", content, "small"]);
  });

  test("does not read what is larger than allowed", async () => {
    const { reader, write } = await open();
    const oid = await write("12345");
    expect(await reader.read(oid, 4)).toBeUndefined();
    expect(String(await reader.read(oid, 5))).toBe("12345");
  });

  test("tells what a name stands for, and does not guess", async () => {
    const { reader, repository } = await open();
    const commit = await repository.commit({ a: "1" });
    await repository.tag("annotated", commit, { annotated: true });
    const tag = await repository.git("rev-parse", "annotated");
    expect(await reader.info(commit)).toMatchObject({ oid: commit, type: "commit" });
    expect(await reader.info(`${commit.slice(0, 8)}^{tree}`)).toMatchObject({ type: "tree" });
    expect(await reader.info(`${tag}^{}`)).toMatchObject({ oid: commit, type: "commit" });
    expect(await reader.info("0".repeat(40))).toBeUndefined();
    expect(await reader.info("annotated")).toBeUndefined();
    expect(await reader.info("HEAD\ninfo HEAD")).toBeUndefined();
  });

  test("says when several objects begin alike", async () => {
    const { reader, write } = await open();
    // 16 bits collide soon.
    const first = new Map<string, string>();
    for (let at = 0; ; at += 1) {
      const content = String(at);
      const start = blobId(content).slice(0, 4);
      const other = first.get(start);
      first.set(start, content);
      if (other === undefined) continue;
      await write(other);
      await write(content);
      expect((await reader.info(start))?.type).toBe("ambiguous");
      return;
    }
  });

  test("finds objects that appear later, loose or packed", async () => {
    const { reader, repository, write, pids } = await open();
    const later = blobId("later");
    await expect(reader.read(later, 10)).rejects.toThrow(`lacks the object \`${later}\``);
    await write("later");
    expect(String(await reader.read(later, 10))).toBe("later");
    const commit = await repository.commit({ packed: "packed" });
    await repository.git("repack", "-adq");
    expect(await reader.info(commit)).toMatchObject({ type: "commit" });
    expect(pids.length).toBe(1);
  });

  test("starts anew when its process dies, and still answers", async () => {
    const { reader, write, pids } = await open();
    const oids = [await write("a"), await write("b")];
    expect(String(await reader.read(oids[0] ?? "", 10))).toBe("a");
    process.kill(pids[0] ?? 0, "SIGKILL");
    const read = await Promise.all(oids.map((oid) => reader.read(oid, 10)));
    expect(read.map(String)).toEqual(["a", "b"]);
    expect(pids.length).toBe(2);
  });

  test("gives up a damaged object alone", async () => {
    const { reader, repository, write } = await open();
    const oids = [
      await write("a"),
      await write("damaged"),
      await write("c"),
      await write("also damaged"),
      await write("e"),
    ];
    await corrupt(repository, oids[1] ?? "");
    await corrupt(repository, oids[3] ?? "");
    const read = await Promise.allSettled(oids.map((oid) => reader.read(oid, 100)));
    expect(read.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled"]);
    expect(String(await reader.read(oids[4] ?? "", 100))).toBe("e");
  });

  test("says so when the repository is gone, and recovers when it is back", async () => {
    const { reader, repository, write } = await open();
    const oid = await write("a");
    const gitDir = join(repository.path, ".git");
    await rename(gitDir, `${gitDir}.away`);
    await expect(reader.read(oid, 10)).rejects.toMatchObject({ name: "INTERNAL_ERROR" });
    await rename(`${gitDir}.away`, gitDir);
    expect(String(await reader.read(oid, 10))).toBe("a");
  });

  test("refuses what comes after it was closed", async () => {
    const { reader, repository } = await open();
    const commit = await repository.commit({ a: "1" });
    const waiting = reader.info(commit);
    reader.close();
    await expect(waiting).rejects.toMatchObject({ name: "UNAVAILABLE" });
    await expect(reader.info(commit)).rejects.toMatchObject({ name: "UNAVAILABLE" });
    await rm(join(repository.path, ".git"), { recursive: true });
    expect(await readdir(repository.path)).toEqual(["a"]);
  });
});
