// Makes `console/dist/`, the console as browsers get it. `npm start` and `npm test` run it where its sources have changed, and
// `npm run build` before it makes the package.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL, fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { makeFolder } from "./made-folder.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const SOURCES = ["index.html", "main.tsx", "vite.config.mjs", "pages", "parts", "service", "shell", "styles", "words"];
const MAKERS = ["package-lock.json", "scripts/build-console.mjs", "scripts/made-folder.mjs"];
const INPUTS = [...SOURCES.map((name) => `console/${name}`), ...MAKERS];
const packBrotli = promisify(brotliCompress);

/** Builds the console where something has changed; without the packages for developers there is none. Says whether it went well. */
export async function buildConsole() {
  const target = `${root}console/dist`;
  return makeFolder({ root, target, inputs: INPUTS, make });
}

async function make(folder) {
  let vite;
  try {
    vite = await import(pathToFileURL(createRequire(import.meta.url).resolve("vite")).href);
  } catch {
    return false;
  }
  const { createViteConfig } = await import("../console/vite.config.mjs");
  const config = createViteConfig();
  await vite.build({ ...config, configFile: false, build: { ...config.build, outDir: folder }, logLevel: "error" });
  // With all effort here, so that the service spends none.
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = `${entry.parentPath}/${entry.name}`;
    await writeFile(`${path}.br`, await packBrotli(await readFile(path)));
  }
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildConsole();
