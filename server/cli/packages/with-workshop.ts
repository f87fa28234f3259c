import { access } from "node:fs/promises";
import { join } from "node:path";
import { loadBundler } from "../../imports/packages/bundle.ts";
import type { Workshop } from "../../imports/packages/make-package.ts";
import { openSandbox } from "../../kernel/isolates/open-sandbox.ts";
import { CairnError } from "../../errors.ts";
import type { CliContext } from "../command.ts";

/** Does something with all that making bundles takes: the bundler, and isolates to try them in. */
export async function withWorkshop<T>(
  { folder, environment }: CliContext,
  act: (workshop: Workshop) => Promise<T>,
): Promise<T> {
  await requireRepository(folder);
  const bundler = await loadBundler();
  const sandbox = await openSandbox({ spare: false });
  try {
    return await act({ project: folder, environment, bundler, sandbox });
  } finally {
    await sandbox.close();
  }
}

async function requireRepository(folder: string): Promise<void> {
  await access(join(folder, "versions.yaml")).catch(() => {
    throw new CairnError("BAD_REQUEST", "There is no versions.yaml here; `cairn init` makes a repository of tools.");
  });
}
