import type { Pair } from "./pair.ts";

const text = (more: object) => ({ type: "string", ...more });

/** Lengths, patterns and formats. */
export const TEXTS: readonly Pair[] = [
  [text({ minLength: 2 }), "<", text({ minLength: 1 })],
  [text({ maxLength: 2 }), "<", text({ maxLength: 3 })],
  [text({ minLength: 0 }), "=", text({})],
  [text({ minLength: 1, maxLength: 5 }), "x", text({ minLength: 2, maxLength: 6 })],
  [text({ minLength: 3, maxLength: 2 }), "=", false],
  [text({ maxLength: 20 }), "<", text({})],
  [text({ pattern: "^[a-z]+$" }), "<", text({})],
  [text({ pattern: "^[a-z]+$" }), "=", text({ pattern: "^[a-z]+$", description: "small" })],
  [text({ pattern: "^[a-z]+$", maxLength: 4 }), "<", text({ pattern: "^[a-z]+$" })],
  [text({ pattern: "^[a-z]+$" }), "x", text({ pattern: "^[0-9]+$" })],
  [text({ pattern: "^ab" }), "<", text({ pattern: "^a" })],
  [text({ pattern: "^item-[0-9]+$" }), "<", text({ pattern: "^item-" })],
  [text({ pattern: "^a" }), "x", text({ pattern: "^b" })],
  [text({ pattern: "^(?:metric|imperial)$" }), "=", text({ enum: ["metric", "imperial"] })],
  [text({ pattern: "^(a|b)$" }), "<", text({ pattern: "^(a|b|c)$" })],
  [text({ pattern: "^(a|b)$" }), "x", text({ pattern: "^(b|c)$" })],
  [text({ pattern: "^abc$" }), "=", { const: "abc" }],
  [text({ pattern: "^(aa|b)$" }), "<", text({ minLength: 1, maxLength: 2 })],
  [text({ enum: ["a", "ab"] }), "<", text({ pattern: "^a" })],
  [text({ enum: ["a", "b"] }), "x", text({ pattern: "^a" })],
  [text({ format: "date" }), "<", text({})],
  [text({ format: "date" }), "x", text({ format: "date-time" })],
  [text({ format: "email" }), "x", text({ format: "uuid" })],
  [text({ format: "uri" }), "<", text({ format: "uri-reference" })],
  [text({ format: "ipv4" }), "<", text({ format: "hostname" })],
  [text({ format: "date", minLength: 1 }), "<", text({ format: "date" })],
  [text({ format: "uuid" }), "x", text({ pattern: "^[0-9]+$" })],
  [text({ format: "time" }), "x", text({ maxLength: 3 })],
  [{ format: "date" }, "<", {}],
  [{ pattern: "^a", type: ["string", "null"] }, "<", { type: ["string", "null"] }],
  [text({ contentMediaType: "text/html" }), "=", text({})],
];
