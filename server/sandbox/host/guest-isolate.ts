import ivm, { type Context, type Isolate, type Module, type Reference } from "isolated-vm";
import { CairnError } from "../../errors.ts";
import { linkModules, LOAD_LIMIT, TIMED_OUT } from "./link-modules.ts";

/** V8 takes no smaller limit, in megabytes. */
const LEAST_MEMORY = 8;

/** How often the outbox of an entry that threw is asked for. */
const MAX_READS = 3;

export interface GuestIsolate {
  /** Lets `items` in and waits until control is back: after at most about `cpu` milliseconds, if V8 can be interrupted. */
  enter(items: string, cpu: number): Promise<Entry>;
  dispose(): void;
}

export type Entry =
  | { readonly verb: "left" | "stopped"; readonly events: string }
  /** There is no isolate any more. */
  | { readonly verb: "gone"; readonly events: "memory" | "cpu" | "crash" };

/** What an isolate is made of: the modules of the guest and of the program, by path, as JavaScript. */
export interface IsolateParts {
  readonly memory: number;
  readonly guest: ReadonlyMap<string, string>;
  readonly modules: ReadonlyMap<string, string>;
  /** V8 has lost control of the isolate; nothing but the end of the process gets its thread back. */
  readonly onCatastrophe: (reason: "cpu" | "memory") => void;
}

/**
 * An isolate that has evaluated its program and can be entered. Each runs on a thread of its own while it is busy, also
 * when that is one more than isolated-vm keeps: isolates that loop slow others down, but do not shut them out. Throws a
 * CairnError when the program cannot be loaded.
 */
export async function openGuestIsolate({ memory, guest, modules, onCatastrophe }: IsolateParts): Promise<GuestIsolate> {
  const isolate = new ivm.Isolate({
    memoryLimit: Math.max(LEAST_MEMORY, memory),
    onCatastrophicError: (message) => onCatastrophe(message.includes("memory") ? "memory" : "cpu"),
  });
  const dispose = () => {
    if (!isolate.isDisposed) isolate.dispose();
  };
  try {
    const context = await isolate.createContext();
    const { install, enter } = await loadGuest(isolate, context, guest);
    const namespaces = await loadProgram(isolate, context, modules);
    await install.apply(undefined, [namespaces.derefInto()], { timeout: LOAD_LIMIT });
    return { enter: createEntrance(isolate, enter, dispose), dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

async function loadGuest(isolate: Isolate, context: Context, sources: ReadonlyMap<string, string>) {
  const modules = await linkModules(isolate, context, sources);
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
): Promise<Reference> {
  const modules = await linkModules(isolate, context, sources);
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
  await root.evaluate({ timeout: LOAD_LIMIT });
  const table: Reference = await root.namespace.get("table", { reference: true });
  return table.typeof === "object" ? table : undefined;
}

/**
 * An entry also throws, with its outbox unread, when a handler left a rejected promise to itself; entering again with
 * nothing gets at it. A handler can choose the message it throws but not make time pass, so a stop takes both.
 */
function createEntrance(isolate: Isolate, enter: Reference, dispose: () => void): GuestIsolate["enter"] {
  let read = true;
  return async (items, cpu) => {
    const start = performance.now();
    // 0 would mean no limit at all.
    const timeout = Math.max(1, Math.ceil(cpu));
    let verb: "left" | "stopped" = "left";
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      try {
        const args = [reads === 0 ? items : "", read];
        const outbox: unknown = await enter.apply(undefined, args, { timeout, result: { copy: true } });
        read = true;
        const events = readOutbox(outbox);
        if (events !== undefined) return { verb, events };
        break;
      } catch (error) {
        if (isolate.isDisposed) return { verb: "gone", events: "memory" };
        read = false;
        if (error instanceof Error && error.message === TIMED_OUT && performance.now() - start >= timeout)
          verb = "stopped";
      }
    }
    dispose();
    return { verb: "gone", events: verb === "stopped" ? "cpu" : "crash" };
  };
}

function readOutbox(outbox: unknown): string | undefined {
  if (typeof outbox !== "object" || outbox === null || !("events" in outbox)) return undefined;
  const { events } = outbox;
  // A line break would end the frame that carries the events.
  return typeof events === "string" && !events.includes("\n") ? events : undefined;
}
