import type { Limits } from "../../versions/version.ts";
import type { Attempt } from "./attempt.ts";
import { NO_PARAMETERS, type SandboxCall, type ToolFacts } from "./sandbox.ts";
import { OPEN_LIMIT, toWallLimit } from "./wire.ts";

/** Items that enter an isolate together, at most, and how many at first. */
export const MAX_SIZE = 64;
const FIRST_SIZE = 8;
/** Milliseconds that an entry should take: what one call uses, all others of its entry wait for. */
const GOOD_ENTRY = 10;
/** Milliseconds that items may take on average to enter on the host's own thread, where all other entries wait for them. */
const QUICK_ITEM = 0.5;
/** Items that must have been as quick before, and the weight of each entry in the average. */
const PROVEN_BY = 32;
const NEWEST_WEIGHT = 1 / 16;
/** Characters of the items that enter an isolate together, unless it is one item. */
const MAX_LENGTH = 2 ** 20;

/** Something that waits to enter an isolate. */
export interface Item {
  /** Whose it is, if it is anybody's: it leaves with them. */
  readonly attempt?: Attempt;
  /** Milliseconds that its entry may take. */
  readonly cpu: number;
  readonly text: string;
}

/** An entry on the host's own thread. */
export interface DirectEntry {
  /** Its number among those of the host. */
  readonly order: number;
  /** Milliseconds that were let pass since it began. */
  readonly age: number;
}

/** Items on their way into one isolate: one entry at a time, of as many items as keep it short. */
export interface Entries {
  push(item: Item): void;
  /** Drops the items that wait and that `isKept` denies. */
  keep(isKept: (item: Item) => boolean): void;
  /**
   * Begins an entry with the next items; undefined while one is under way, and when nothing waits. A direct one runs on the host's
   * own thread, if `nextOrder` has a number for it: what enters was quick so far, and can begin anew if it is not now.
   */
  begin(
    nextOrder: () => number | undefined,
  ): { readonly cpu: number; readonly text: string; readonly isDirect: boolean } | undefined;
  /** Ends the entry, which took so many milliseconds or was stopped. */
  end(milliseconds: number, isStopped: boolean): void;
  /** Attempts with items in the entry that is under way; undefined while there is none. */
  inside(): readonly Attempt[] | undefined;
  /** The entry that is under way, if it is direct. */
  direct(): DirectEntry | undefined;
  isEmpty(): boolean;
  /** True when something waits of an attempt of which nothing has entered yet. */
  hasUnstarted(): boolean;
  /** Lets time pass; true once the entry, or without one the loading, is over its limit by the clock by more than `grace`. */
  age(milliseconds: number, grace: number): boolean;
  /** Milliseconds of entries since everything that waited could enter. */
  waited(): number;
}

/** `limit` is the number of items that may enter together. */
export function createEntries(limit = MAX_SIZE): Entries {
  let queue: Item[] = [];
  let present:
    (Pick<Packed, "attempts" | "size"> & { readonly cpu: number; readonly order: number | undefined }) | undefined;
  let most = Math.min(FIRST_SIZE, limit);
  let age = 0;
  let waited = 0;
  /** Milliseconds that an item takes, on average, and items so far. */
  let pace = 0;
  let entered = 0;

  return {
    push: (item) => void queue.push(item),
    keep: (isKept) => void (queue = queue.filter(isKept)),
    begin(nextOrder) {
      const [first] = queue;
      if (present !== undefined || first === undefined) return undefined;
      const { attempts, left, size, text } = pack(queue, most);
      queue = left;
      const isQuick = entered >= PROVEN_BY && pace <= QUICK_ITEM;
      const order = isQuick && attempts.every(canBeginAnew) ? nextOrder() : undefined;
      present = { attempts, size, cpu: first.cpu, order };
      age = 0;
      if (left.length === 0) waited = 0;
      return { cpu: first.cpu, text, isDirect: order !== undefined };
    },
    end(milliseconds, isStopped) {
      if (isStopped) pace = Number.POSITIVE_INFINITY;
      else if (present !== undefined && present.size > 0) {
        pace += (milliseconds / present.size - pace) * NEWEST_WEIGHT;
        entered += present.size;
      }
      if (isStopped || milliseconds > GOOD_ENTRY) most = Math.max(1, most >> 1);
      else if (present?.size === most) most = Math.min(limit, most * 2);
      present = undefined;
      if (queue.length === 0) waited = 0;
    },
    inside: () => present?.attempts,
    direct: () => (present?.order === undefined ? undefined : { order: present.order, age }),
    isEmpty: () => queue.length === 0,
    hasUnstarted: () => queue.some(({ attempt }) => attempt?.started === false),
    age(milliseconds, grace) {
      age += milliseconds;
      if (present !== undefined) waited += milliseconds;
      return age > (present === undefined ? OPEN_LIMIT : toWallLimit(present.cpu)) + grace;
    },
    waited: () => waited,
  };
}

/** Items that enter an isolate together: `text` is each after a comma. */
interface Packed {
  readonly attempts: readonly Attempt[];
  readonly left: Item[];
  readonly size: number;
  readonly text: string;
}

/**
 * Takes items from the front of `queue`, at most so many, which enter together. They have one limit, since one holds for all
 * of an entry; and a call that cannot be repeated shares its entry with none that could end it.
 */
function pack(queue: readonly Item[], most: number): Packed {
  const [first] = queue;
  const left: Item[] = [];
  const attempts: Attempt[] = [];
  let text = "";
  let size = 0;
  for (const item of queue) {
    const { attempt } = item;
    const fits = size < most && item.cpu === first?.cpu && text.length + item.text.length <= MAX_LENGTH;
    if ((!fits && item !== first) || !mayShare(attempts[0], attempt)) {
      left.push(item);
      continue;
    }
    text += `,${item.text}`;
    size += 1;
    if (attempt === undefined) continue;
    attempt.started = true;
    attempts.push(attempt);
  }
  return { attempts, left, size, text };
}

/** True when nothing of the attempt is lost that could not be done again, and nothing under way could change that. */
function canBeginAnew({ run, syscalls }: Attempt): boolean {
  return !run.call.isFinal() && (syscalls === undefined || syscalls.asked.size === 0);
}

function mayShare(first: Attempt | undefined, other: Attempt | undefined): boolean {
  if (first === undefined || other === undefined || first === other) return true;
  return !first.run.call.isFinal() && !other.run.call.isFinal();
}

/**
 * Text of the item that starts a call; `tool` is the number that the isolate knows its tool by. Left out is what is usual:
 * no parameters, nobody to ask, and the time of the entry.
 */
export function toStartItem(
  id: number,
  tool: number,
  { input, inputText = JSON.stringify(input), conversationId, seed, params, client, clock }: SandboxCall,
): string {
  const start = `["start",${id},${tool},${inputText},"${conversationId}","${seed}"`;
  const isUsual = params === NO_PARAMETERS && !(client.elicit || client.sample || client.roots);
  if (isUsual && clock === undefined) return `${start}]`;
  const time = clock === undefined ? "" : `,${clock()}`;
  return `${start},${JSON.stringify(params)},${JSON.stringify(client)}${time}]`;
}

/** Numbers under which one isolate knows tools; `push` takes the item that declares one, to go in before its number is used. */
export function createDeclarations(
  push: (item: Item) => void,
): (tool: ToolFacts, limits: Pick<Limits, "cpu" | "payload">) => number {
  const declared = new WeakMap<
    ToolFacts,
    { readonly number: number; readonly cpu: number; readonly payload: number }
  >();
  let last = 0;
  return (tool, { cpu, payload }) => {
    const known = declared.get(tool);
    // Only what enters under the same processor limit keeps its order.
    if (known?.cpu === cpu && known.payload === payload) return known.number;
    last += 1;
    declared.set(tool, { number: last, cpu, payload });
    push({ cpu, text: JSON.stringify(["tool", last, tool, payload]) });
    return last;
  };
}
