import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { createGreeter } from "../../fixtures/greeter.ts";
import { startCairn } from "../cairn.ts";
import { createRepository, openRepository } from "../repository.ts";
import { type AtEnd, temporaryFolder } from "../temporary.ts";
import type { KillGround } from "./kill-walk.ts";

/** The local forge over the embedded repository: everything is in the data folder, of which each walk gets a copy. */
export async function createLocalGround(
  atEnd: AtEnd,
  files?: Readonly<Record<string, string>>,
): Promise<(folder: string) => Promise<KillGround>> {
  const checkout = await createRepository(await temporaryFolder(atEnd));
  const base = await checkout.commit(files ?? (await createGreeter()));
  await checkout.tag("v1.0.0");
  const pristine = await temporaryFolder(atEnd);
  await checkout.git("clone", "--quiet", "--bare", checkout.path, join(pristine, "origin.git"));
  const args = ["serve", "--data"];
  const first = await startCairn([...args, pristine], {}, atEnd);
  await first.stop();
  return async (folder) => {
    const data = join(folder, "data");
    await cp(pristine, data, { recursive: true });
    return {
      args: [...args, data],
      environment: {},
      async look() {
        const origin = openRepository(join(data, "origin.git"));
        const mirror = openRepository(join(data, "mirror.git"));
        const list = async (repository: typeof origin, ...refs: string[]) =>
          (await repository.git("for-each-ref", "--format=%(refname)", ...refs))
            .split("\n")
            .filter((ref) => ref !== "");
        const history = parse(await origin.git("show", "main:versions.yaml")) as { versions: object };
        const changes = (await origin.git("for-each-ref", "--format=%(contents:subject)", "refs/cairn/changes/"))
          .split("\n")
          .filter((line) => line.includes('"state":"open"'));
        return {
          branches: await list(origin, "refs/heads/"),
          tags: await list(origin, "refs/tags/"),
          landed: (await origin.git("log", "--format=%s", `${base}..main`)).split("\n"),
          versions: Object.keys(history.versions),
          open: changes,
          leftovers: [...(await readdir(join(data, "workspaces"))), ...(await list(mirror, "refs/cairn/runs/"))],
        };
      },
    };
  };
}
