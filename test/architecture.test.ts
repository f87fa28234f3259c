import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { init, parse } from "es-module-lexer";
import { stripTypeScriptTypes } from "node:module";
import { describe, expect, test } from "vitest";

/** Each layer may import itself and what stands before it. */
const LAYERS = [
  "root",
  "store",
  "instance",
  "versions",
  "workspace",
  "semver",
  "knowledge",
  "auth",
  "audit",
  "tuner",
  "work",
  "forge",
  "backup",
  "sandbox",
  "syscalls",
  "invoke",
  "examples",
  "architect",
  "resources",
  "operations",
  "protocol",
  "http",
  "app",
  "worker",
  "cli",
];
/** Inside `versions`, the same: each of these folders may import those before it, and none the wiring at its root. */
const VERSIONS_FOLDERS = ["git", "mirror", "registry"];
/** Rooms of the kernel and of capabilities, as layers. */
const INNER: readonly (readonly [RegExp, string])[] = [
  [/^server\/kernel\/isolates\//, "sandbox"],
  [/^server\/kernel\/audit\//, "audit"],
  [/^server\/kernel\/invoke\//, "invoke"],
  [/^server\/capabilities\/\w+\/api\.ts$/, "root"],
  [
    /^server\/capabilities\/(?:tuner|work|workspace|knowledge)\/(?:syscalls|work-arguments|work-desk|wait-for-events|command-policy|planned-files)\.ts$/,
    "syscalls",
  ],
  [/^server\/capabilities\/tuner\//, "tuner"],
  [/^server\/capabilities\/work\//, "work"],
  [/^server\/capabilities\/workspace\//, "workspace"],
  [/^server\/capabilities\/knowledge\//, "knowledge"],
  [/^server\/(?:capabilities|kernel)\//, "syscalls"],
  // What the configuration reads of a forge stands with the rest of that forge.
  [/^server\/forge\/\w+\/(?:place|config)\.ts$/, "root"],
];
const WIRING: Readonly<Record<string, string>> = { "server/main.ts": "cli" };
const LINE_LIMIT = 250;

await init;
const sources = globSync("server/**/*.ts").sort();

/** Relative imports of a file, types included: a type is a dependency too. */
function importsOf(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(/^(?:import|export)\s[^;]*?from\s+"(\.[^"]+)"/gm)].map(
    ([, specifier = ""]) => relative(".", join(dirname(file), specifier)),
  );
}

function layerOf(file: string): string {
  if (WIRING[file] !== undefined) return WIRING[file];
  const inner = INNER.find(([pattern]) => pattern.test(file));
  if (inner !== undefined) return inner[1];
  const [, folder = "", rest] = file.split("/");
  return rest === undefined || ["json", "log", "text", "config"].includes(folder) ? "root" : folder;
}

describe("the architecture", () => {
  test("layers import only what stands before them", () => {
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith("server/"))
        .filter((target) => LAYERS.indexOf(layerOf(target)) > LAYERS.indexOf(layerOf(file)))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
    expect(sources.filter((file) => !LAYERS.includes(layerOf(file)))).toEqual([]);
  });

  test("inside versions, too: manifests, git, mirror, registry", () => {
    const folderOf = (file: string) => /^server\/versions\/(\w+)\//.exec(file)?.[1] ?? "";
    const mayImport = (from: string, to: string) =>
      from === to ||
      to === "" ||
      (VERSIONS_FOLDERS.includes(to) && VERSIONS_FOLDERS.indexOf(to) < VERSIONS_FOLDERS.indexOf(from));
    const wrong = sources
      .filter((file) => folderOf(file) !== "")
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => target.startsWith("server/versions/") && !mayImport(folderOf(file), folderOf(target)))
          .map((target) => `${file} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test("what verifies the audit imports nothing else of the server", () => {
    const wrong = sources
      .filter((file) => file.startsWith("server/kernel/audit/verify/"))
      .flatMap((file) => importsOf(file).filter((target) => !target.startsWith("server/kernel/audit/verify/")));
    expect(wrong).toEqual([]);
  });

  test("people's own workers load nothing of the service", () => {
    const wrong = sources
      .filter((file) => file.startsWith("server/worker/"))
      .flatMap((file) => importsOf(file).filter((target) => !["root", "worker"].includes(layerOf(target))));
    expect(wrong).toEqual([]);
  });

  test("no import cycles", () => {
    const graph = new Map(sources.map((file) => [file, importsOf(file)]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]) => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
      else if (!done.has(file)) {
        for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
        done.add(file);
      }
    };
    for (const file of sources) visit(file, []);
    expect(cycles).toEqual([]);
  });

  test("the server imports nothing from outside its folder", () => {
    const outside = sources.flatMap((file) => importsOf(file).filter((target) => !target.startsWith("server/")));
    expect(outside).toEqual([]);
  });

  test("only files named for it import LMDB, its engine, isolated-vm, h3 or the environment", () => {
    const owners: [RegExp, RegExp][] = [
      [/from "lmdb"/, /^server\/store\/lmdb\//],
      // What a data folder holds is opened by its holder; a trial has a folder of its own.
      [/from "[./]*store\/lmdb\/lmdb\.ts"/, /^server\/(?:app\/open-data|examples\/open-trial)\.ts$/],
      [/from "isolated-vm"/, /^server\/kernel\/isolates\/host[\w/-]*\.ts$/],
      [/from "(?:h3|srvx[\w/]*)"/, /^server\/http\//],
      [/from "@modelcontextprotocol\/sdk/, /^server\/(?:cli|protocol)\//],
      [/process\.env\b/, /^server\/(?:main|cli\/[\w-]+)\.ts$/],
    ];
    const wrong = sources.flatMap((file) => {
      const text = readFileSync(file, "utf8");
      return owners
        .filter(([use, owner]) => use.test(text) && !owner.test(file))
        .map(([use]) => `${file}: ${use.source}`);
    });
    expect(wrong).toEqual([]);
  });

  test("handlers import only from tools/, but for the types of the host API", () => {
    const wrong = globSync("tools/**/*.ts").flatMap((file) =>
      importsOf(file)
        .filter((target) => !target.startsWith("tools/") && target !== "server/host-api.ts")
        .concat(
          parse(stripTypeScriptTypes(readFileSync(file, "utf8")))[0].flatMap(({ n }) =>
            n?.startsWith(".") ? [] : [String(n)],
          ),
        )
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test(`files have at most ${LINE_LIMIT} lines`, () => {
    const long = [...sources, ...globSync("tools/**/*.ts")]
      .map((file) => [file, readFileSync(file, "utf8").split("\n").length - 1] as const)
      .filter(([, lines]) => lines > LINE_LIMIT);
    expect(long).toEqual([]);
  });

  test("files are named in kebab-case", () => {
    expect(sources.filter((file) => !/^[a-z0-9/-]+\.ts$/.test(file))).toEqual([]);
  });

  test("every test stands where its source stands", () => {
    const lost = globSync("test/{server,tools}/**/*.test.ts")
      .map((file) => file.replace(/^test\//, "").replace(/\.test\.ts$/, ""))
      // A test may add a word of its own; a tool's name may have a dot, too.
      .filter((stem) =>
        [stem, stem.replace(/\.\w+$/, "")].every((one) => !existsSync(`${one}.ts`) && !existsSync(one)),
      );
    expect(lost).toEqual([]);
  });

  test("every manifest of a tool has its handler and its test, and the other way round", () => {
    const stems = (pattern: string, prefix: string, suffix: RegExp) =>
      globSync(pattern)
        .map((file) => relative(prefix, file).replace(suffix, ""))
        .filter((stem) => !/(?:^|\/)(?:server$|_)|^(?:agent$|parameters\/|policies\/|workflows\/)/.test(stem))
        .sort();
    const manifests = stems("manifests/**/*.yaml", "manifests", /\.yaml$/);
    expect(stems("tools/**/*.ts", "tools", /\.ts$/)).toEqual(manifests);
    expect(stems("test/tools/**/*.test.ts", "test/tools", /\.test\.ts$/)).toEqual(manifests);
  });
});
