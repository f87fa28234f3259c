import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CairnError } from "../errors.ts";
import { HOST_API_VERSION } from "../host-api.ts";
import { MANIFEST_KINDS } from "../versions/manifests/manifest-schemas.ts";
import { createCommand, type CreateCommand, version } from "./command.ts";
import { copySystem } from "./load-system.ts";
import { EXIT } from "./exit-codes.ts";
import { findOwnSpec, PACKAGE_NAME } from "./find-own-spec.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Specifications that name a file or folder. */
const LOCAL = /^(?:file:|git\+file:|link:|[./~]|[A-Za-z]:[\\/])/;
const LOCAL_ADVICE = [
  "That path holds on this machine alone: elsewhere, and in continuous integration, `npm install` will not find it.",
  "Before you push, name what can be fetched, and commit package.json:",
  "",
  `  npm pkg set devDependencies.${PACKAGE_NAME}=<version, git URL or tarball URL>`,
];
const PLACEHOLDER = /\{\{(name|package|hostApi)\}\}/g;

/** `cairn init [dir]`: a working repository, committed and tagged, so that it can be served at once. */
export const createInitCommand: CreateCommand = ({ folder, out }) =>
  createCommand({
    meta: { name: "init", description: "Make a repository of your own: a tool, its example, a tuner, its workflow" },
    args: {
      dir: { type: "positional", required: false, default: ".", description: "Folder to make it in; new or empty" },
      package: {
        type: "string",
        valueHint: "spec",
        description: "How npm finds Cairn: a version, git URL, tarball or folder (default: as this one was installed)",
      },
      schemas: {
        type: "boolean",
        description: "Only renew `schemas/`, which editors read, in a repository that exists",
      },
    },
    async run({ args }) {
      const target = resolve(folder, args.dir);
      if (args.schemas === true) {
        await renewSchemas(target);
        out(`Wrote ${SCHEMAS.length} schemas to ${join(relative(folder, target), "schemas")}.`);
        return EXIT.OK;
      }
      const name = toPackageName(basename(target));
      await mkdir(target, { recursive: true });
      const present = (await readdir(target)).filter((entry) => entry !== ".git");
      if (present.length > 0) {
        throw new CairnError(
          "BAD_REQUEST",
          `\`${target}\` is not empty (it has \`${present[0]}\`); name a new or empty folder.`,
        );
      }
      const { spec, isLocal } =
        args.package === undefined
          ? await findOwnSpec(ROOT, target, version)
          : { spec: args.package, isLocal: LOCAL.test(args.package) };
      await copyTemplate(target, { name, package: spec, hostApi: HOST_API_VERSION });
      await copySystem(ROOT, "tuner", target);
      await commitAndTag(target);
      const at = relative(folder, target) || ".";
      out(
        `Made ${at}: one tool, its example, a tuner, a workflow that validates every pull request; committed and tagged v0.1.0.`,
      );
      out(`It depends on ${PACKAGE_NAME} \`${spec}\`.`);
      if (isLocal) for (const line of LOCAL_ADVICE) out(line);
      out("");
      out(`  cd ${at}`);
      out("  npm install");
      out("  npm start        # serves every tag");
      out("  npm run dev      # serves your work tree, and follows your edits");
      return EXIT.OK;
    },
  });

async function copyTemplate(target: string, values: Readonly<Record<string, string>>): Promise<void> {
  await cp(join(ROOT, "template"), target, { recursive: true });
  // npm leaves out a file that is called .gitignore when it packs.
  await rename(join(target, "gitignore"), join(target, ".gitignore"));
  for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.includes("/.git/")) continue;
    const file = join(entry.parentPath, entry.name);
    const text = await readFile(file, "utf8");
    if (text.includes("{{"))
      await writeFile(
        file,
        text.replace(PLACEHOLDER, (_, key: string) => values[key] ?? ""),
      );
  }
  await copySchemas(target);
}

/** Writes the schemas of this Cairn over those of an older one. @throws BAD_REQUEST where no repository of tools is */
async function renewSchemas(target: string): Promise<void> {
  const present: readonly string[] = await readdir(target).catch(() => []);
  if (!present.includes("versions.yaml")) {
    const message = `\`${target}\` has no versions.yaml, so it is no repository of tools; name the folder of one.`;
    throw new CairnError("BAD_REQUEST", message);
  }
  await copySchemas(target);
}

/** Kinds of files that people edit. */
const SCHEMAS = [...MANIFEST_KINDS, "change"] as const;

/** Copies the schemas of the files that people edit; the others describe what Cairn answers and stores. */
async function copySchemas(target: string): Promise<void> {
  await mkdir(join(target, "schemas"), { recursive: true });
  for (const kind of SCHEMAS) {
    await cp(join(ROOT, `schemas/${kind}.schema.json`), join(target, `schemas/${kind}.schema.json`));
  }
}

async function commitAndTag(target: string): Promise<void> {
  const git = async (...args: string[]) => (await run("git", ["-C", target, ...args])).stdout.trim();
  try {
    await git("init", "--quiet", "--initial-branch=main");
    const hasIdentity = await git("config", "user.email").catch(() => "");
    // People without a name in git's configuration can still begin.
    const identity = hasIdentity === "" ? ["-c", "user.name=Cairn", "-c", "user.email=cairn@localhost"] : [];
    await git("add", "--all");
    await git(...identity, "commit", "--quiet", "--message=First version");
    await git(...identity, "tag", "v0.1.0");
  } catch (error) {
    const reason = (error as { stderr?: string }).stderr?.trim() || String(error);
    throw new CairnError("UNAVAILABLE", `git could not make the repository: ${reason}`, { cause: error });
  }
}

function toPackageName(folder: string): string {
  return (
    folder
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, "-")
      .replace(/^-+|-+$/g, "") || "agent"
  );
}
