import { expect, test } from "vitest";
import { escapeHidden } from "../../../server/text/find-hidden.ts";

test("hidden characters become escapes that mean them, and all else stays", () => {
  const code = 'export const all = ["a\u200b", "\u{e0041}", /[\u202e\ufeff]/.source, "é\\n", `\u0000`];\n';
  const escaped = escapeHidden(code);
  expect(escaped).toBe(
    'export const all = ["a\\u200b", "\\udb40\\udc41", /[\\u202e\\ufeff]/.source, "é\\n", `\\u0000`];\n',
  );
  expect(escapeHidden(escaped)).toBe(escaped);
});
