import { CairnError } from "../../errors.ts";
import { makePackage, type MadePackage } from "../../imports/packages/make-package.ts";
import { loadPackages, savePackages } from "../../imports/packages/packages-lock.ts";
import { type PackageSpec, readSpec } from "../../imports/packages/read-spec.ts";
import type { PackagesContent } from "../../versions/manifests/kinds/read-packages.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { reportPackage } from "./report-package.ts";
import { withWorkshop } from "./with-workshop.ts";

/** `cairn deps add <package>...`: bundles packages of npm for handlers. Writes all of them, or none. */
export const createDepsAdd: CreateCommand = (context) =>
  createCommand({
    meta: { name: "deps add", description: "Bundle packages of npm into `tools/_deps`, for handlers to import" },
    args: {
      package: {
        type: "positional",
        required: true,
        valueHint: "package...",
        description: "Packages, or paths in them: `marked`, `zod@^4`, `lodash-es/groupBy`",
      },
      partial: {
        type: "boolean",
        description: "Also a package that makes code of text somewhere; that fails where a handler gets there",
      },
    },
    run: ({ args }) =>
      withWorkshop(context, async (workshop) => {
        const specs = args._.map(readSpec);
        // A lock that cannot be read, and a name that is taken, are said before anything is installed.
        refuseTaken(specs, (await loadPackages(context.folder))?.packages ?? {});
        const made: MadePackage[] = [];
        for (const spec of specs) made.push(await makePackage(spec, args.partial === true, workshop));
        await savePackages(context.folder, made, workshop.bundler.version);
        for (const one of made) reportPackage(context, one);
        return EXIT.OK;
      }),
  });

/** Refuses packages whose file would take the place of another one's: its importers would silently run other code. @throws CONFLICT */
function refuseTaken(specs: readonly PackageSpec[], locked: PackagesContent["packages"]): void {
  const taken = new Map(Object.entries(locked).map(([stem, { import: specifier }]) => [stem, specifier]));
  for (const { stem, specifier } of specs) {
    const other = taken.get(stem) ?? specifier;
    taken.set(stem, specifier);
    if (other === specifier) continue;
    const message = `\`${specifier}\` and \`${other}\` would both be \`tools/_deps/${stem}.js\`; remove one with \`cairn deps remove\`, or choose one.`;
    throw new CairnError("CONFLICT", message);
  }
}
