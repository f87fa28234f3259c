import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDocument } from "../../../server/http/document.ts";

describe("a document", () => {
  test("comes back as it was from each of its forms", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 5000 }), fc.constantFrom("small", "fast"), async (text, effort) => {
        const document = createDocument("text/plain", text, effort);
        const bytes = Buffer.from(text);
        expect(document.length).toBe(bytes.length);
        expect(await document.encode("identity")).toEqual(bytes);
        expect(brotliDecompressSync(await document.encode("br"))).toEqual(bytes);
        expect(gunzipSync(await document.encode("gzip"))).toEqual(bytes);
      }),
    );
  });

  test("has a tag for each form, the same whenever the text is the same", () => {
    const tagsOf = (text: string) => {
      const document = createDocument("text/plain", text, "small");
      return [document.tag("identity"), document.tag("br"), document.tag("gzip")];
    };
    const tags = tagsOf("one");
    expect(tagsOf("one")).toEqual(tags);
    expect(new Set([...tags, ...tagsOf("two")]).size).toBe(6);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]{22}(?:-br|-gzip)?"$/);
  });

  test("is packed once, however many ask for it at a time", async () => {
    const document = createDocument("text/plain", "again ".repeat(1000), "small");
    const forms = await Promise.all([document.encode("br"), document.encode("br")]);
    expect(forms[0]).toBe(forms[1]);
    expect(await document.encode("br")).toBe(forms[0]);
  });
});
