import type { Pair } from "./pair.ts";

const number = (more: object) => ({ type: "number", ...more });
const integer = (more: object) => ({ type: "integer", ...more });

/** Bounds and `multipleOf`. */
export const NUMBERS: readonly Pair[] = [
  [number({ minimum: 1 }), "<", number({ minimum: 0 })],
  [number({ minimum: 1 }), "<", number({})],
  [number({ maximum: 9 }), "<", number({ maximum: 10 })],
  [number({ minimum: 0, maximum: 5 }), "x", number({ minimum: 1, maximum: 6 })],
  [number({ exclusiveMinimum: 0 }), "<", number({ minimum: 0 })],
  [number({ exclusiveMaximum: 9 }), "<", number({ maximum: 9 })],
  [number({ minimum: 0, exclusiveMinimum: -1 }), "=", number({ minimum: 0 })],
  [number({ minimum: 0, exclusiveMinimum: 0 }), "=", number({ exclusiveMinimum: 0 })],
  [number({ minimum: 0.5 }), "<", number({ exclusiveMinimum: 0 })],
  [{ minimum: 1 }, "<", { minimum: 0 }],
  [{ type: "string", minimum: 1 }, "=", { type: "string" }],
  [integer({ minimum: 1 }), "=", integer({ exclusiveMinimum: 0 })],
  [integer({ minimum: 0.5 }), "=", integer({ minimum: 1 })],
  [integer({ maximum: 9.5 }), "=", integer({ exclusiveMaximum: 10 })],
  [integer({ minimum: 1 }), "<", number({ exclusiveMinimum: 0 })],
  [integer({ minimum: 0 }), "x", number({ minimum: 1 })],
  [integer({ minimum: 0, maximum: 10 }), "<", integer({ minimum: -1, maximum: 11 })],
  [integer({ minimum: 0, maximum: 1000 }), "x", integer({ minimum: 1, maximum: 1001 })],
  [number({ minimum: 3, maximum: 1 }), "<", number({})],
  [number({ minimum: 3, maximum: 1 }), "=", false],
  [integer({ exclusiveMinimum: 1, exclusiveMaximum: 2 }), "=", false],
  [number({ multipleOf: 4 }), "<", number({ multipleOf: 2 })],
  [number({ multipleOf: 2 }), "<", number({})],
  [number({ multipleOf: 2 }), "x", number({ multipleOf: 3 })],
  [integer({ multipleOf: 6 }), "<", integer({ multipleOf: 3 })],
  [integer({}), "<", number({ multipleOf: 0.5 })],
  [integer({ multipleOf: 1 }), "=", integer({})],
  [integer({ multipleOf: 0.25 }), "=", integer({})],
  [number({ multipleOf: 0.1 }), "<", number({})],
  [number({ multipleOf: 0.5 }), "<", number({ multipleOf: 0.25 })],
  [number({ multipleOf: 0.01, minimum: 0 }), "<", number({ multipleOf: 0.01 })],
  [{ multipleOf: 5 }, "<", {}],
  [number({ multipleOf: 7, minimum: 0 }), "x", number({ multipleOf: 5 })],
  [integer({ minimum: 1, maximum: 3 }), "<", { enum: [1, 2, 3, 4] }],
  [integer({ minimum: 1, maximum: 3 }), "x", { enum: [1, 3, 5] }],
];
