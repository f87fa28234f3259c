import type { Pair } from "./pair.ts";
import { when } from "./when.ts";

const list = (more: object) => ({ type: "array", ...more });
const text = { type: "string" };
const number = { type: "number" };

/** Items: their schemas and number. */
export const LISTS: readonly Pair[] = [
  [list({ items: { type: "integer" } }), "<", list({ items: number })],
  [list({ items: text }), "<", list({})],
  [list({ items: text }), "x", list({ items: number, minItems: 1 })],
  [list({ items: true }), "=", list({})],
  [list({ items: false }), "=", { const: [] }],
  [list({ minItems: 2 }), "<", list({ minItems: 1 })],
  [list({ maxItems: 2 }), "<", list({ maxItems: 3 })],
  [list({ minItems: 1, maxItems: 2 }), "x", list({ minItems: 2, maxItems: 3 })],
  [list({ minItems: 2, maxItems: 1 }), "=", false],
  [list({ uniqueItems: true }), "<", list({})],
  [list({ uniqueItems: false }), "=", list({})],
  [list({ maxItems: 1 }), "<", list({ uniqueItems: true })],
  [list({ items: { enum: [1, 2] } }), "<", list({ items: { enum: [1, 2, 3] } })],
  [list({ prefixItems: [text, number] }), "<", list({ prefixItems: [text] })],
  [list({ prefixItems: [text], items: number }), "<", list({ prefixItems: [text, number] })],
  [list({ prefixItems: [text], items: false }), "<", list({ prefixItems: [text] })],
  [list({ prefixItems: [text], items: false }), "=", list({ items: text, maxItems: 1 })],
  [list({ prefixItems: [text, text], items: text }), "=", list({ items: text })],
  [list({ prefixItems: [text], items: number }), "x", list({ items: text })],
  [
    list({ prefixItems: [{ type: "integer" }], items: text }),
    "<",
    list({ prefixItems: [number], items: { type: ["string", "null"] } }),
  ],
  [list({ prefixItems: [text], minItems: 1 }), "<", list({ prefixItems: [text] })],
  [list({ prefixItems: [false] }), "=", { const: [] }],
  [list({ contains: { const: 1 } }), "<", list({ minItems: 1 })],
  [list({ contains: { const: 1 } }), "<", list({ contains: number })],
  [list({ contains: number }), "<", list({})],
  [
    list({ items: { multipleOf: 2 }, contains: { multipleOf: 3 } }),
    "<",
    list({ items: {}, contains: { multipleOf: 3 } }),
  ],
  // Items beside a condition that is not understood: others may go, the condition stays.
  [
    {
      type: "array",
      ...when({ prefixItems: [true, text] }, { prefixItems: [text, text, text] }),
      unevaluatedItems: false,
    },
    "<",
    { ...when({ prefixItems: [true, text] }, { prefixItems: [text, text, text] }), unevaluatedItems: false },
  ],
  [
    list({ anyOf: [{ prefixItems: [text] }], unevaluatedItems: false }),
    "=",
    list({ prefixItems: [text], items: false }),
  ],
  [list({ anyOf: [true, { minItems: 1 }], unevaluatedItems: number }), "=", list({ items: number })],
  [list({ anyOf: [{ items: text }, true], unevaluatedItems: { title: "any" } }), "=", list({})],
  [list({ contains: number, minContains: 2 }), "<", list({ contains: number })],
  [list({ contains: number, maxContains: 2 }), "<", list({ contains: number, maxContains: 3 })],
  [list({ contains: number, minContains: 0, maxContains: 1 }), "x", list({ contains: number })],
  [list({ items: number, minItems: 1 }), "<", list({ contains: number })],
  [list({ items: text, minItems: 1 }), "x", list({ contains: number })],
  [list({ items: text }), "<", list({ contains: number, minContains: 0, maxContains: 3 })],
  [list({ maxItems: 2 }), "<", list({ contains: number, minContains: 0, maxContains: 2 })],
  [list({ unevaluatedItems: false }), "=", { const: [] }],
  [list({ unevaluatedItems: true }), "=", list({})],
  [list({ prefixItems: [text], unevaluatedItems: false }), "=", list({ prefixItems: [text], items: false })],
  [
    list({ allOf: [{ prefixItems: [text] }], unevaluatedItems: number }),
    "=",
    list({ prefixItems: [text], items: number }),
  ],
  [list({ allOf: [{ items: text }], unevaluatedItems: false }), "=", list({ items: text })],
  [list({ items: list({ items: { type: "integer" } }) }), "<", list({ items: list({ items: number }) })],
  [
    list({ items: { type: "object", required: ["a", "b"] } }),
    "<",
    list({ items: { type: "object", required: ["a"] } }),
  ],
  [{ items: text }, "<", {}],
  [{ minItems: 1 }, "<", {}],
  [list({ items: text, minItems: 1, maxItems: 3 }), "<", list({ items: text })],
];
