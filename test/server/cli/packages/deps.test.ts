import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadPackages } from "../../../../server/imports/packages/packages-lock.ts";
import { createShared, temporaryFolder } from "../../../helpers/temporary.ts";
import { startNpmRegistry } from "../../../stand-ins/npm-registry.ts";
import { runIn } from "../run-in.ts";

type Sources = Readonly<Record<string, string>>;

const run = promisify(execFile);
const shared = createShared();
let registry = "";
let environment: Readonly<Record<string, string | undefined>> = {};

/** Packages that stand for what people meet, by name and version. */
const PUBLISHED: Readonly<Record<string, Readonly<Record<string, Sources>>>> = {
  shout: {
    "1.0.0": {
      "package.json": JSON.stringify({
        type: "module",
        license: "ISC",
        exports: { ".": { types: "./index.d.ts", default: "./index.js" }, "./loudly": "./loudly.js" },
        dependencies: { marks: "^2.0.0" },
        scripts: { postinstall: "node -e \"require('fs').writeFileSync(process.env.MARKER, '')\"" },
      }),
      "index.js":
        'import marks from "marks"; /* \u200b */ export const shout = (text) => text.toUpperCase() + marks.one + "\u200b";',
      "index.d.ts":
        'import type { Mark } from "./mark.js";\nexport declare function shout(text: string): `${string}${Mark}`;',
      "mark.d.ts": 'export type Mark = "!";',
      "loudly.js": "export const loudly = 1;",
      LICENSE: "Do what you like.",
    },
    "1.1.0": { "package.json": JSON.stringify({ type: "module" }), "index.js": "export const shout = (text) => text;" },
    "2.0.0": { "package.json": JSON.stringify({ type: "module" }), "index.js": "export const shout = () => 2;" },
  },
  marks: { "2.3.4": { "package.json": "{}", "index.js": 'exports.one = "!";' } },
  reads: {
    "1.0.0": { "package.json": "{}", "index.js": 'exports.read = () => require("fs").readFileSync("/etc/passwd");' },
  },
  texts: {
    "1.0.0": {
      "package.json": JSON.stringify({ type: "module" }),
      "index.js": "export const make = (text) => new Function(text);\nexport const one = 1;",
    },
  },
  ticks: { "1.0.0": { "package.json": "{}", "index.js": "exports.start = Date.now();" } },
  loads: {
    "1.0.0": {
      "package.json": JSON.stringify({ type: "module" }),
      "index.js": "export const load = (name) => import(name);",
    },
  },
  pages: {
    "1.0.0": {
      "package.json": JSON.stringify({ type: "module" }),
      "index.js":
        "globalThis.pages ??= { count: 1 };\nexport const count = () => globalThis.pages.count;\nexport const open = () => document.body;",
    },
  },
};

/** Packages that this checkout has, and that people use. */
const REAL = ["yaml", "ipaddr.js", "zod", "smol-toml", "undici"];

beforeAll(async () => {
  registry = (await startNpmRegistry(shared.atEnd)).url;
  for (const [name, versions] of Object.entries(PUBLISHED)) await publish(name, versions);
  for (const name of REAL) await publishFolders(name, [join("node_modules", name)]);
  const home = await temporaryFolder(shared.atEnd);
  environment = {
    PATH: process.env["PATH"],
    HOME: home,
    MARKER: join(home, "marker"),
    npm_config_registry: registry,
    npm_config_cache: join(home, "cache"),
  };
}, 120_000);
afterAll(shared.undoAll);

async function publish(name: string, versions: Readonly<Record<string, Sources>>): Promise<void> {
  const folders = Object.entries(versions).map(async ([version, files]) => {
    const manifest = { ...JSON.parse(files["package.json"] ?? "{}"), name, version };
    const folder = await temporaryFolder(shared.atEnd);
    for (const [path, text] of Object.entries({ ...files, "package.json": JSON.stringify(manifest) })) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return folder;
  });
  await publishFolders(name, await Promise.all(folders));
}

/** Publishes the versions of a package that stand in folders, the newest last. */
async function publishFolders(name: string, folders: readonly string[]): Promise<void> {
  const packed = await Promise.all(
    folders.map(async (folder) => {
      const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { readonly version: string };
      const file = join(await temporaryFolder(shared.atEnd), "it.tgz");
      await run("tar", ["-czf", file, "--exclude=./node_modules", "--transform=s,^\\.,package,", "-C", folder, "."]);
      const bytes = await readFile(file);
      const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
      return {
        version: manifest.version,
        manifest: { ...manifest, dist: { integrity } },
        data: bytes.toString("base64"),
      };
    }),
  );
  const body = {
    name,
    "dist-tags": { latest: packed.at(-1)?.version },
    versions: Object.fromEntries(packed.map(({ version, manifest }) => [version, manifest])),
    _attachments: Object.fromEntries(packed.map(({ version, data }) => [`${name}-${version}.tgz`, { data }])),
  };
  await fetch(`${registry}/${name}`, { method: "PUT", body: JSON.stringify(body) });
}

async function openRepository(): Promise<string> {
  const folder = await temporaryFolder();
  const files = {
    "versions.yaml": "current: 0.1.0\nversions: { 0.1.0: { changes: [First version.] } }\n",
    "manifests/agent.yaml": "name: agent\ndescription: Tests.\nhostApi: 1.0.0\n",
    "manifests/runner/server.yaml": "name: runner\ndescription: Runs.\n",
    "manifests/runner/say.yaml":
      'name: runner.say\nversion: 1.0.0\ndescription: Says it.\ndeterministic: true\ninput: { type: object }\noutput: { type: object }\nexamples: [{ input: {}, output: { said: "A!\\u200b" } }]\n',
    "tools/runner/say.ts": 'import { shout } from "../_deps/shout.js";\nexport default () => ({ said: shout("a") });\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const deps = (folder: string, ...words: readonly string[]) => runIn(folder, ["deps", ...words], { environment });

describe("cairn deps", () => {
  test(
    "bundles a package and what it needs, with types and licences, and runs no script of it",
    { timeout: 240_000 },
    async () => {
      const folder = await openRepository();
      const { code, printed } = await deps(folder, "add", "shout@^1.0.0", "pages");
      expect(printed).toContain("shout 1.1.0");
      expect(code).toBe(0);
      const older = await deps(folder, "add", "shout@1.0.0");
      expect(older.printed).toContain('  import { shout } from "../_deps/shout.js";');
      await expect(access(environment["MARKER"] ?? "")).rejects.toThrow("ENOENT");
      const read = (path: string) => readFile(join(folder, "tools/_deps", path), "utf8");
      expect(await read("shout.js")).toContain("!\\u200b");
      expect(await read("shout.js")).not.toContain("\u200b");
      expect(await read("shout.licenses.txt")).toMatch(
        /^marks 2\.3\.4 \(no licence named\)\n\n-+\n\nshout 1\.0\.0 \(ISC\)\n\nDo what you like\.\n$/,
      );
      expect(await read("shout.d.ts")).toBe(
        '// Written by `cairn deps`.\nexport * from "./types/shout/shout__index.mjs";\n',
      );
      expect(await readdir(join(folder, "tools/_deps/types/shout"))).toEqual([
        "shout__index.d.mts",
        "shout__mark.d.mts",
      ]);
      const lock = await loadPackages(folder);
      expect(lock?.packages["shout"]).toMatchObject({
        import: "shout",
        range: "1.0.0",
        install: {
          "node_modules/shout": { version: "1.0.0", dependencies: { marks: "^2.0.0" } },
          "node_modules/marks": { version: "2.3.4", integrity: expect.stringMatching(/^sha512-/) },
        },
      });
      expect((await runIn(folder, ["validate", "--no-number"])).printed).toContain("is valid");
      expect((await runIn(folder, ["test"])).printed).toContain("pass: 1 passed");

      expect(await deps(folder, "check")).toEqual({
        code: 0,
        printed: "same  tools/_deps/pages.js\nsame  tools/_deps/shout.js",
      });
      await writeFile(join(folder, "tools/_deps/shout.js"), `${await read("shout.js")}\n// more`);
      const changed = await deps(folder, "check");
      expect(changed.code).toBe(1);
      expect(changed.printed).toContain("not what `shout` 1.0.0 comes to: tools/_deps/shout.js");

      expect((await deps(folder, "remove", "pages")).printed).toBe("removed  tools/_deps/pages.js");
      expect((await deps(folder, "remove", "shuot")).printed).toContain("Did you mean `shout`?");
      expect((await readdir(join(folder, "tools/_deps"))).join()).not.toContain("pages");
    },
  );

  test("updates within the range that the lock has", { timeout: 240_000 }, async () => {
    const folder = await openRepository();
    await deps(folder, "add", "shout@>=1.0.0 <2.0.0");
    await publish("shout", { ...PUBLISHED["shout"], "1.2.0": PUBLISHED["shout"]?.["1.1.0"] ?? {} });
    const { printed } = await deps(folder, "update");
    expect(printed).toContain("shout 1.2.0 (it was 1.1.0)");
    expect((await loadPackages(folder))?.packages["shout"]?.range).toBe(">=1.0.0 <2.0.0");
  });

  test("bundles a path of a package under a name of its own", { timeout: 240_000 }, async () => {
    const folder = await openRepository();
    const { printed } = await deps(folder, "add", "shout/loudly@1.0.0");
    expect(printed).toContain("shout/loudly 1.0.0: tools/_deps/shout__loudly.js");
    expect(printed).toContain("It has no types");
    expect(await readFile(join(folder, "tools/_deps/shout__loudly.d.ts"), "utf8")).toContain(
      "export declare const loudly: any;",
    );
  });

  test.for([
    ["reads", "node_modules/reads/index.js needs Node's `fs`"],
    ["texts", "node_modules/texts/index.js needs `Function(...)`, which makes code of text"],
    ["loads", "node_modules/loads/index.js needs `import(...)`, which loads code at run time"],
    [
      "ticks",
      "  node_modules/ticks/index.js\n  `tools/_deps/ticks.js` throws while it is loaded: `Date.now()` is not there",
    ],
    ["shout/quietly", "cannot be bundled: There is no `shout/quietly` that could be imported."],
    ["absent", "npm could not bring the packages: 404 Not Found"],
    ["undici", "node_modules/undici/lib/api/api-connect.js needs Node's `node:assert`"],
  ] as const)("refuses `%s`, and writes nothing", { timeout: 240_000 }, async ([name, reason]) => {
    const folder = await openRepository();
    const { code, printed } = await deps(folder, "add", ...(name === "reads" ? ["pages"] : []), name);
    expect(printed).toContain(reason);
    expect(code).not.toBe(0);
    await expect(access(join(folder, "tools/_deps"))).rejects.toThrow("ENOENT");
  });

  test("refuses a package whose file would take the place of another one's", async () => {
    const folder = await openRepository();
    const { code, printed } = await deps(folder, "add", "ticks.js", "ticks");
    expect(printed).toContain("`ticks` and `ticks.js` would both be `tools/_deps/ticks.js`");
    expect(code).not.toBe(0);
    await expect(access(join(folder, "tools/_deps"))).rejects.toThrow("ENOENT");
  });

  test("says what of a package fails when a handler gets there", { timeout: 240_000 }, async () => {
    const folder = await openRepository();
    expect((await deps(folder, "add", "pages")).printed).toContain("    node_modules/pages/index.js: document");
    const { code } = await deps(folder, "add", "texts", "--partial");
    expect(code).toBe(0);
    expect((await loadPackages(folder))?.packages["texts"]?.partial).toBe(true);
    expect((await deps(folder, "check")).code).toBe(0);
  });

  test("bundles packages that people use, which bring their types", { timeout: 240_000 }, async () => {
    const folder = await openRepository();
    const { code, printed } = await deps(folder, "add", "yaml", "ipaddr.js", "zod", "smol-toml");
    expect(printed).not.toContain("no types");
    expect(code).toBe(0);
  });

  test(
    "asks for no package without a lock, and for a bundler of the version that it names",
    { timeout: 240_000 },
    async () => {
      const folder = await openRepository();
      expect((await deps(folder, "check")).printed).toContain("`cairn deps add` brings one");
      await deps(folder, "add", "pages");
      const path = join(folder, "tools/_deps/packages.lock.yaml");
      await writeFile(path, (await readFile(path, "utf8")).replace(/version: 1\.2\.\d+/, "version: 1.2.0"));
      const { code, printed } = await deps(folder, "check");
      expect([code, printed]).toEqual([3, expect.stringContaining("Install `rolldown@1.2.0`")]);
    },
  );
});
