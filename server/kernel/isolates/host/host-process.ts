// The program of the process that holds the isolates. It obeys one socket and knows nothing of calls.
import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { CairnError } from "../../../errors.ts";
import type { LossReason } from "../sandbox.ts";
import { DIRECT_LIMIT, OPEN_LIMIT, readFrame, toLine, type ToMain, toWallLimit } from "../wire.ts";
import { dropPrivileges } from "./drop-privileges.ts";
import { createGuestIsolate, type GuestIsolate } from "./guest-isolate.ts";
import { LOAD_LIMIT } from "./link-modules.ts";
import { openPipe, type Pipe } from "./pipe.ts";
import {
  createMeter,
  createProcessorClock,
  type Meter,
  type ProcessorClock,
  startMeter,
  stopMeter,
} from "./processor-clock.ts";

/** Milliseconds between two looks at memory and at isolates that are busy, and looks after which the host says that it lives. */
const TICK = 25;
const TICKS_PER_SIGN = 20;
/** Milliseconds of processor time that V8 gets to stop an isolate whose limit is over. */
const STOP_LIMIT = 500;
/** Milliseconds by the clock that V8 gets to stop what is over its limit by the clock. */
const WALL_GRACE = 1_000;
/** Looks through which one must have been busy to have filled the memory: none can in a shorter time. */
const TICKS_TO_FILL = 2;
/** Descriptor of the pipe to the main process. */
const PIPE = 3;

interface Entry {
  readonly isolate: GuestIsolate;
  readonly meter: Meter;
  /** Milliseconds by the clock that it may still be busy. */
  left: number;
  /** Processor time that its work had taken when it was ended for that; undefined while it is within its limit. */
  endedAt: number | undefined;
}

interface Host {
  readonly pipe: Pipe;
  /** Bytes. */
  readonly memoryLimit: number;
  /** The guest's modules by file name. */
  readonly guest: ReadonlyMap<string, string>;
  /** Parts of the platform, by path from the folder of the guest's modules. */
  readonly platform: ReadonlyMap<string, string>;
  readonly clock: ProcessorClock;
  readonly isolates: Map<number, Entry>;
  /** Pieces of work that go on beside this thread. */
  busy: number;
  /** Milliseconds by the clock at the last look at memory after a direct entry. */
  lookedAt: number;
  /** Runs while something is busy. */
  watch: NodeJS.Timeout | undefined;
  ticks: number;
}

runHost(Number(process.argv[2]) * 2 ** 20);

function runHost(memoryLimit: number): void {
  const folder = new URL("../guest/", import.meta.url);
  const guest = loadModules(folder, "");
  const platform = loadModules(folder, "platform/");
  const clock = createProcessorClock({ read: readProcessorTime, now: () => performance.now() });
  const isolates = new Map<number, Entry>();
  const pipe = openPipe({ fd: PIPE, onLine: (line) => obey(host, line), isBusy: () => host.busy > 0, onEnd: die });
  const state = { busy: 0, lookedAt: 0, watch: undefined, ticks: 0 };
  const host: Host = { pipe, memoryLimit, guest, platform, clock, isolates, ...state };
  dropPrivileges();
  send(host, "ready", 0);
  pipe.serve();
}

function send({ pipe }: Host, verb: ToMain, isolate: number, number = 0, body = ""): void {
  pipe.send(toLine(verb, isolate, number, body));
}

function obey(host: Host, line: string): void {
  const { verb, isolate, number, body } = readFrame(line);
  if (verb === "open") void open(host, isolate, number, body);
  else if (verb === "enter") void enter(host, isolate, number, body);
  else if (verb === "direct") enterDirectly(host, isolate, number, body);
  else close(host, isolate);
}

async function open(host: Host, id: number, memory: number, body: string): Promise<void> {
  const { isolates, guest, platform } = host;
  try {
    const onCatastrophe = (reason: "cpu" | "memory") => fail(host, reason, [[id, entry]]);
    const isolate = createGuestIsolate(memory, onCatastrophe, (spent) => void (entry.meter.used += spent));
    const entry: Entry = { isolate, meter: createMeter(isolate.processorTime), left: 0, endedAt: undefined };
    isolates.set(id, entry);
    const modules = new Map<string, string>(JSON.parse(body));
    const loadClock = { begin: () => startMeter(entry.meter, LOAD_LIMIT), isOver: () => entry.endedAt !== undefined };
    await timed(host, entry, LOAD_LIMIT, OPEN_LIMIT, () =>
      isolate.load({ guest, platform, modules, clock: loadClock }),
    );
    send(host, "opened", id);
  } catch (error) {
    isolates.delete(id);
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    const refusal = { name: error instanceof CairnError ? name : "INTERNAL_ERROR", message };
    send(host, "refused", id, 0, JSON.stringify(refusal));
  }
}

async function enter(host: Host, id: number, cpu: number, items: string): Promise<void> {
  const entry = host.isolates.get(id);
  if (entry === undefined) return;
  const start = performance.now();
  const wall = toWallLimit(cpu);
  const { verb, events } = await timed(host, entry, cpu, wall, () => entry.isolate.enter(items, wall));
  if (verb !== "gone") return send(host, verb, id, performance.now() - start, events);
  host.isolates.delete(id);
  const isOver = entry.endedAt !== undefined;
  send(host, verb, id, isOver && entry.meter.estimated ? 1 : 0, isOver ? "cpu" : events);
}

/** Runs an entry on this thread, which waits for it: short ones cost less than handing them to another thread. */
function enterDirectly(host: Host, id: number, cpu: number, items: string): void {
  const entry = host.isolates.get(id);
  if (entry === undefined) return;
  const start = performance.now();
  const { verb, events } = entry.isolate.enterDirectly(items, Math.min(cpu, DIRECT_LIMIT));
  const end = performance.now();
  if (verb === "gone") host.isolates.delete(id);
  send(host, verb, id, verb === "gone" ? 0 : end - start, events);
  if (end - host.lookedAt < TICK) return;
  host.lookedAt = end;
  if (process.memoryUsage.rss() > host.memoryLimit) fail(host, end - start > TICK ? "memory" : "crash", [[id, entry]]);
}

function close({ isolates }: Host, id: number): void {
  isolates.get(id)?.isolate.dispose();
  isolates.delete(id);
}

async function timed<T>(host: Host, entry: Entry, cpu: number, wall: number, work: () => Promise<T>): Promise<T> {
  host.busy += 1;
  startMeter(entry.meter, cpu);
  entry.left = wall + WALL_GRACE;
  if (host.watch === undefined) {
    host.clock.reset();
    host.watch = setInterval(look, TICK, host);
  }
  try {
    return await work();
  } finally {
    stopMeter(entry.meter);
    host.busy -= 1;
  }
}

/** Counts looks instead of reading a clock: after a pause of this thread, what happened meanwhile is heard first. */
function look(host: Host): void {
  const { isolates, clock, memoryLimit } = host;
  clock.look(isolates.values().map(({ meter }) => meter));
  const busy = [...isolates].filter(([, { meter }]) => meter.limit !== undefined);
  for (const [, entry] of busy) {
    entry.left -= TICK;
    endWhatIsOver(entry);
  }
  const stuck = busy.filter(([, entry]) => isStuck(entry));
  if (stuck.length > 0) fail(host, "cpu", stuck);
  else if (process.memoryUsage.rss() > memoryLimit) {
    const fillers = busy.filter(([, { meter }]) => meter.looks >= TICKS_TO_FILL);
    if (fillers.length > 0) fail(host, "memory", fillers);
    else fail(host, "crash", busy);
  }
  host.ticks += 1;
  if (busy.length === 0) {
    clearInterval(host.watch);
    host.watch = undefined;
  } else if (host.ticks % TICKS_PER_SIGN === 0) send(host, "alive", 0);
}

/** Ends the process, saying which isolates are to blame for it. */
function fail(host: Host, reason: LossReason, guilty: readonly (readonly [id: number, entry: Entry])[]): void {
  send(host, "fatal", 0, 0, [reason, ...guilty.map(([id]) => id)].join(" "));
  host.pipe.flush();
  die();
}

/** Milliseconds that all threads but this one have taken. */
function readProcessorTime(): number {
  const [all, own] = [process.cpuUsage(), process.threadCpuUsage()];
  return (all.user + all.system - own.user - own.system) / 1_000;
}

function endWhatIsOver(entry: Entry): void {
  const { isolate, meter } = entry;
  if (entry.endedAt !== undefined || meter.used < (meter.limit ?? 0)) return;
  entry.endedAt = meter.used;
  isolate.dispose();
}

/** True when V8 has had the time to stop the isolate, and has not. */
function isStuck({ left, endedAt, meter }: Entry): boolean {
  return left < 0 || (endedAt !== undefined && meter.used > endedAt + STOP_LIMIT);
}

/** A thread that is inside V8 for good keeps a process from ending in any gentler way. */
function die(): void {
  process.kill(process.pid, "SIGKILL");
}

/** The modules of a folder below the guest's, by path from there, as JavaScript. */
function loadModules(guest: URL, below: string): ReadonlyMap<string, string> {
  const names = readdirSync(new URL(`./${below}`, guest)).filter((name) => /^[^.]+\.[jt]s$/.test(name));
  return new Map(
    names.map((name) => {
      const text = readFileSync(new URL(`./${below}${name}`, guest), "utf8");
      return [below + name, name.endsWith(".ts") ? stripTypeScriptTypes(text) : text];
    }),
  );
}
