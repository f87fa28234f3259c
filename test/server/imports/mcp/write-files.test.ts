import { expect, test } from "vitest";
import { parse } from "yaml";
import { rewriteManifest, writeManifest } from "../../../../server/imports/mcp/write-files.ts";
import { findHidden } from "../../../../server/text/find-hidden.ts";

const HIDDEN = "Says \u202e who\u200b you \u{e0041} are.\nTwice.";

test("characters that nobody sees are written as escapes, and mean what they meant", () => {
  const content = { name: "a", description: HIDDEN, [`k\u00ad`]: [`x\u2028`], plain: "Grüße, 你好" };
  const text = writeManifest("tool", content);
  expect(findHidden(text)).toEqual([]);
  expect(text).toContain("\\u202e");
  expect(parse(text)).toEqual(content);
  const again = rewriteManifest(text, { ...content, description: `${HIDDEN}\u2066` });
  expect(findHidden(again)).toEqual([]);
  expect(parse(again)).toEqual({ ...content, description: `${HIDDEN}\u2066` });
});
