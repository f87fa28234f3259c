/** An id is the place of what it names, plus a multiple of this: one for each time the place was used before. */
export const SLOT_COUNT = 2 ** 16;

/**
 * Things that come and go by the thousand, by ids that are never used twice. A Map would do, but V8 leaves the old
 * tables of a Map pointing to the new ones: once one of them is old, all that ever was in a later one counts as alive
 * until the next full collection, and calls take everything they know with them.
 */
export interface Slots<Item extends { readonly id: number }> {
  /** An id for an item that is then added; undefined when there are too many. */
  nextId(): number | undefined;
  add(item: Item): void;
  get(id: number): Item | undefined;
  /** Takes an item out; false when it was not there. */
  remove(item: Item): boolean;
  readonly size: number;
  all(): readonly Item[];
}

export function createSlots<Item extends { readonly id: number }>(): Slots<Item> {
  const items: (Item | undefined)[] = [undefined];
  /** The id that a place gives next. */
  const next: number[] = [SLOT_COUNT];
  const free: number[] = [];
  let size = 0;

  return {
    nextId() {
      const slot = free.pop() ?? items.length;
      if (slot >= SLOT_COUNT) return undefined;
      if (slot === items.length) {
        items.push(undefined);
        next.push(slot);
      }
      const id = next[slot] as number;
      next[slot] = id + SLOT_COUNT;
      return id;
    },
    add(item) {
      items[item.id % SLOT_COUNT] = item;
      size += 1;
    },
    get(id) {
      const item = items[id % SLOT_COUNT];
      return item?.id === id ? item : undefined;
    },
    remove(item) {
      const slot = item.id % SLOT_COUNT;
      if (items[slot] !== item) return false;
      items[slot] = undefined;
      free.push(slot);
      size -= 1;
      return true;
    },
    get size() {
      return size;
    },
    all: () => items.filter((item) => item !== undefined),
  };
}
