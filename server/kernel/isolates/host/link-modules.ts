import { posix } from "node:path";
import { init, parse } from "es-module-lexer";
import type { Context, Isolate, Module } from "isolated-vm";
import { CairnError } from "../../../errors.ts";
import { splitStack } from "../stack-frames.ts";
import { toWallLimit } from "../wire.ts";

/** Milliseconds of processor time that compiling one module may take, and so may its top level. */
export const LOAD_LIMIT = 1_000;

export const TIMED_OUT = "Script execution timed out.";

const THROWS = "throws while it is loaded";

/** Clock of the costs of loading. */
export interface LoadClock {
  /** A step begins that may take `LOAD_LIMIT` of the processor. */
  begin(): void;
  /** Checks that the present step has taken more: it was ended, and the isolate with it. */
  isOver(): boolean;
}

/**
 * Compiles ES modules, given by path, links them with each other and with nothing else, and evaluates them,
 * dependencies first, in which order they are returned. In stacks, `scheme` stands before their paths. Throws a CairnError that names the module which cannot be had,
 * and why.
 */
export async function linkModules(
  isolate: Isolate,
  context: Context,
  sources: ReadonlyMap<string, string>,
  clock: LoadClock,
  scheme = "",
): Promise<ReadonlyMap<string, Module>> {
  await init;
  const modules = new Map<string, Module>();
  const paths = new Map<Module, string>();
  for (const [path, source] of sources) {
    clock.begin();
    const module = await attempt(path, "does not compile", isolate.compileModule(source, { filename: scheme + path }));
    checkImports(path, source, sources);
    modules.set(path, module);
    paths.set(module, path);
  }
  const find = (specifier: string, referrer: Module): Module => {
    const module = modules.get(resolve(specifier, paths.get(referrer) ?? ""));
    if (module === undefined) throw new TypeError(`\`${specifier}\` is not there.`);
    return module;
  };
  const ordered = inDependencyOrder(modules);
  for (const [path, module] of ordered) {
    clock.begin();
    await attempt(path, "does not link", module.instantiate(context, find));
    await attempt(path, THROWS, module.evaluate({ timeout: toWallLimit(LOAD_LIMIT) }));
  }
  return ordered;

  async function attempt<T>(path: string, problem: string, result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (cause) {
      if (clock.isOver()) {
        throw new CairnError("CPU_LIMIT", `\`${path}\` runs for more than ${LOAD_LIMIT} ms while it is loaded.`);
      }
      if (isolate.isDisposed)
        throw new CairnError("MEMORY_LIMIT", `\`${path}\` needs too much memory while it is loaded.`);
      const message = cause instanceof Error ? cause.message : String(cause);
      if (message === TIMED_OUT) {
        throw new CairnError("UNAVAILABLE", `The machine is too busy to load \`${path}\`.`, { cause });
      }
      if (problem !== THROWS) throw new CairnError("INTERNAL_ERROR", `\`${path}\` ${problem}: ${message}`, { cause });
      const { advice, at } = splitStack(String(cause instanceof Error ? cause.stack : cause), sources);
      throw new CairnError("HANDLER_ERROR", `\`${path}\` ${THROWS}: ${message}${advice}${at}`, { cause });
    }
  }
}

function checkImports(path: string, source: string, sources: ReadonlyMap<string, string>): void {
  for (const { n: specifier = "", t: type, d: kind, at: attributes, ss: start } of parse(source, path)[0]) {
    const refuse = (what: string) => new CairnError("INTERNAL_ERROR", `\`${path}:${position(source, start)}\` ${what}`);
    if (kind === -2) throw refuse("uses `import.meta`, which handlers do not have.");
    if (kind >= 0) throw refuse(`uses \`import(${specifier})\`; only static imports are possible.`);
    if (Number(type) !== 1 || attributes !== null)
      throw refuse(`imports \`${specifier}\` in a special way; only plain imports are possible.`);
    if (!/^\.\.?\//.test(specifier)) {
      throw refuse(`imports \`${specifier}\`; only relative paths, such as \`../_lib/text.ts\`, are possible.`);
    }
    const resolved = resolve(specifier, path);
    if (!sources.has(resolved))
      throw refuse(`imports \`${specifier}\`; there is no module \`${resolved}\` in this version.`);
  }
}

function resolve(specifier: string, referrer: string): string {
  return posix.join(posix.dirname(referrer), specifier);
}

function position(source: string, offset: number): string {
  const before = source.slice(0, offset).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

function inDependencyOrder(modules: ReadonlyMap<string, Module>): ReadonlyMap<string, Module> {
  const ordered = new Map<string, Module>();
  const seen = new Set<string>();
  const visit = (path: string): void => {
    const module = modules.get(path);
    if (module === undefined || seen.has(path)) return;
    seen.add(path);
    for (const specifier of module.dependencySpecifiers) visit(resolve(specifier, path));
    ordered.set(path, module);
  };
  for (const path of modules.keys()) visit(path);
  return ordered;
}
