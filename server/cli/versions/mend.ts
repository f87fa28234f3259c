import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMap, parseDocument } from "yaml";
import { CairnError } from "../../errors.ts";
import { showHidden } from "../../text/find-hidden.ts";
import { type Git, loadGit } from "../../versions/git/git.ts";
import { compareNames, readVersionName, type VersionName } from "../../versions/version-name.ts";
import { addEntries, writeToolVersion } from "../../versions/write-version.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { openCheckout } from "./checkout.ts";

const FILE = "versions.yaml";

/** Reads a file's text in the index: of the common ancestor (1), of the line that is merged into (2), or of the other one (3). */
type ReadStage = (stage: 1 | 2 | 3, file: string) => Promise<string | undefined>;

/**
 * `cairn mend`: versions.yaml of a merge that conflicts there, with the number and labels of the line that is merged into, and the
 * entries of both. Manifests that conflict in nothing but their `version` get the higher one.
 */
export const createMendCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "mend", description: "Put versions.yaml together after a merge of two lines of versions" },
    async run() {
      const { folder } = await openCheckout(context);
      const { run } = await loadGit({ environment: context.environment });
      const show: ReadStage = (stage, file) =>
        run(["-C", folder, "cat-file", "blob", `:${stage}:${file}`]).catch(() => undefined);
      const [ours, theirs] = [await show(2, FILE), await show(3, FILE)];
      if (ours === undefined || theirs === undefined) {
        throw new CairnError("BAD_REQUEST", `No merge of two lines of versions has a conflict in ${FILE} here.`);
      }
      const { text, added } = addEntries(ours, theirs);
      await writeFile(join(folder, FILE), text);
      await run(["-C", folder, "add", "--", FILE]);
      const [current] = /^current:.*$/m.exec(text) ?? [""];
      context.out(`${FILE} keeps \`${current}\` and lists ${added.join(", ") || "nothing"} besides.`);
      const listed = await run(["-C", folder, "diff", "--name-only", "-z", "--diff-filter=U"]);
      const left: string[] = [];
      for (const file of listed.split("\0").filter((path) => path !== "")) {
        const mended = await mendVersion(folder, file, show, run);
        if (mended === undefined) left.push(file);
        else {
          await writeFile(join(folder, file), mended.text);
          await run(["-C", folder, "add", "--", file]);
          context.out(`${file} keeps \`version: ${mended.version}\`, the higher one.`);
        }
      }
      if (left.length > 0) context.out(`Still in conflict: ${left.map(showHidden).join(", ")}.`);
      return EXIT.OK;
    },
  });

/** Merges a manifest as if both lines had the higher of their versions; undefined where more than that conflicts. */
async function mendVersion(folder: string, file: string, show: ReadStage, run: Git["run"]) {
  if (!/^manifests\/.+\.yaml$/.test(file)) return undefined;
  const here = await readFile(join(folder, file), "utf8").catch(() => "");
  // Without git's marks, somebody has begun to put it together by hand.
  if (!/^<{7} /m.test(here)) return undefined;
  const sides = await Promise.all([show(2, file), show(1, file), show(3, file)]);
  const read = sides.flatMap((text) => {
    const name = text === undefined ? undefined : readToolVersion(text);
    return text === undefined || name === undefined ? [] : [{ text, name }];
  });
  if (read.length < sides.length) return undefined;
  const version = read.map(({ name }) => name).toSorted(compareNames)[0]?.name ?? "";
  const place = await mkdtemp(join(tmpdir(), "cairn-mend-"));
  try {
    const paths = read.map((_side, at) => join(place, `${at}.yaml`));
    for (const [at, { text }] of read.entries()) await writeFile(paths[at] ?? "", writeToolVersion(text, version));
    const text = await run(["merge-file", "--stdout", ...paths]).catch(() => undefined);
    return text === undefined ? undefined : { text, version };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

function readToolVersion(text: string): VersionName | undefined {
  const document = parseDocument(text);
  const version = document.errors.length === 0 && isMap(document.contents) ? document.get("version") : undefined;
  return typeof version === "string" ? readVersionName(version) : undefined;
}
