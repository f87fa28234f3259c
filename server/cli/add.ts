import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { CairnError } from "../errors.ts";
import { loadText } from "../imports/load-text.ts";
import { saveText } from "../imports/save-text.ts";
import { isObject } from "../json/is-object.ts";
import { compareVersions } from "../semver/compare-versions.ts";
import { createLoader } from "../versions/load-version.ts";
import type { Version } from "../versions/version.ts";
import { createCommand, type CreateCommand } from "./command.ts";
import { loadSystem, type System, SYSTEM_NAMES } from "./load-system.ts";
import { EXIT } from "./exit-codes.ts";
import { openCheckout } from "./versions/checkout.ts";
import { toVersion } from "./versions/compare-targets.ts";
import { openTarget } from "./versions/open-target.ts";
import { putFragment } from "./versions/put-fragment.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Roles that Cairn's example agent has for a server, so that nobody needs all of its tools; absent: one role for all of them. */
const ROLES: Readonly<Partial<Record<System, readonly string[]>>> = {
  work: ["requester", "worker", "approver", "operator"],
  artifacts: ["maker", "treasurer"],
  beliefs: ["believer", "governor"],
};
const OWN_POLICY = "manifests/policies/access.yaml";

/** `cairn add <server>`: a server of Cairn's own in a repository that was not made with it. */
export const createAddCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "add", description: "Add a server that ships with Cairn to the repository here" },
    args: {
      server: {
        type: "positional",
        required: true,
        valueHint: "server",
        description: SYSTEM_NAMES.map((name) => `\`${name}\``).join(", "),
      },
    },
    async run({ args }) {
      const { out } = context;
      const name = SYSTEM_NAMES.find((one) => one === args.server);
      if (name === undefined) {
        const known = SYSTEM_NAMES.map((one) => `\`${one}\``).join(", ");
        throw new CairnError("BAD_REQUEST", `\`cairn add\` has no server \`${args.server}\`; it has ${known}.`);
      }
      const { folder } = await openCheckout(context);
      const loader = createLoader();
      const load = async () => {
        const target = await openTarget({ ...context, folder }, ".", loader);
        target.close();
        return { version: toVersion(target, "."), fragments: target.fragments };
      };
      const { version: before, fragments } = await load();
      const files = new Map(await loadSystem(ROOT, name));
      const policy = `manifests/policies/${name}.yaml`;
      if (hasRoles(before)) files.set(policy, await toPolicy(name, files));
      const missing = await findMissing(folder, files);
      for (const [path, text] of missing) {
        await saveText(join(folder, path), text);
        out(`Wrote ${path}.`);
      }
      if (missing.length === 0) {
        out(`The server \`${name}\` is there already.`);
        return EXIT.OK;
      }
      if (files.has(policy)) out(`Give the roles of ${policy} to those who use it; no caller has them yet.`);
      const isNew = missing.some(([path]) => path !== policy);
      const change = isNew ? `There is a server \`${name}\`.` : `Roles have the tools of the server \`${name}\`.`;
      if (fragments === undefined) return context.runCommand(["bump", "--change", change], { ...context, folder });
      // A fragment is about one change: whatever else is not committed is accounted for by its own.
      const { required: level } = compareVersions(before, (await load()).version);
      await putFragment({ out, folder }, { level, changes: [change] });
      return EXIT.OK;
    },
  });

/** A tree without roles leaves its tools to callers who hold everything; one role would take them from all others. */
function hasRoles({ policies }: Version): boolean {
  return policies.some(({ roles }) => roles.size > 0);
}

/** Creates a policy whose roles grant the capabilities of these tools, and no others. */
async function toPolicy(name: System, files: ReadonlyMap<string, string>): Promise<string> {
  const needed = listCapabilities(name, files);
  const roles = ROLES[name] === undefined ? toOneRole(name, needed) : await readOwnRoles(ROLES[name], needed);
  return `# yaml-language-server: $schema=../../schemas/policy.schema.json\nroles:\n${roles}`;
}

function listCapabilities(name: System, files: ReadonlyMap<string, string>): readonly string[] {
  const needed = [...files].flatMap(([path, text]): readonly string[] => {
    const manifest: unknown = path.startsWith(`manifests/${name}/`) ? parse(text) : undefined;
    const capabilities = isObject(manifest) ? manifest["requiredCapabilities"] : undefined;
    return Array.isArray(capabilities) ? capabilities.map(String) : [];
  });
  return [...new Set(needed)].toSorted();
}

function toOneRole(name: System, needed: readonly string[]): string {
  const lines = needed.map((capability) => `    - ${capability}\n`);
  return `  # For callers of all tools of this server.\n  ${name}:\n${lines.join("")}`;
}

/** Reads roles of the example agent, with the comments above them, as far as they grant what is needed. */
async function readOwnRoles(names: readonly string[], needed: readonly string[]): Promise<string> {
  const text = await readFile(join(ROOT, OWN_POLICY), "utf8");
  const blocks = [...text.matchAll(/(?:^ {2}#.*\n)*^ {2}(\w+):\n(?:^ {4}- .*\n)+/gm)];
  const isNeeded = (granted: string) =>
    needed.some((one) => (granted.endsWith("*") ? one.startsWith(granted.slice(0, -1)) : one === granted));
  return blocks
    .filter(([, role = ""]) => names.includes(role))
    .map(([block]) => block.replaceAll(/^ {4}- (.*)\n/gm, (line, granted: string) => (isNeeded(granted) ? line : "")))
    .join("");
}

/** Lists the files that are not there. @throws CONFLICT where one is there and differs: it is somebody's work. */
async function findMissing(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<readonly (readonly [path: string, text: string])[]> {
  const missing: (readonly [string, string])[] = [];
  for (const [path, text] of files) {
    const there = await loadText(join(folder, path));
    if (there === undefined) missing.push([path, text]);
    else if (there !== text) {
      throw new CairnError("CONFLICT", `\`${path}\` is there and differs, so nothing was written; move it away first.`);
    }
  }
  return missing;
}
