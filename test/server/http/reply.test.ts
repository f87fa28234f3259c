import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDocument } from "../../../server/http/document.ts";
import { negotiateEncoding } from "../../../server/http/negotiate-encoding.ts";
import { type Keep, type Reply, toResponse } from "../../../server/http/reply.ts";

const LONG = JSON.stringify({ text: "again and again, ".repeat(200) });
const document = createDocument("application/json", LONG, "small");
const small = createDocument("application/json", "{}", "small");

const answer = (reply: Partial<Reply>, headers: Record<string, string> = {}) =>
  toResponse(
    { document, ...reply },
    new Request("http://localhost/", { headers }),
    negotiateEncoding(headers["accept-encoding"]),
  );

describe("toResponse", () => {
  test.each<[Keep | undefined, string, string]>([
    [undefined, "no-store", "Accept-Encoding"],
    ["for-ever", "public, max-age=31536000, immutable", "Accept-Encoding, Origin"],
    ["checked", "no-cache", "Accept-Encoding, Origin"],
    ["checked-by-caller", "private, no-cache", "Accept-Encoding, Authorization, Origin"],
  ])("says how an answer may be kept: %s", async (keep, control, vary) => {
    const { headers } = await answer(keep === undefined ? {} : { keep });
    expect([headers.get("cache-control"), headers.get("vary")]).toEqual([control, vary]);
    expect(headers.get("etag")).toBe(keep === undefined ? null : document.tag("identity"));
  });

  test("is not given to others, when it was given for credentials", async () => {
    const { headers } = await answer({ keep: "for-ever" }, { authorization: "Bearer x" });
    expect(headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
  });

  test("names Origin once, which answers to pages name themselves", async () => {
    const { headers } = await answer({ keep: "checked" }, { origin: "http://localhost" });
    expect(headers.get("vary")).toBe("Accept-Encoding");
  });

  test.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const)("packs what is large: %s", async (encoding, unpack) => {
    const response = await answer({ keep: "checked" }, { "accept-encoding": encoding });
    const body = Buffer.from(await response.arrayBuffer());
    expect(unpack(body).toString()).toBe(LONG);
    expect(Object.fromEntries(response.headers)).toEqual({
      "cache-control": "no-cache",
      "content-encoding": encoding,
      "content-length": String(body.length),
      "content-type": "application/json",
      etag: document.tag(encoding),
      vary: "Accept-Encoding, Origin",
    });
  });

  test("leaves what is small as it is", async () => {
    const response = await answer({ document: small }, { "accept-encoding": "br, gzip" });
    expect([response.headers.get("content-encoding"), await response.text()]).toEqual([null, "{}"]);
  });

  test("answers 304 to lists that have the tag of the form that would be sent, and 200 to all others", async () => {
    const tags = fc.constantFrom(
      ...(["identity", "br", "gzip"] as const).flatMap((encoding) => [
        document.tag(encoding),
        `W/${document.tag(encoding)}`,
      ]),
      '"other"',
      '"a,b"',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(tags), fc.constantFrom("identity", "br", "gzip"), async (list, encoding) => {
        const request = { "accept-encoding": `${encoding}, *;q=0.5`, "if-none-match": list.join(", ") };
        const response = await answer({ keep: "for-ever", headers: { link: "</x>" } }, request);
        const tag = document.tag(encoding);
        const has = list.some((item) => item === tag || item === `W/${tag}`);
        expect([response.status, response.headers.get("etag")]).toEqual([has ? 304 : 200, tag]);
        if (!has) return;
        expect(await response.text()).toBe("");
        expect(Object.fromEntries(response.headers)).toEqual({
          "cache-control": "public, max-age=31536000, immutable",
          etag: tag,
          link: "</x>",
          vary: "Accept-Encoding, Origin",
        });
      }),
    );
  });

  test("answers in full what may not be kept, whatever the client has", async () => {
    const response = await answer({ status: 404 }, { "if-none-match": "*" });
    expect([response.status, await response.text()]).toEqual([404, LONG]);
  });
});
