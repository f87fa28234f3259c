import type { Problem } from "../problem.ts";
import { createProblem } from "./create-problem.ts";
import { PACKAGES_LOCK, toPackagePath } from "./kinds/read-packages.ts";
import type { Parts } from "./parts.ts";
import { START } from "./position.ts";

/**
 * Checks that the files of packages are those that `cairn deps` wrote. Without this, code could stand in a bundle of a package
 * that no registry has, where reviewers look least.
 */
export function checkPackages({ packages, modules }: Parts, paths: ReadonlySet<string>): readonly Problem[] {
  const bundles = [...modules.values()].filter(({ digest }) => digest !== undefined);
  const locked = new Map(Object.entries(packages?.content.packages ?? {}));
  // A lock that cannot be read might have any digest.
  if (packages === undefined && paths.has(PACKAGES_LOCK)) return [];
  const known = new Map([...locked].map(([stem, entry]) => [toPackagePath(stem), { stem, ...entry }]));
  const problems: Problem[] = [];
  for (const { path, digest } of bundles) {
    const entry = known.get(path);
    if (entry === undefined) {
      const message = `\`${path}\` is not in \`${PACKAGES_LOCK}\`.`;
      const fix = "Run `cairn deps add <package>`; code of your own goes to `tools/_lib`, as TypeScript.";
      problems.push(createProblem(path, START, "package-lock", message, fix));
    } else if (entry.digest !== digest && packages !== undefined) {
      const at = ["packages", entry.stem, "digest"];
      const message = `\`${path}\` is not the file that was locked: its digest is \`${digest}\`.`;
      const fix = `Undo the edit, or run \`cairn deps add ${entry.import}\` again; \`cairn deps check\` bundles it anew and compares.`;
      problems.push(packages.problem("package-lock", at, message, fix));
    }
  }
  for (const [path, { stem }] of known) {
    if (paths.has(path) || packages === undefined) continue;
    const fix = `Take the file from git again, or run \`cairn deps remove ${stem}\`.`;
    problems.push(packages.problem("package-lock", ["packages", stem], `\`${path}\` is missing.`, fix, "key"));
  }
  return problems;
}
