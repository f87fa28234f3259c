import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSlots, SLOT_COUNT } from "../../../../server/kernel/isolates/slots.ts";

describe("slots", () => {
  test("give ids from 1 on, and to a place that is free again the next of its ids", () => {
    const slots = createSlots<{ id: number }>();
    const add = () => {
      const item = { id: slots.nextId() ?? 0 };
      slots.add(item);
      return item;
    };
    const [one, two] = [add(), add()];
    expect([one.id, two.id, slots.size]).toEqual([1, 2, 2]);
    expect([slots.remove(one), slots.remove(one), slots.get(1)]).toEqual([true, false, undefined]);
    expect([add().id, slots.get(1), slots.get(1 + SLOT_COUNT)?.id]).toEqual([
      1 + SLOT_COUNT,
      undefined,
      1 + SLOT_COUNT,
    ]);
  });

  test("refuse one more when all places are taken, until one is free", () => {
    const slots = createSlots<{ id: number }>();
    const items = Array.from({ length: SLOT_COUNT - 1 }, () => {
      const item = { id: slots.nextId() ?? 0 };
      slots.add(item);
      return item;
    });
    expect(slots.nextId()).toBeUndefined();
    slots.remove(items[7] as { id: number });
    expect(slots.nextId()).toBe(8 + SLOT_COUNT);
  });

  test("hold what a Map would hold, and never use an id twice", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(20), { nil: undefined }), { maxLength: 200 }), (steps) => {
        const slots = createSlots<{ id: number }>();
        const model = new Map<number, { id: number }>();
        const used = new Set<number>();
        for (const step of steps) {
          if (step === undefined) {
            const item = { id: slots.nextId() ?? 0 };
            expect(used.has(item.id)).toBe(false);
            used.add(item.id);
            slots.add(item);
            model.set(item.id, item);
          } else {
            const item = [...model.values()][step];
            if (item === undefined) continue;
            expect(slots.remove(item)).toBe(true);
            model.delete(item.id);
          }
        }
        expect(slots.size).toBe(model.size);
        expect(new Set(slots.all())).toEqual(new Set(model.values()));
        for (const id of used) expect(slots.get(id)).toBe(model.get(id));
      }),
    );
  });
});
