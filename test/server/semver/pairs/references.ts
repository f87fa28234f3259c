import type { Pair } from "./pair.ts";

const text = { type: "string" };
const number = { type: "number" };
const tree = (value: object, more: object = {}) => ({
  $ref: "#/$defs/tree",
  $defs: {
    tree: {
      type: "object",
      properties: { value, children: { type: "array", items: { $ref: "#/$defs/tree" } } },
      ...more,
    },
  },
});
const chain = (value: object, name: string) => ({
  type: "object",
  properties: { value, [name]: { $ref: "#" } },
});

/** `$ref`, `$defs`, `$anchor` and recursion. */
export const REFERENCES: readonly Pair[] = [
  [{ $ref: "#/$defs/a", $defs: { a: text } }, "=", text],
  [{ $ref: "#/$defs/a", $defs: { a: text } }, "=", { $ref: "#/$defs/b", $defs: { b: text } }],
  [{ $ref: "#/$defs/a", $defs: { a: text } }, "x", { $ref: "#/$defs/a", $defs: { a: number } }],
  [{ $ref: "#/$defs/a", minLength: 2, $defs: { a: text } }, "<", text],
  [{ $ref: "#word", $defs: { a: { $anchor: "word", type: "string" } } }, "=", text],
  [
    { $ref: "#word", $defs: { a: { $anchor: "word", type: "string" } } },
    "x",
    { $ref: "#word", $defs: { a: { $anchor: "word", type: "number" } } },
  ],
  [{ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: text } }, "=", text],
  [{ type: "string", $defs: { unused: number } }, "=", text],
  [{ properties: { a: { $ref: "#/properties/b" }, b: number } }, "=", { properties: { a: number, b: number } }],
  [tree({ type: "integer" }), "<", tree(number)],
  [tree(text), "=", tree(text)],
  [tree(text), "x", tree(number)],
  [tree(text, { required: ["value"] }), "<", tree(text)],
  [tree(text, { additionalProperties: false }), "<", tree(text)],
  [tree(text), "<", { type: "object", properties: { children: { type: "array" } } }],
  [tree({ enum: [1] }), "<", tree({ enum: [1, 2] })],
  [chain({ type: "integer" }, "next"), "<", chain(number, "next")],
  [chain(text, "next"), "x", chain(text, "previous")],
  [chain(text, "next"), "<", { type: "object", properties: { value: text } }],
  [
    {
      type: "object",
      properties: { a: { $ref: "#/$defs/list" } },
      $defs: { list: { type: "array", items: text, minItems: 1 } },
    },
    "<",
    { type: "object", properties: { a: { type: "array", items: text } } },
  ],
  [
    { $ref: "#/$defs/a", $defs: { a: { anyOf: [text, { type: "array", items: { $ref: "#/$defs/a" } }] } } },
    "<",
    { $ref: "#/$defs/b", $defs: { b: { anyOf: [text, number, { type: "array", items: { $ref: "#/$defs/b" } }] } } },
  ],
  [
    { $ref: "#/$defs/a", $defs: { a: { type: "object", additionalProperties: { $ref: "#/$defs/a" } } } },
    "<",
    { type: "object", additionalProperties: { type: "object" } },
  ],
  [
    { $dynamicRef: "#n", $defs: { n: { $dynamicAnchor: "n", type: "string" } } },
    "=",
    { $dynamicRef: "#n", title: "same", $defs: { n: { $dynamicAnchor: "n", type: "string" } } },
  ],
];
