import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { CairnError } from "../../../errors.ts";

/** The compiler of the TypeScript that Cairn depends on: the program itself, which no Node has to start. */
export function findCompiler(): string {
  try {
    const typescript = createRequire(import.meta.url).resolve("typescript/package.json");
    const name = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
    return join(dirname(createRequire(typescript).resolve(name)), "lib", "tsc");
  } catch (cause) {
    const message = `TypeScript has no compiler for \`${process.platform}\` on \`${process.arch}\` that was installed.`;
    throw new CairnError("UNAVAILABLE", message, { cause });
  }
}
