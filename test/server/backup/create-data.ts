import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { BackupOptions } from "../../../server/backup/make-backup.ts";
import type { Manifest } from "../../../server/backup/manifest.ts";
import { restoreBackup } from "../../../server/backup/restore-backup.ts";
import { openLmdbStore } from "../../../server/store/lmdb/lmdb.ts";
import type { Store } from "../../../server/store/store.ts";
import { createRepository, openRepository, type TestRepository, loadTestGit } from "../../helpers/repository.ts";
import { type AtEnd, temporaryFolder } from "../../helpers/temporary.ts";

const NOW = Date.UTC(2026, 0, 2);

export interface Data {
  readonly data: string;
  readonly store: Store;
  readonly origin: TestRepository;
  readonly mirror: TestRepository;
}

/** A data folder with some of everything that a service may keep in it. */
export async function createData(atEnd: AtEnd = onTestFinished): Promise<Data> {
  const data = join(await temporaryFolder(atEnd), "data");
  const work = await createRepository(await temporaryFolder(atEnd));
  await work.commit({ "a.txt": "a" });
  await work.tag("v1.0.0");
  for (const name of ["origin.git", "mirror.git"]) {
    await work.git("clone", "--quiet", "--mirror", work.path, join(data, name));
  }
  const [origin, mirror] = [openRepository(join(data, "origin.git")), openRepository(join(data, "mirror.git"))];
  await mirror.git("update-ref", "refs/cairn/runs/run-1", "main");
  await mirror.git("update-ref", "refs/cairn/labels", "main");
  await mkdir(join(data, "origin.git", "hooks"), { recursive: true });
  await writeFile(join(data, "origin.git", "hooks", "post-receive"), "#!/bin/sh\n", { mode: 0o755 });
  const tree = join(data, "workspaces", "run-1", "tree");
  await mkdir(join(tree, "empty"), { recursive: true });
  await writeFile(join(tree, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
  await symlink("../../elsewhere", join(tree, "link"));
  // Previews end with their service.
  await mkdir(join(data, "previews", "7"), { recursive: true });
  await writeFile(join(data, "previews", "7", "data.mdb"), "of nobody");
  await writeFile(join(data, "audit.key"), "PRIVATE", { mode: 0o600 });
  await mkdir(join(data, "mirror.git.unfinished-17"));
  const store = await openLmdbStore({ directory: join(data, "store") });
  atEnd(() => store.admin.close());
  await store.commit({ set: [{ key: ["k"], value: "kept" }], append: [{ log: "l", entry: 1 }] });
  return { data, store, origin, mirror };
}

export async function toOptions({ data, store }: Data, more: Partial<BackupOptions> = {}): Promise<BackupOptions> {
  return {
    data,
    store,
    target: more.target ?? join(await temporaryFolder(), "backup"),
    openCopy: (directory) => openLmdbStore({ directory }),
    git: await loadTestGit(),
    now: () => NOW,
    release: "1.2.3",
    onProgress: () => undefined,
    signal: new AbortController().signal,
    ...more,
  };
}

export function restore(
  backup: string,
  data: string,
  onEntry: (path: string) => void = () => undefined,
): Promise<Manifest> {
  return restoreBackup({ backup, data, now: () => NOW, onEntry });
}
