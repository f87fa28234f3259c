import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/temporary.ts";

const KEPT = ["scripts", "package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];
/** All folders that parts of the result come from. */
const FOLDERS = ["bin", "schemas", "template", "types", "manifests", "tools", "console"];

/** A checkout with one module of the service. */
async function createCheckout(): Promise<string> {
  const folder = await temporaryFolder();
  for (const path of [...KEPT, ...FOLDERS]) await cp(path, join(folder, path), { recursive: true });
  await mkdir(join(folder, "server"));
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  return folder;
}

test(
  "a build replaces `dist/` once the new one is whole, and only where something has changed",
  { timeout: 120_000 },
  async () => {
    const folder = await createCheckout();
    const [dist, source, made] = ["dist", "server/one.ts", "dist/server/one.js"].map((path) => join(folder, path)) as [
      string,
      string,
      string,
    ];
    const build = async () => {
      const child = spawn(process.execPath, [join(folder, "scripts/build.mjs")], { stdio: "ignore" });
      let missing = false;
      const watch = existsSync(dist) ? setInterval(() => (missing ||= !existsSync(made)), 5) : undefined;
      const [code] = (await once(child, "exit")) as [number | null];
      clearInterval(watch);
      return { code, missing };
    };
    await writeFile(source, "export const one: number = 1;\n");
    expect(await build()).toMatchObject({ code: 0 });
    expect(await readFile(made, "utf8")).toBe("export const one = 1;\n");
    const first = statSync(dist).ino;

    expect(await build()).toEqual({ code: 0, missing: false });
    expect(statSync(dist).ino).toBe(first);

    await writeFile(source, 'export const one: number = "1";\n');
    expect(await build()).toEqual({ code: 1, missing: false });
    expect(await readFile(made, "utf8")).toBe("export const one = 1;\n");

    await writeFile(source, "export const one: number = 2;\n");
    expect((await Promise.all([build(), build()])).map(({ code }) => code)).toEqual([0, 0]);
    expect(await readFile(made, "utf8")).toBe("export const one = 2;\n");
    expect((await readdir(folder)).filter((name) => name.startsWith("dist"))).toEqual(["dist"]);
  },
);
