import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../../errors.ts";
import { loadGit } from "../../versions/git/git.ts";
import { addEntries } from "../../versions/write-version.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { openCheckout } from "./checkout.ts";

const FILE = "versions.yaml";

/**
 * `cairn mend`: versions.yaml of a merge that conflicts there, with the number and labels of the line that is merged into, and the
 * entries of both.
 */
export const createMendCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "mend", description: "Put versions.yaml together after a merge of two lines of versions" },
    async run() {
      const { folder, git } = await openCheckout(context);
      const { run } = await loadGit({ environment: context.environment });
      const show = (stage: number) =>
        run(["-C", folder, "cat-file", "blob", `:${stage}:${FILE}`]).catch(() => undefined);
      const [ours, theirs] = [await show(2), await show(3)];
      if (ours === undefined || theirs === undefined) {
        throw new CairnError("BAD_REQUEST", `No merge of two lines of versions has a conflict in ${FILE} here.`);
      }
      const { text, added } = addEntries(ours, theirs);
      await writeFile(join(folder, FILE), text);
      await git(["add", "--", FILE]);
      const [current] = /^current:.*$/m.exec(text) ?? [""];
      context.out(`${FILE} keeps \`${current}\` and lists ${added.join(", ") || "nothing"} besides.`);
      return EXIT.OK;
    },
  });
