import { existsSync, globSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { init, parse } from "es-module-lexer";
import { stripTypeScriptTypes } from "node:module";
import { describe, expect, test } from "vitest";
import {
  findCycles,
  findFolderBreaks,
  findFullFolders,
  findImports,
  findLayerBreaks,
  findLongFunctions,
  findVagueDocstrings,
  type FolderOrder,
  readSources,
  type Sources,
} from "./helpers/house-rules.ts";

/** Each layer may import itself and what stands before it. */
const LAYERS = [
  "root",
  "store",
  "instance",
  "versions",
  "semver",
  "auth",
  "kernel",
  "capabilities",
  "forge",
  "backup",
  "examples",
  "imports",
  "architect",
  "resources",
  "operations",
  "protocol",
  "http",
  "app",
  "worker",
  "imports",
  "cli",
];
/** Sub-folders of rooms, lowest first: each may import itself and those before it. "" stands for a room's own files. */
const FOLDER_ORDER: FolderOrder = {
  "server/versions": ["retirement", "manifests", "git", "mirror", "registry"],
  "server/semver": ["schemas", "declared", "", "report", "surfaces", "pending"],
};
/** Folders of the console, lowest first: a page is made of parts and asks the service, and knows neither the frame nor other pages. */
const CONSOLE_ORDER: FolderOrder = { console: ["words", "service", "parts", "pages", "shell"] };
/** No sub-folder of `versions` may lean on manifests: how a tree is read is its room's own affair. */
const MANIFESTS = "server/versions/manifests/";
/** Parts of the host API, which all may know, beside the capabilities that they describe. */
const HOST_API = /^server\/capabilities\/(?:\w+\/(?:api|declare)|declarations?)\.ts$/;
/** What the configuration reads of a forge stands with the rest of that forge. */
const FORGE_SETTINGS = /^server\/forge\/(?:settings|\w+\/config)\.ts$/;
const WIRING: Readonly<Record<string, string>> = { "server/main.ts": "cli" };
/** As long as the schemas that it is made of. */
const GENERATED_TYPES = "console/service/answers.ts";
const LINE_LIMIT = 250;
const FUNCTION_LIMIT = 80;
const FOLDER_LIMIT = 30;
/** Rooms whose docstrings are yet to be rewritten. Take a room out when it is done; put none in. */
const OLDER_DOCSTRINGS = /^server\/(?:architect\/(?:guard|planners)|forge)\//;
/** Files that stand in `server/` itself. */
const LOOSE_LIMIT = 8;

await init;
const sources = globSync("server/**/*.ts").sort();
const consoleFiles = globSync("console/{*,{pages,parts,service,shell,words}/**/*}.{ts,tsx}").sort();
const handlers = globSync("tools/**/*.ts").sort();
const shapes = readShapes(sources);
const consoleShapes = readShapes(consoleFiles);

function readShapes(files: readonly string[]): Sources {
  return readSources(files.map((file) => [file, readFileSync(file, "utf8")]));
}

const importsOf = (file: string): readonly string[] => shapes.get(file)?.imports ?? [];

function layerOf(file: string): string {
  if (WIRING[file] !== undefined) return WIRING[file];
  if (HOST_API.test(file) || FORGE_SETTINGS.test(file)) return "root";
  const [, folder = "", rest] = file.split("/");
  return rest === undefined || ["json", "log", "text", "config"].includes(folder) ? "root" : folder;
}

describe("the architecture", () => {
  test("layers import only what stands before them", () => {
    expect(findLayerBreaks(shapes, LAYERS, layerOf)).toEqual([]);
    expect(sources.filter((file) => !LAYERS.includes(layerOf(file)))).toEqual([]);
  });

  test("inside rooms, too, sub-folders import only what stands before them", () => {
    expect(findFolderBreaks(shapes, FOLDER_ORDER)).toEqual([]);
  });

  test("nothing in a sub-folder of versions imports how manifests are read", () => {
    const isLeaning = (from: string, to: string) =>
      to.startsWith(MANIFESTS) && !from.startsWith(MANIFESTS) && /^server\/versions\/\w+\//.test(from);
    expect(findImports(shapes, isLeaning)).toEqual([]);
  });

  test("the inclusion of schemas stands by itself: it imports nothing but JSON, which needs only errors and what masks them", () => {
    const isOwn = (file: string) => file.startsWith("server/semver/schemas/");
    expect(findImports(shapes, (from, to) => isOwn(from) && !isOwn(to) && !to.startsWith("server/json/"))).toEqual([]);
    const reached = new Set(["server/semver/schemas/public.ts"]);
    for (const file of reached) for (const target of importsOf(file)) reached.add(target);
    const rest = [...reached].filter((file) => !isOwn(file) && !file.startsWith("server/json/"));
    expect(rest.sort()).toEqual(["server/errors.ts", "server/log/find-values.ts", "server/log/redact.ts"]);
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

  test("the console is a program of its own: its folders import only what stands before them, and pages not each other", () => {
    const pageOf = (file: string) => /^console\/pages\/([\w-]+)\//.exec(file)?.[1];
    expect(findImports(consoleShapes, (_from, to) => !to.startsWith("console/"))).toEqual([]);
    expect(findFolderBreaks(consoleShapes, CONSOLE_ORDER)).toEqual([]);
    const isOther = (from: string, to: string) => pageOf(from) !== undefined && pageOf(from) !== pageOf(to);
    expect(findImports(consoleShapes, (from, to) => isOther(from, to) && to.startsWith("console/pages/"))).toEqual([]);
    expect(findImports(consoleShapes, (from, to) => to === "console/main.tsx" || from === to)).toEqual([]);
  });

  test("nothing in the console makes markup of text, or writes styles into the page", () => {
    const marking = /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcDoc|\bstyle=/;
    expect(consoleFiles.filter((file) => marking.test(readFileSync(file, "utf8")))).toEqual([]);
  });

  test("no import cycles", () => {
    expect(findCycles(shapes)).toEqual([]);
    expect(findCycles(consoleShapes)).toEqual([]);
  });

  test("the server imports nothing from outside its folder", () => {
    const outside = sources.flatMap((file) => importsOf(file).filter((target) => !target.startsWith("server/")));
    expect(outside).toEqual([]);
  });

  test("only files named for it import LMDB, its engine, isolated-vm, h3 or the environment", () => {
    const owners: [RegExp, RegExp][] = [
      [/from "lmdb"/, /^server\/store\/lmdb\//],
      // What a data folder holds is opened by its holder; a trial has a folder of its own.
      [/from "[./]*store\/lmdb\/lmdb\.ts"/, /^server\/(?:app\/open-store|examples\/open-trial)\.ts$/],
      [/from "pg"/, /^server\/store\/postgres\//],
      [
        /"[./]*store\/postgres\/\w[\w-]*\.ts"/,
        /^server\/(?:app\/(?:open-store|copy-store)|operations\/doctor\/check-store)\.ts$/,
      ],
      [/from "isolated-vm"/, /^server\/kernel\/isolates\/host[\w/-]*\.ts$/],
      [/from "(?:h3|srvx[\w/]*)"/, /^server\/http\//],
      [/from "@modelcontextprotocol\/sdk/, /^server\/(?:cli|protocol)\//],
      [/process\.env\b/, /^server\/(?:main|cli\/client\/connect-clients)\.ts$/],
    ];
    const wrong = sources.flatMap((file) => {
      const text = readFileSync(file, "utf8");
      return owners
        .filter(([use, owner]) => use.test(text) && !owner.test(file))
        .map(([use]) => `${file}: ${use.source}`);
    });
    expect(wrong).toEqual([]);
  });

  test("a kernel is put together in one place", () => {
    const parts = /\b(?:createInvoke|createDispatch|createAdmission)\(/;
    const makers = [...sources, ...globSync("{bench,test/helpers,test/tools,test/server/kernel}/**/*.ts")]
      .filter((file) => parts.test(readFileSync(file, "utf8").replaceAll(/export function \w+/g, "")))
      .filter((file) => !/^test\/.*\.test\.ts$/.test(file));
    expect(makers).toEqual(["server/kernel/open-kernel.ts"]);
    expect(sources.filter((file) => /\bopenCapabilities\(\{/.test(readFileSync(file, "utf8")))).toEqual([
      "server/app/open-served-kernel.ts",
      "server/examples/open-trial.ts",
    ]);
  });

  test("handlers import only from tools/, but for the types of the host API", () => {
    const wrong = [...readShapes(handlers)].flatMap(([file, { imports }]) =>
      imports
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
    const long = [...sources, ...handlers, ...consoleFiles.filter((file) => file !== GENERATED_TYPES)]
      .map((file) => [file, readFileSync(file, "utf8").split("\n").length - 1] as const)
      .filter(([, lines]) => lines > LINE_LIMIT);
    expect(long).toEqual([]);
  });

  test(`functions have at most ${FUNCTION_LIMIT} lines`, () => {
    expect(findLongFunctions(readShapes([...sources, ...handlers, ...consoleFiles]), FUNCTION_LIMIT)).toEqual([]);
  });

  test(`folders hold at most ${FOLDER_LIMIT} files`, () => {
    expect(findFullFolders(shapes, FOLDER_LIMIT)).toEqual([]);
    expect(findFullFolders(consoleShapes, FOLDER_LIMIT)).toEqual([]);
  });

  test(`at most ${LOOSE_LIMIT} files stand in server/ itself`, () => {
    expect(findFullFolders(shapes, LOOSE_LIMIT).filter((folder) => folder.startsWith("server "))).toEqual([]);
  });

  test("docstrings begin by naming their subject", () => {
    const files = globSync("{server,tools,template,scripts,bin,console}/**/*.{ts,tsx,mjs}", {
      exclude: ["console/dist/**"],
    });
    const vague = files
      .filter((file) => !OLDER_DOCSTRINGS.test(file) && file !== GENERATED_TYPES)
      .flatMap((file) => findVagueDocstrings(file, readFileSync(file, "utf8")));
    expect(vague).toEqual([]);
  });

  test("files are named in kebab-case", () => {
    expect([...sources, ...consoleFiles].filter((file) => !/^[a-z0-9/-]+\.tsx?$/.test(file))).toEqual([]);
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
