// Makes `dist/`, the package as npm installs it: the same layout with JavaScript in the place of TypeScript, because Node
// strips no types below `node_modules`. `npm pack ./dist` packs it.
import { spawnSync } from "node:child_process";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = `${root}dist`;

await rm(dist, { recursive: true, force: true });
const { status } = spawnSync(`${root}node_modules/.bin/tsc`, ["-p", `${root}tsconfig.build.json`], {
  stdio: "inherit",
});
if (status !== 0) process.exit(1);
for (const part of [
  "bin",
  "schemas",
  "template",
  "manifests/tuner",
  "tools/tuner",
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
]) {
  await cp(root + part, `${dist}/${part}`, { recursive: true });
}
const {
  scripts: _scripts,
  devDependencies: _development,
  private: _private,
  ...published
} = JSON.parse(await readFile(`${root}package.json`, "utf8"));
published.exports = Object.fromEntries(
  Object.entries(published.exports).map(([name, { default: source }]) => {
    const module = source.replace(/\.ts$/, "");
    return [name, { types: `${module}.d.ts`, default: `${module}.js` }];
  }),
);
await writeFile(`${dist}/package.json`, `${JSON.stringify(published, undefined, 2)}\n`);
