import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Context, FetchInit } from "../../../server/host-api.ts";
import * as api from "../../../tools/_lib/http-api.ts";

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A context whose `fetch` keeps the requests and answers all alike. */
function createContext({ status = 200, headers = {}, body = "{}" }: Answer = {}) {
  const requests: [string, FetchInit | undefined][] = [];
  const reply = { status, ok: status < 400, headers, text: () => body, json: <T>() => JSON.parse(body) as T };
  const ctx = {
    fetch: async (url: string, init?: FetchInit) => {
      requests.push([url, init]);
      return reply;
    },
    fail: (name: string, message: string, details?: unknown) => Object.assign(new Error(message), { name, details }),
  };
  return { ctx: ctx as unknown as Context, requests, reply };
}

describe("send", () => {
  test("writes queries, headers and JSON, and leaves out what is undefined", async () => {
    const { ctx, requests } = createContext();
    await api.send(ctx, "POST", "/a", {
      query: { x: "a&b", list: [1, 2], none: undefined, object: { a: 1 } },
      headers: { "X-A": 1, "X-B": undefined },
      json: { y: null },
    });
    expect(requests).toEqual([
      [
        "https://api.example.com/a?x=a%26b&list=1&list=2&object=%7B%22a%22%3A1%7D",
        {
          method: "POST",
          headers: { accept: "application/json", "content-type": "application/json", "X-A": "1" },
          body: '{"y":null}',
        },
      ],
    ]);
  });

  test("writes forms, texts and another base", async () => {
    const { ctx, requests } = createContext();
    await api.send(ctx, "POST", "/a", { form: api.brackets({ a: { b: [1, { c: "d" }] } }), base: "https://b.example" });
    await api.send(ctx, "PUT", "/a", { text: "hi", type: "text/markdown" });
    expect(requests.map(([url, init]) => [url, init?.headers?.["content-type"], init?.body])).toEqual([
      ["https://b.example/a", "application/x-www-form-urlencoded", "a%5Bb%5D%5B0%5D=1&a%5Bb%5D%5B1%5D%5Bc%5D=d"],
      ["https://api.example.com/a", "text/markdown", "hi"],
    ]);
  });

  test.for([
    [404, '{"message":"Not Found"}', "NOT_FOUND", "The API answered 404: Not Found"],
    [422, '{"errors":[{"detail":"too short"}]}', "UNPROCESSABLE", "The API answered 422: too short"],
    [403, '{"error":{"code":7,"message":"no"}}', "FORBIDDEN", "The API answered 403: no"],
    [409, "<p>taken</p>", "CONFLICT", "The API answered 409: <p>taken</p>"],
    [429, "", "UPSTREAM_ERROR", "The API answered 429: no message"],
    [500, '{"error":"down"}', "UPSTREAM_ERROR", "The API answered 500: down"],
  ] as const)("a status of %i with %s is an error of the call", async ([status, body, name, message]) => {
    const { ctx } = createContext({ status, body, headers: { "retry-after": "3" } });
    const details = { status, retryAfter: "3" };
    await expect(api.send(ctx, "GET", "/a")).rejects.toMatchObject({ name, message, details });
  });
});

describe("paths", () => {
  const { path } = api;
  const REFUSED: readonly (readonly [string, string])[] = [
    ["..", path`/zones/${".."}/${"animals"}`],
    [".", path`/keepers/${"."}/shifts`],
    ["an empty value", path`/keepers/${""}/shifts`],
    ["an absent value", path`/keepers/${undefined}/shifts`],
    ["an empty list", path`/keepers/${[]}`],
    ["a list of `..` alone", path`/keepers/${[".."]}`],
    ["two values that make `..`", path`/files/${"."}${"."}`],
    ["an empty value beside a text", path`/files/${""}.${"."}`],
    ["a value that makes `..` with a text", path`/files/.${"."}`],
    ["a value that makes `..` with an encoded text", path`/files/%2E${"."}`],
    ["`..` before a query", path`/files/${".."}?a=1`],
    ["`..` before a fragment", path`/files/${".."}#a`],
    ["`..` before blanks that an address loses", path`/files/${".."}\t\n `],
    ["`..` between slashes, for servers that decode them", path`/files/${"a/../b"}`],
    ["`..` between backslashes", path`/files/${"a\\..\\b"}`],
    ["a path that a handler puts together itself", `/files/${".."}`],
    ["`%2e%2E` that a handler did not encode", `/files/${"%2e%2E"}/a`],
  ];

  test.for(REFUSED)("refuses %s", async ([, target]) => {
    const { ctx, requests } = createContext();
    const rule = "a value in a path can be neither empty nor `.` or `..`, alone or between slashes";
    await expect(api.send(ctx, "DELETE", target)).rejects.toMatchObject({
      name: "BAD_REQUEST",
      message: `\`${target}\` cannot be asked for: ${rule}.`,
    });
    expect(requests).toEqual([]);
  });

  test.for([
    path`/files/${"..."}`,
    path`/files/${"a..b"}/${".git"}/${"v1."}`,
    path`/files/${"a/b"}`,
    path`/files/${[".", ".."]}`,
    path`/files/${"%2e%2e"}`,
    path`/files/${0}/${false}`,
    path`/files?path=${".."}`,
    "/",
    "/files/",
  ])("sends %s as it is", async (target) => {
    const { ctx, requests } = createContext();
    await api.send(ctx, "GET", target);
    expect(requests.map(([url]) => url)).toEqual([`https://api.example.com${target}`]);
  });

  test("values of any kind reach the path that the texts say, or are refused", async () => {
    const piece = fc.constantFrom(
      ".",
      "..",
      "%",
      "%2e",
      "2e",
      "/",
      "\\",
      "?",
      "#",
      ";",
      "\t",
      "\n",
      " ",
      "\0",
      "a",
      "@",
      ":",
    );
    const value = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
    const check = fc.asyncProperty(value, value, async (one, two) => {
      const { ctx, requests } = createContext();
      const refused = await api
        .send(ctx, "GET", path`/v1/a/${one}/b/${two}.${one}/c`)
        .catch(({ name }) => name as string);
      if (refused === "BAD_REQUEST") return;
      const { origin, pathname, search, hash } = new URL(requests[0]?.[0] ?? "");
      const names = pathname.split("/").map(decodeURIComponent);
      expect(names).toEqual(["", "v1", "a", one, "b", `${two}.${one}`, "c"]);
      expect([origin, search, hash]).toEqual(["https://api.example.com", "", ""]);
    });
    await fc.assert(check);
  });
});

describe("parts of requests and answers", () => {
  test("encodes the values of paths", () => {
    expect(api.path`/a/${"b/c d"}/${[1, 2]}`).toBe("/a/b%2Fc%20d/1,2");
  });

  test("joins lists and objects", () => {
    expect([api.joined([1, 2]), api.joined({ a: 1 }), api.joined(undefined), api.joined([1, 2], "|")]).toEqual([
      "1,2",
      "a,1",
      undefined,
      "1|2",
    ]);
  });

  test.for([
    ['<https://a/?page=3&x=1>; rel="next", <https://a/?page=9>; rel="last"', "3"],
    ['<https://a/?page=1>; rel="prev"', undefined],
    ["", undefined],
  ])("finds the next page in the header %s", ([link = "", next]) => {
    const { reply } = createContext({ headers: { link } });
    expect(api.nextInLink(reply, "page")).toBe(next);
  });

  test("finds cursors, and addresses that hold them", () => {
    expect(api.partOf({ meta: { next: "c" } }, "meta", "next")).toBe("c");
    expect(api.partOf({ meta: null }, "meta", "next")).toBeUndefined();
    expect(api.partOf({ next: "" }, "next")).toBeUndefined();
    expect(api.nextInAddress("/a?cursor=x%3D&b=1", "cursor")).toBe("x=");
    expect(api.nextInAddress(undefined, "cursor")).toBeUndefined();
  });

  test("counts on while pages are full", () => {
    expect(api.nextByCount([1, 2], 1, 2, 1)).toBe(2);
    expect(api.nextByCount([1], 1, 2, 1)).toBeUndefined();
    expect(api.nextByCount([], 1, undefined, 1)).toBeUndefined();
  });

  test("reads an answer without a body as an empty object", () => {
    const { reply } = createContext({ body: " " });
    expect(api.readJson(reply)).toEqual({});
  });
});
