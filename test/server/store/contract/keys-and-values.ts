import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, Key } from "../../../../server/store/store.ts";
import type { Engine } from "../engines.ts";
import { LONG } from "../long.ts";
import { collect, openStore } from "../open-store.ts";
import { jsonValues } from "../../../helpers/json-values.ts";

const RUNS = LONG ? 500 : 30;

const element = fc.oneof(
  fc.constantFrom("", "\0", "\x01", "\x01\x01", "a", "a\0", "a\0b", "ab", "\uffff", "\u{1f600}", "é"),
  fc.string({ unit: "binary", maxLength: 5 }),
  fc.constantFrom(0, 1, -1, 2 ** 53, -(2 ** 53), 0.1, Number.MAX_VALUE, -Number.MIN_VALUE),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
);
const key = fc.array(element, { minLength: 1, maxLength: 4 });
const keys = fc.uniqueArray(key, { selector: (one) => JSON.stringify(one), minLength: 1, maxLength: 40 });

export function describeKeysAndValues(engine: Engine): void {
  describe("keys", () => {
    test("are read in order, forwards, backwards and behind any of them", async () => {
      const store = await openStore(engine);
      await fc.assert(
        fc.asyncProperty(keys, fc.nat(), fc.nat(50), async (list, at, limit) => {
          const before = await collect(store.scan({ prefix: [] }));
          await store.commit({
            del: before.map((entry) => entry.key),
          });
          await store.commit({ set: list.map((one) => ({ key: one, value: one })) });
          const sorted = list.toSorted(compare);
          const read = async (options: { after?: Key; limit?: number; reverse?: boolean }) =>
            (await collect(store.scan({ prefix: [], ...options }))).map(({ value }) => value);
          expect(await read({})).toEqual(sorted);
          expect(await read({ reverse: true })).toEqual(sorted.toReversed());
          const index = at % sorted.length;
          const after = sorted[index] ?? [];
          expect(await read({ after, limit })).toEqual(sorted.slice(index + 1, index + 1 + limit));
          expect(await read({ after, limit, reverse: true })).toEqual(
            sorted.slice(0, index).toReversed().slice(0, limit),
          );
        }),
        { numRuns: RUNS },
      );
    });

    test("are under a prefix exactly if they start with its elements", async () => {
      const store = await openStore(engine);
      await fc.assert(
        fc.asyncProperty(keys, fc.array(element, { maxLength: 2 }), fc.nat(), async (list, suffix, at) => {
          await store.commit({ del: (await collect(store.scan({ prefix: [] }))).map((entry) => entry.key) });
          // Half of the time a prefix that something starts with.
          const prefix = at % 2 === 0 ? suffix : (list[at % list.length] ?? []).slice(0, 1 + (at % 3));
          await store.commit({ set: list.map((one) => ({ key: one, value: 0 })) });
          const found = (await collect(store.scan({ prefix }))).map((entry) => entry.key);
          const expected = list.filter((one) => prefix.every((part, index) => Object.is(part, one[index])));
          expect(found).toEqual(expected.toSorted(compare));
        }),
        { numRuns: RUNS },
      );
    });

    test("of one tenant are out of another's reach, whatever the tenants are called", async () => {
      const store = await openStore(engine);
      const tenants = ["a", "a\0", "ab", "", "A", "a\0b", "a\uffff", "1"];
      await store.commit({ set: tenants.map((tenant) => ({ key: ["state", tenant, "k"], value: tenant })) });
      await store.commit({ set: [{ key: ["state", 1, "k"], value: "number" }] });
      for (const tenant of tenants) {
        expect(await collect(store.scan({ prefix: ["state", tenant] }))).toMatchObject([{ value: tenant }]);
        expect(await store.get(["state", tenant, "k"])).toMatchObject({ value: tenant });
      }
    });

    test("may be 1,900 bytes long and no longer", async () => {
      const store = await openStore(engine);
      const longest = ["q", "x".repeat(1_895)];
      await store.commit({ set: [{ key: longest, value: 1, ttl: 1_000 }] });
      expect(await store.get(longest)).toMatchObject({ key: longest, value: 1 });
      expect(await store.claim({ queue: ["q"], leaseMs: 1, limit: 1 })).toMatchObject([{ key: longest }]);
      await expect(store.get(["q", "x".repeat(1_896)])).rejects.toMatchObject({ name: "BAD_REQUEST" });
      await expect(store.get([])).rejects.toMatchObject({ name: "BAD_REQUEST" });
    });

    test("hold 0 and -0 as one number", async () => {
      const store = await openStore(engine);
      await store.commit({ set: [{ key: ["zero", -0], value: 1 }] });
      expect(await store.get(["zero", 0])).toMatchObject({ value: 1 });
      expect((await collect(store.scan({ prefix: ["zero"] })))[0]?.key).toEqual(["zero", 0]);
    });
  });

  describe("values", () => {
    const hard: Json[] = [
      "\0",
      "a\0b",
      "\ud800",
      "\udc00\ud800",
      "\u{1f600}",
      "\u2028\uffff",
      "",
      2 ** 53,
      -(2 ** 53) - 2,
      1e308,
      5e-324,
      0.1,
      null,
      false,
      [],
      {},
      [[], {}, [null]],
      { "": 0, b: 1, a: 2, "10": 3, "9": 4 },
      JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":null,"hasOwnProperty":0}'),
      "x".repeat(1024 * 1024),
      { list: Array(50_000).fill("\u0000é") },
      Array(255).reduce((inner: Json) => [inner], 1),
    ];

    test("come back as they went in, byte for byte", async () => {
      const store = await openStore(engine);
      await store.commit({ set: hard.map((value, n) => ({ key: ["hard", n], value })) });
      const read = await store.getMany(hard.map((_, n) => ["hard", n]));
      expect(read.map((entry) => JSON.stringify(entry?.value) === JSON.stringify(hard[read.indexOf(entry)]))).toEqual(
        hard.map(() => true),
      );
      const names = read.find((entry) => Object.hasOwn(Object(entry?.value), "__proto__"))?.value;
      expect(Object.getPrototypeOf(names)).toBe(Object.prototype);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });

    test("come back as they went in, of any shape and size", async () => {
      const store = await openStore(engine);
      const text = fc
        .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
        .map((u) => String.fromCharCode(...u));
      const size = fc.oneof(fc.nat(100), fc.nat(70_000)).map((length) => "é".repeat(length));
      await fc.assert(
        fc.asyncProperty(fc.oneof(jsonValues(), text, size), async (value) => {
          const json = value as Json;
          await store.commit({ set: [{ key: ["v"], value: json }], append: [{ log: "l", entry: json }] });
          expect(JSON.stringify((await store.get(["v"]))?.value)).toBe(JSON.stringify(json));
          const { entry } = JSON.parse(Buffer.from((await store.head("l"))?.bytes ?? []).toString());
          expect(entry).toEqual(JSON.parse(JSON.stringify(json)));
        }),
        { numRuns: RUNS * 3 },
      );
    });
  });
}

/** The order the port promises, written without its codec. */
function compare(a: Key, b: Key): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [x = 0, y = 0] = [a[index], b[index]];
    if (typeof x === "number" && typeof y === "number") {
      if (x !== y) return x - y < 0 || x < y ? -1 : 1;
    } else if (typeof x === "string" && typeof y === "string") {
      const [left, right] = [[...x], [...y]].map((text) => text.map((point) => point.codePointAt(0) ?? 0));
      const order = compareNumbers(left ?? [], right ?? []);
      if (order !== 0) return order;
    } else return typeof x === "number" ? -1 : 1;
  }
  return a.length - b.length;
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((point, at) => point !== b[at]);
  return index === -1 ? a.length - b.length : (a[index] ?? 0) - (b[index] ?? -1);
}
