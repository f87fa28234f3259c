// Folders that are made of others: made again only where something has changed, and put in the place of the old one when the
// new one is whole.
import { createHash } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";

/** The file of a made folder with the digest of what it was made of. */
const STAMP = ".inputs";
/** Makers at the same time that may come in between. */
const MAX_TRIES = 5;

/**
 * Makes the folder `target` of `inputs`, files and folders below `root`, with `make`, which gets an empty folder and says
 * whether it filled it. Made folders and what was made beside them by others do not count as inputs. Says whether it is there.
 */
export async function makeFolder({ root, target, inputs, make }) {
  const digest = await digestInputs(root, inputs);
  if ((await readFile(`${target}/${STAMP}`, "utf8").catch(() => "")) === digest) return true;
  const made = await mkdtemp(`${target}.`);
  try {
    if (!(await make(made))) return false;
    await writeFile(`${made}/${STAMP}`, digest);
    // As `mkdir` would make it: a temporary folder is its owner's alone.
    await chmod(made, 0o777 & ~process.umask());
    await replace(target, made);
    return true;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** The digest of everything that a folder is made of. */
async function digestInputs(root, inputs) {
  const hash = createHash("sha256");
  for (const input of inputs) {
    const isFolder = (await stat(root + input)).isDirectory();
    const below = isFolder ? await readdir(root + input, { recursive: true, withFileTypes: true }) : [];
    const files = below.filter((entry) => entry.isFile()).map((entry) => `${entry.parentPath}/${entry.name}`);
    for (const file of isFolder ? files.sort() : [root + input]) {
      const bytes = await readFile(file);
      hash.update(`${file.slice(root.length)}\0${bytes.length}\0`).update(bytes);
    }
  }
  return hash.digest("hex");
}

/** Puts a folder in the place of `target`, which is gone for no longer than between two renames. */
async function replace(target, made) {
  const old = await mkdtemp(`${target}.`);
  try {
    for (let tries = 0; ; tries += 1) {
      await rename(target, `${old}/${tries}`).catch(allow("ENOENT"));
      try {
        return await rename(made, target);
      } catch (error) {
        // Another maker came in between.
        if (tries === MAX_TRIES) throw error;
        allow("ENOTEMPTY", "EEXIST")(error);
      }
    }
  } finally {
    await rm(old, { recursive: true, force: true });
  }
}

function allow(...codes) {
  return (error) => {
    if (!codes.includes(error.code)) throw error;
  };
}
