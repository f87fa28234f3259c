import { isBuiltin } from "node:module";
import { relative } from "node:path";
import type { Plugin } from "rolldown";
import { loadOptional } from "../../config/optional-package.ts";
import { CairnError } from "../../errors.ts";
import { MAX_MODULE_BYTES } from "../../versions/manifests/handlers/read-module.ts";
import { findForeignGlobals } from "../../versions/manifests/handlers/find-foreign-globals.ts";
import { escapeHidden } from "../../text/find-hidden.ts";
import { findObstacles, OF_TEXT, type Obstacle } from "./find-obstacles.ts";

export interface Bundle {
  readonly code: string;
  readonly exports: readonly string[];
  /** Paths of the modules in it, from the folder that npm installed into. */
  readonly modules: readonly string[];
  /** Globals that parts of it use and isolates do not have, by module. */
  readonly lacks: ReadonlyMap<string, readonly string[]>;
}

export interface Bundler {
  readonly version: string;
  /**
   * Bundles what is imported by `specifier` in a folder. `isPartial`: also what makes code of text. @throws BAD_REQUEST that
   * names the modules that no isolate can run
   */
  bundle(folder: string, specifier: string, isPartial: boolean): Promise<Bundle>;
}

const ROLLDOWN = { feature: "Bundling packages", packages: ["rolldown"] };
/** Lines of a bundler that say where a reason comes from, and not what it is. */
const HEADLINE = /^(?:Build failed|\[plugin [\w-]+\]\s*$)/;
/** Milliseconds. */
const TIME_LIMIT = 60_000;
const MAX_SHOWN = 10;
/** Variable by which packages leave out what is for their developers. */
const MODE = ["process", "env", "NODE_ENV"].join(".");
/** Number of the options and steps below. Raise it when they change what comes out. */
export const RECIPE = 1;

/**
 * Stands for the global object in a bundle: what a package puts there, such as the settings that its copies share, it finds
 * again, and nobody else does. The global object itself takes nothing.
 */
const GLOBAL = "packageGlobal";
const INTRO = `const ${GLOBAL} = Object.create(globalThis);\n`;

/** Loads the bundler. @throws UNAVAILABLE with the command that installs it, where it is missing */
export async function loadBundler(): Promise<Bundler> {
  const [{ rolldown, VERSION }, { parseAst }] = await loadOptional(ROLLDOWN, () =>
    Promise.all([import("rolldown"), import("rolldown/parseAst")]),
  );
  return {
    version: VERSION,
    async bundle(folder, specifier, isPartial) {
      const missing: Obstacle[] = [];
      const generate = async () => {
        const build = await rolldown(toOptions(folder, specifier, missing));
        try {
          return await build.generate({
            format: "esm",
            codeSplitting: false,
            comments: { annotation: false, jsdoc: false, legal: true },
          });
        } finally {
          await build.close();
        }
      };
      const { output } = await inTime(generate(), specifier);
      const [chunk] = output;
      const modules = Object.entries(chunk.modules).flatMap(([id, { code, renderedLength }]) =>
        code === null || renderedLength === 0 ? [] : [{ path: toPath(folder, id), code }],
      );
      const kept = new Set(modules.map(({ path }) => path));
      const obstacles = [
        ...missing.filter(({ module }) => kept.has(module)),
        ...modules.flatMap(({ path, code }) => findObstacles(path, code, parseAst)),
      ];
      const fatal = obstacles.filter(({ isGuarded, isText }) => isGuarded !== true && !(isPartial && isText === true));
      if (fatal.length > 0) throw refuse(specifier, fatal);
      const code = escapeHidden(chunk.code.includes(GLOBAL) ? INTRO + chunk.code : chunk.code);
      const bytes = Buffer.byteLength(code);
      if (bytes > MAX_MODULE_BYTES) {
        const advice = "Bundle a path in it, such as `lodash-es/groupBy`, or a smaller package.";
        throw new CairnError(
          "BAD_REQUEST",
          `\`${specifier}\` comes to ${bytes} bytes; ${MAX_MODULE_BYTES} are allowed. ${advice}`,
        );
      }
      const lacks = modules.map(({ path, code: own }): [string, readonly string[]] => [
        path,
        toNames(findForeignGlobals(path, own)),
      ]);
      return {
        code,
        exports: chunk.exports,
        modules: [...kept].sort(),
        lacks: new Map(lacks.filter(([, names]) => names.length > 0)),
      };
    },
  };
}

function toOptions(folder: string, specifier: string, missing: Obstacle[]) {
  return {
    input: { bundle: specifier },
    cwd: folder,
    platform: "browser" as const,
    logLevel: "silent" as const,
    // None of the project's.
    tsconfig: false as const,
    resolve: { conditionNames: ["import", "module", "browser", "default"] },
    transform: {
      target: "esnext",
      define: { [MODE]: '"production"', global: GLOBAL, globalThis: GLOBAL },
    },
    plugins: [createWatch(folder, missing)],
  };
}

/** Notes what modules ask for and no isolate has: modules of Node, native code, packages that are not there. */
function createWatch(folder: string, missing: Obstacle[]): Plugin {
  return {
    name: "cairn",
    async resolveId(source, importer, options) {
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      if (found !== null && !found.external && !isBuiltin(found.id)) return found;
      if (importer === undefined)
        throw new CairnError(
          "BAD_REQUEST",
          `There is no \`${source}\` that could be imported. (A repository of GitHub is no package of npm.)`,
        );
      const needs = isBuiltin(source) ? `Node's \`${source}\`` : `\`${source}\`, which is not there`;
      missing.push({ module: toPath(folder, importer), needs });
      return { id: source, external: true };
    },
    load(id) {
      if (!/\.(?:node|wasm)$/.test(id)) return null;
      missing.push({ module: toPath(folder, id), needs: "native code or WebAssembly" });
      return "export default undefined;";
    },
  };
}

async function inTime<T>(work: Promise<T>, specifier: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new CairnError("BAD_REQUEST", `Bundling \`${specifier}\` was not done after ${TIME_LIMIT} ms.`);
    timer = setTimeout(reject, TIME_LIMIT, error);
  });
  try {
    return await Promise.race([work, late]);
  } catch (cause) {
    if (cause instanceof CairnError) throw cause;
    const lines = String(cause instanceof Error ? cause.message : cause).split("\n");
    const reason = lines.find((line) => /^\S.*[a-z]/i.test(line) && !HEADLINE.test(line)) ?? "";
    throw new CairnError("BAD_REQUEST", `\`${specifier}\` cannot be bundled: ${reason.replace(/^[A-Z_]+: /, "")}`, {
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}

function refuse(specifier: string, obstacles: readonly Obstacle[]): CairnError {
  const sorted = [...new Set(obstacles.map(({ module, needs }) => `  ${module} needs ${needs}`))].sort();
  const more = sorted.length > MAX_SHOWN ? [`  and ${sorted.length - MAX_SHOWN} more`] : [];
  const advice = sorted.every((line) => line.endsWith(OF_TEXT))
    ? ["Where handlers do without that part, `--partial` bundles the package all the same."]
    : [];
  const lines = sorted.slice(0, MAX_SHOWN);
  const message = [`\`${specifier}\` cannot run in an isolate:`, ...lines, ...more, ...advice];
  return new CairnError("BAD_REQUEST", message.join("\n"));
}

function toNames(problems: readonly { readonly message: string }[]): readonly string[] {
  return [...new Set(problems.flatMap(({ message }) => /^`([\w$.]+)(?:\(\))?`/.exec(message)?.[1] ?? []))];
}

function toPath(folder: string, id: string): string {
  return relative(folder, id.replace(/^\0/, "").replace(/\?.*$/, "")).replaceAll("\\", "/");
}
