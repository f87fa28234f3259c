import { DECLARATIONS } from "../../../capabilities/declarations.ts";
import ivm, { type Context, type Isolate, type Module, type Reference } from "isolated-vm";
import { CairnError } from "../../../errors.ts";
import { findPlatform, type PlatformPart } from "../platform.ts";
import { toWallLimit } from "../wire.ts";
import { OWN_SCHEME } from "../guest/guest-stacks.ts";
import { createEntrance, type Entrance } from "./entrance.ts";
import { HOST_FUNCTIONS } from "./host-functions.ts";
import { type LoadClock, linkModules, LOAD_LIMIT } from "./link-modules.ts";

/** V8 takes no smaller limit, in megabytes. */
const LEAST_MEMORY = 8;
const NANOSECONDS_PER_MILLISECOND = 1_000_000;

/** An isolate with a program. */
export interface GuestIsolate extends Entrance {
  /** Evaluates the program; once, before the first entry. Throws a CairnError when it cannot be loaded. */
  load(parts: IsolateParts): Promise<void>;
  /** Milliseconds of processor time that it has taken; exact only while nothing runs. */
  processorTime(): number;
  /** Ends it, and what runs in it if V8 can be interrupted. */
  dispose(): void;
}

/** The members of `ctx`, from which the guest makes its methods. */
const DECLARED = JSON.stringify(DECLARATIONS);

/** Parts of an isolate: the modules of the guest and of the program, by path, as JavaScript. */
export interface IsolateParts {
  readonly guest: ReadonlyMap<string, string>;
  /** Parts of the platform, of which the program gets those that it mentions. */
  readonly platform: ReadonlyMap<string, string>;
  readonly modules: ReadonlyMap<string, string>;
  readonly clock: LoadClock;
}

/**
 * An isolate of so many megabytes. Each runs on a thread of its own while it is busy, also when that is one more than
 * isolated-vm keeps: isolates that loop slow others down, but do not shut them out. `onCatastrophe` is called when V8 has
 * lost control of it; nothing but the end of the process gets its thread back. `onHostWork` hears of the milliseconds that the
 * host's own thread worked for it.
 */
export function createGuestIsolate(
  memory: number,
  onCatastrophe: (reason: "cpu" | "memory") => void,
  onHostWork: (milliseconds: number) => void,
): GuestIsolate {
  const isolate = new ivm.Isolate({
    memoryLimit: Math.max(LEAST_MEMORY, memory),
    onCatastrophicError: (message) => onCatastrophe(message.includes("memory") ? "memory" : "cpu"),
  });
  let entrance: Entrance | undefined;
  let taken = 0;
  const dispose = () => {
    if (!isolate.isDisposed) isolate.dispose();
  };

  return {
    async load({ guest, platform, modules, clock }) {
      try {
        const context = await isolate.createContext();
        // V8's own writes nowhere; a program that mentions it gets one that does.
        await context.global.delete("console");
        const parts = findPlatform(modules).map((part): [string, string] => toPart(platform, part));
        if (parts.length > 0) await offerHost(context, onHostWork);
        // Parts come first, because the rest closes the realm.
        const { install, enter } = await loadGuest(isolate, context, new Map([...parts, ...guest]), clock);
        const namespaces = await loadProgram(isolate, context, modules, clock);
        await install.apply(undefined, [namespaces.derefInto(), DECLARED], { timeout: toWallLimit(LOAD_LIMIT) });
        entrance = createEntrance(isolate, enter, dispose);
      } catch (error) {
        dispose();
        throw error;
      }
    },
    enter: (items, wall) => toEntrance(entrance).enter(items, wall),
    enterDirectly: (items, wall) => toEntrance(entrance).enterDirectly(items, wall),
    processorTime() {
      if (!isolate.isDisposed) taken = Number(isolate.cpuTime) / NANOSECONDS_PER_MILLISECOND;
      return taken;
    },
    dispose,
  };
}

function toPart(platform: ReadonlyMap<string, string>, part: PlatformPart): [path: string, code: string] {
  const found = [...platform].find(([path]) => path.replace(/\.[jt]s$/, "") === `platform/${part}`);
  if (found === undefined) throw new CairnError("INTERNAL_ERROR", `The sandbox's own part \`${part}\` is missing.`);
  return found;
}

/** Puts the host's functions where the parts of the platform take them away again before any handler's code. */
async function offerHost({ global }: Context, onWork: (milliseconds: number) => void): Promise<void> {
  for (const [name, act] of Object.entries<(...given: never[]) => unknown>({ ...HOST_FUNCTIONS })) {
    const metered = (...given: never[]): unknown => {
      const start = performance.now();
      try {
        return act(...given);
      } catch {
        // The error itself would show the handler what is below it.
        throw Object.assign(new RangeError("This is too much."), { stack: "RangeError: This is too much." });
      } finally {
        onWork(performance.now() - start);
      }
    };
    await global.set(`cairn:${name}`, new ivm.Callback(metered));
  }
}

async function loadGuest(
  isolate: Isolate,
  context: Context,
  sources: ReadonlyMap<string, string>,
  clock: LoadClock,
): Promise<{ readonly install: Reference; readonly enter: Reference }> {
  const modules = await linkModules(isolate, context, sources, clock, OWN_SCHEME);
  const entry = modules.get("guest.ts") ?? modules.get("guest.js");
  if (entry === undefined) throw new CairnError("INTERNAL_ERROR", "The sandbox's own modules are not complete.");
  const { namespace } = entry;
  const install: Reference = await namespace.get("install", { reference: true });
  const enter: Reference = await namespace.get("enter", { reference: true });
  return { install, enter };
}

async function loadProgram(
  isolate: Isolate,
  context: Context,
  sources: ReadonlyMap<string, string>,
  clock: LoadClock,
): Promise<Reference> {
  const modules = await linkModules(isolate, context, sources, clock);
  const table = await importAll(isolate, context, modules);
  if (table !== undefined) return table;
  for (const [path, module] of modules) {
    if ((await importAll(isolate, context, new Map([[path, module]]))) === undefined) {
      throw new CairnError("INTERNAL_ERROR", `\`${path}\` awaits something at its top level that never comes.`);
    }
  }
  throw new CairnError("INTERNAL_ERROR", "The program does not finish loading.");
}

/** A record of the modules' namespaces by path, or `undefined` when one of them is not evaluated to its end. */
async function importAll(
  isolate: Isolate,
  context: Context,
  modules: ReadonlyMap<string, Module>,
): Promise<Reference | undefined> {
  const paths = [...modules.keys()].map((path) => JSON.stringify(path));
  const imports = paths.map((path, index) => `import * as m${index} from ${path};`);
  const members = paths.map((path, index) => `[${path}]: m${index}`);
  const code = `${imports.join("\n")}\nexport var table = { __proto__: null, ${members.join(", ")} };`;
  const root = await isolate.compileModule(code, { filename: "program" });
  await root.instantiate(context, (path) => {
    const module = modules.get(path);
    if (module === undefined) throw new TypeError(`\`${path}\` is not there.`);
    return module;
  });
  await root.evaluate({ timeout: toWallLimit(LOAD_LIMIT) });
  const table: Reference = await root.namespace.get("table", { reference: true });
  return table.typeof === "object" ? table : undefined;
}

function toEntrance(entrance: Entrance | undefined): Entrance {
  if (entrance === undefined) throw new CairnError("INTERNAL_ERROR", "An isolate is entered that is not loaded.");
  return entrance;
}
