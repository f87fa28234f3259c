// The program of the process that holds the isolates. It does what it is told over one socket and knows nothing of calls.
import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { Socket } from "node:net";
import { CairnError } from "../../errors.ts";
import { createLineReader, type LossReason, OPEN_LIMIT, readFrame, toLine, type ToMain } from "../wire.ts";
import { dropPrivileges } from "./drop-privileges.ts";
import { type GuestIsolate, openGuestIsolate } from "./guest-isolate.ts";

/** Milliseconds between two looks at memory and at isolates that are busy. */
const TICK = 25;
/** Milliseconds that V8 gets to stop an isolate whose processor limit is over. */
const STOP_LIMIT = 1_000;
const MAX_LINE = 2 ** 28;

interface Entry {
  isolate?: GuestIsolate;
  /** Milliseconds that it may still be busy; undefined while it is idle. */
  left: number | undefined;
}

runHost(new Socket({ fd: 3, readable: true, writable: true }), Number(process.argv[2]) * 2 ** 20);

function runHost(socket: Socket, memoryLimit: number): void {
  const isolates = new Map<number, Entry>();
  const guest = loadGuest(new URL("../guest/", import.meta.url));
  let unsent = "";
  let watch: NodeJS.Timeout | undefined;

  dropPrivileges();
  const read = createLineReader(MAX_LINE, obey);
  socket.setEncoding("utf8").on("data", read).on("end", die).on("error", die);
  send("ready", 0);

  function send(verb: ToMain, isolate: number, number = 0, body = ""): void {
    if (unsent === "") setImmediate(flush);
    unsent += toLine(verb, isolate, number, body);
  }

  function flush(): void {
    socket.write(unsent);
    unsent = "";
  }

  function obey(line: string): void {
    const { verb, isolate, number, body } = readFrame(line);
    if (verb === "open") void open(isolate, number, body);
    else if (verb === "enter") void enter(isolate, number, body);
    else close(isolate);
  }

  async function open(id: number, memory: number, body: string): Promise<void> {
    const entry: Entry = { left: undefined };
    isolates.set(id, entry);
    try {
      const modules = new Map<string, string>(JSON.parse(body));
      const onCatastrophe = (reason: LossReason) => fail(reason, [[id, entry]]);
      entry.isolate = await timed(entry, OPEN_LIMIT, openGuestIsolate({ memory, guest, modules, onCatastrophe }));
      send("opened", id);
    } catch (error) {
      isolates.delete(id);
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      send("refused", id, 0, JSON.stringify({ name: error instanceof CairnError ? name : "INTERNAL_ERROR", message }));
    }
  }

  async function enter(id: number, cpu: number, items: string): Promise<void> {
    const entry = isolates.get(id);
    if (entry?.isolate === undefined) return;
    const start = performance.now();
    const { verb, events } = await timed(entry, cpu + STOP_LIMIT, entry.isolate.enter(items, cpu));
    if (verb === "gone") isolates.delete(id);
    send(verb, id, performance.now() - start, events);
  }

  function close(id: number): void {
    isolates.get(id)?.isolate?.dispose();
    isolates.delete(id);
  }

  async function timed<T>(entry: Entry, limit: number, work: Promise<T>): Promise<T> {
    entry.left = limit;
    watch ??= setInterval(look, TICK);
    try {
      return await work;
    } finally {
      entry.left = undefined;
    }
  }

  /** Counts looks instead of reading a clock: after a pause of this thread, what happened meanwhile is heard first. */
  function look(): void {
    const busy = [...isolates].filter(([, entry]) => entry.left !== undefined);
    for (const [, entry] of busy) entry.left = (entry.left ?? 0) - TICK;
    const stuck = busy.filter(([, { left = 0 }]) => left < 0);
    if (stuck.length > 0) fail("cpu", stuck);
    else if (process.memoryUsage.rss() > memoryLimit) fail("memory", busy);
    if (busy.length > 0) return;
    clearInterval(watch);
    watch = undefined;
  }

  /** The end, and which isolates are to blame for it. */
  function fail(reason: LossReason, guilty: readonly (readonly [id: number, entry: Entry])[]): void {
    socket.write(unsent + toLine("fatal", 0, 0, [reason, ...guilty.map(([id]) => id)].join(" ")), die);
    unsent = "";
  }
}

/** A thread that is inside V8 for good keeps a process from ending in any gentler way. */
function die(): void {
  process.kill(process.pid, "SIGKILL");
}

function loadGuest(folder: URL): ReadonlyMap<string, string> {
  const names = readdirSync(folder).filter((name) => /^[^.]+\.[jt]s$/.test(name));
  return new Map(
    names.map((name) => {
      const text = readFileSync(new URL(name, folder), "utf8");
      return [name, name.endsWith(".ts") ? stripTypeScriptTypes(text) : text];
    }),
  );
}
