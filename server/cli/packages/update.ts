import type { PackagesContent } from "../../versions/manifests/kinds/read-packages.ts";
import { makePackage, type MadePackage } from "../../imports/packages/make-package.ts";
import { savePackages } from "../../imports/packages/packages-lock.ts";
import { readSpec } from "../../imports/packages/read-spec.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { chooseLocked } from "./choose-locked.ts";
import { reportPackage } from "./report-package.ts";
import { withWorkshop } from "./with-workshop.ts";

/** `cairn deps update [package]...`: bundles the newest versions that the ranges in the lock allow. */
export const createDepsUpdate: CreateCommand = (context) =>
  createCommand({
    meta: { name: "deps update", description: "Bundle the newest versions that their ranges allow" },
    args: {
      package: {
        type: "positional",
        required: false,
        valueHint: "package...",
        description: "Packages, by their names or those of their files (default: all)",
      },
    },
    run: ({ args }) =>
      withWorkshop(context, async (workshop) => {
        const { chosen } = await chooseLocked(context, args._);
        const made: MadePackage[] = [];
        for (const [stem, { import: specifier, range, partial = false }] of chosen) {
          const spec = readSpec(range === undefined ? specifier : `${specifier}@${range}`);
          made.push(await makePackage({ ...spec, stem }, partial, workshop));
        }
        const before = new Map(chosen.map(([stem, locked]) => [stem, findVersion(locked)]));
        await savePackages(context.folder, made, workshop.bundler.version);
        for (const one of made) reportPackage(context, one, before.get(one.stem));
        return EXIT.OK;
      }),
  });

function findVersion({ import: specifier, install }: PackagesContent["packages"][string]): string | undefined {
  return Object.entries(install).find(([path]) => `node_modules/${specifier}/`.startsWith(`${path}/`))?.[1].version;
}
