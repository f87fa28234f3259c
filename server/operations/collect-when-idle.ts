import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Milliseconds between two looks. */
const LOOK_MS = 2_000;
/**
 * Idle looks in a row before a collection, 10 seconds. Code that V8 optimized for objects of which none is left is thrown away with
 * them: the next load compiles it anew, which a pause between two bursts is not worth.
 */
const IDLE_LOOKS = 5;
/** Share of the time between two looks that an idle service may work: timers that look whether there is something to do. */
const IDLE_SHARE = 0.02;
/** Bytes that are worth a pause of some 50 ms. */
const WORTH = 8 * 1024 * 1024;

/** The heap of a process, and how busy its event loop is. */
export interface Heap {
  /** Bytes of memory that the heap holds, also where nothing lies in them. */
  held(): number;
  /** Gives back all that can be given back. Nothing else runs meanwhile. */
  collect(): void;
  /** The share of the time since the last look that the event loop worked, from 0 to 1. */
  worked(): number;
}

/**
 * Collects garbage when the service has been idle for a while and its heap has grown since the last time: left alone, V8 keeps the
 * young generation of its busiest time, and what start-up left. Returns "stop".
 */
export function collectWhenIdle(heap: Heap): () => void {
  let least = 0;
  let idle = 0;
  const timer = setInterval(() => {
    idle = heap.worked() > IDLE_SHARE ? 0 : idle + 1;
    if (idle < IDLE_LOOKS || heap.held() < least + WORTH) return;
    heap.collect();
    least = heap.held();
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}

/** Opens the heap of this process. */
export function openHeap(): Heap {
  let last = performance.eventLoopUtilization();
  const collect = findCollector();
  return Object.freeze<Heap>({
    held: () => process.memoryUsage().heapTotal,
    collect: () => collect({ type: "major", execution: "sync", flavor: "last-resort" }),
    worked() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
  });
}

/** V8's own collector. A realm has it only while its flag is set, so that one is made for it; no other one gets it. */
function findCollector(): (options: object) => void {
  setFlagsFromString("--expose-gc");
  try {
    return runInNewContext("gc") as (options: object) => void;
  } finally {
    setFlagsFromString("--no-expose-gc");
  }
}
