import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { CairnError } from "../errors.ts";
import { isObject } from "../json/is-object.ts";
import { createLoader } from "../versions/load-version.ts";
import type { Version } from "../versions/version.ts";
import { createCommand, type CreateCommand } from "./command.ts";
import { loadTuner } from "./copy-tuner.ts";
import { EXIT } from "./exit-codes.ts";
import { openCheckout } from "./versions/checkout.ts";
import { toVersion } from "./versions/compare-targets.ts";
import { openTarget } from "./versions/open-target.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const POLICY = "manifests/policies/tuner.yaml";

/** `cairn add tuner`: Cairn's own tuner in a repository that was not made with it. */
export const createAddCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "add", description: "Add a server that ships with Cairn to the repository here" },
    args: { server: { type: "positional", required: true, valueHint: "server", description: "`tuner`" } },
    async run({ args }) {
      const { out } = context;
      if (args.server !== "tuner") {
        throw new CairnError("BAD_REQUEST", `\`cairn add\` has no server \`${args.server}\`; it has \`tuner\`.`);
      }
      const { folder } = await openCheckout(context);
      const target = await openTarget({ ...context, folder }, ".", createLoader());
      target.close();
      const files = new Map(await loadTuner(ROOT));
      if (hasRoles(toVersion(target, "."))) files.set(POLICY, toPolicy(files));
      const missing = await findMissing(folder, files);
      for (const [path, text] of missing) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
        out(`Wrote ${path}.`);
      }
      if (missing.length === 0) {
        out("The tuner is there already.");
        return EXIT.OK;
      }
      if (files.has(POLICY)) out(`Give the role \`tuner\` of ${POLICY} to those who tune; no caller has it yet.`);
      return context.runCommand(["bump", "--change", "There is a tuner."], { ...context, folder });
    },
  });

/** A tree without roles leaves its tools to callers who hold everything; one role would take them from all others. */
function hasRoles({ policies }: Version): boolean {
  return policies.some(({ roles }) => roles.size > 0);
}

/** Creates a policy with one role that grants the capabilities of these tools, and no others. */
function toPolicy(files: ReadonlyMap<string, string>): string {
  const needed = [...files].flatMap(([path, text]): readonly string[] => {
    const manifest: unknown = path.startsWith("manifests/") ? parse(text) : undefined;
    const capabilities = isObject(manifest) ? manifest["requiredCapabilities"] : undefined;
    return Array.isArray(capabilities) ? capabilities.map(String) : [];
  });
  const lines = [...new Set(needed)].toSorted().map((capability) => `    - ${capability}\n`);
  return `# yaml-language-server: $schema=../../schemas/policy.schema.json\nroles:\n  # Who moves what calls run with.\n  tuner:\n${lines.join("")}`;
}

/** Lists the files that are not there. @throws CONFLICT where one is there and differs: it is somebody's work. */
async function findMissing(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<readonly (readonly [path: string, text: string])[]> {
  const missing: (readonly [string, string])[] = [];
  for (const [path, text] of files) {
    const there = await readFile(join(folder, path), "utf8").catch(() => undefined);
    if (there === undefined) missing.push([path, text]);
    else if (there !== text) {
      throw new CairnError("CONFLICT", `\`${path}\` is there and differs, so nothing was written; move it away first.`);
    }
  }
  return missing;
}
