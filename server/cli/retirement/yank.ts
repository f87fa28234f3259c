import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../../errors.ts";
import { createLoader } from "../../versions/load-version.ts";
import type { History } from "../../versions/loaded-history.ts";
import { readVersionName } from "../../versions/version-name.ts";
import { writeEnd } from "../../versions/write-version.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { openCheckout } from "../versions/checkout.ts";
import { toVersion } from "../versions/compare-targets.ts";
import { openTarget } from "../versions/open-target.ts";

const FILE = "versions.yaml";

/** `cairn yank <version>`: writes that a version must go at once, which counts once it is on the default branch. */
export const createYankCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "yank", description: "Write into versions.yaml that a version is no longer served, from today on" },
    args: {
      version: { type: "positional", required: true, description: "The number of a released version, such as 1.6.0" },
      reason: { type: "string", required: true, valueHint: "text", description: "Why, for its callers" },
      successor: {
        type: "string",
        valueHint: "version",
        description: "What its callers are sent to (default: the release that it was made from)",
      },
    },
    async run({ args }) {
      const { out, now } = context;
      const { folder } = await openCheckout(context);
      const here = { ...context, folder };
      const target = await openTarget(here, ".", createLoader());
      target.close();
      const { history } = toVersion(target, ".");
      const { version, reason } = args;
      if (!history.versions.has(version)) {
        throw new CairnError("NOT_FOUND", `${FILE} lists no version \`${version.slice(0, 64)}\`.`);
      }
      const successor = args.successor ?? findSuccessor(history, version);
      const today = new Date(now()).toISOString().slice(0, 10);
      const end = { since: today, sunset: today, successor, reason, yanked: true } as const;
      const file = join(folder, FILE);
      const before = await readFile(file, "utf8");
      const { text, moved } = writeEnd(before, version, end);
      await writeFile(file, text);
      const written = await openTarget(here, ".", createLoader());
      written.close();
      if (!written.loaded.ok) {
        await writeFile(file, before);
        toVersion(written, ".");
      }
      out(`${FILE}: ${version} is yanked, and its callers are sent to ${successor}.`);
      for (const label of moved) out(`${FILE}: the label \`${label}\` moves from ${version} to ${successor}.`);
      out(
        `It counts once the default branch has it: commit and push. \`cairn usage ${version}\` says who still calls.`,
      );
      return EXIT.OK;
    },
  });

/** Finds the nearest release before a version that has no end, or the successor of one that has. @throws BAD_REQUEST */
function findSuccessor({ versions }: History, version: string): string {
  const seen = new Set([version]);
  const goesOn = (name: string) =>
    !seen.has(name) && versions.get(name)?.deprecated?.sunset === undefined && versions.has(name);
  for (let at = versions.get(version)?.parent; at !== undefined && !seen.has(at); at = versions.get(at)?.parent) {
    if (readVersionName(at)?.prerelease === false && goesOn(at)) return at;
    const next = versions.get(at)?.deprecated?.successor;
    if (next !== undefined && goesOn(next)) return next;
    seen.add(at);
  }
  throw new CairnError("BAD_REQUEST", `No release before ${version} goes on: name another with \`--successor\`.`);
}
