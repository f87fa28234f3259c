import fc from "fast-check";
import { expect, test } from "vitest";
import { seal, unseal } from "../../../server/store/seal.ts";
import type { Json } from "../../../server/store/store.ts";
import { jsonValues } from "../../helpers/json-values.ts";

const PLACE = ["sealed-answer", "acme", "c0ffee"];

test("what was sealed opens with its secret, in its place, unchanged", () => {
  fc.assert(
    fc.property(jsonValues() as fc.Arbitrary<Json>, fc.string(), (value, secret) => {
      expect(unseal(seal(value, secret, PLACE), secret, PLACE)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("nothing opens with another secret, in another place, or once any byte is another one", () => {
  const sealed = seal({ card: "4111" }, "secret", PLACE);
  expect(() => unseal(sealed, "Secret", PLACE)).toThrow();
  expect(() => unseal(sealed, "secret", [...PLACE, "other"])).toThrow();
  const bytes = Buffer.from(sealed, "base64");
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => unseal(changed.toString("base64"), "secret", PLACE)).toThrow();
  }
});

test("two values never share an initialisation vector, and equal ones are sealed alike", () => {
  const vector = (value: Json) => seal(value, "secret", PLACE).slice(0, 16);
  expect(vector({ n: 1 })).not.toBe(vector({ n: 2 }));
  expect(seal({ a: 1, b: 2 }, "secret", PLACE)).toBe(seal({ b: 2, a: 1 }, "secret", PLACE));
});
