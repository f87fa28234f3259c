import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../../errors.ts";
import { RECIPE } from "../../imports/packages/bundle.ts";
import { type MadePackage, remakePackage } from "../../imports/packages/make-package.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { chooseLocked } from "./choose-locked.ts";
import { withWorkshop } from "./with-workshop.ts";

/** `cairn deps check`: fetches what the lock names, each by its integrity, bundles it again, and compares every byte. */
export const createDepsCheck: CreateCommand = (context) =>
  createCommand({
    meta: { name: "deps check", description: "Bundle all packages again as the lock has them, and compare the bytes" },
    run: () =>
      withWorkshop(context, async (workshop) => {
        const { lock, chosen } = await chooseLocked(context, []);
        const { version, recipe } = lock.bundler;
        if (version !== workshop.bundler.version || recipe !== RECIPE) {
          const had = `rolldown ${version} and recipe ${recipe}`;
          const has = `rolldown ${workshop.bundler.version} and recipe ${RECIPE}`;
          const advice = `Install \`rolldown@${version}\`, or run \`cairn deps update\` and commit what it writes.`;
          throw new CairnError("UNAVAILABLE", `The files were made with ${had}, and here are ${has}. ${advice}`);
        }
        let wrong = 0;
        for (const [stem, locked] of chosen) {
          const made = await remakePackage(stem, locked, workshop);
          const different = await findDifferent(context.folder, made);
          for (const path of different) context.err(`not what \`${locked.import}\` ${made.version} comes to: ${path}`);
          wrong += different.length;
          if (different.length === 0) context.out(`same  tools/_deps/${stem}.js`);
        }
        return wrong === 0 ? EXIT.OK : EXIT.FAILED;
      }),
  });

async function findDifferent(folder: string, { files }: MadePackage): Promise<readonly string[]> {
  const present = await Promise.all(
    [...files].map(async ([path, text]) => {
      const found = await readFile(join(folder, path), "utf8").catch(() => undefined);
      return found === text ? [] : [path];
    }),
  );
  return present.flat();
}
