import { describe, expect, test } from "vitest";
import { findFormat, hasFormat } from "../../../../tools/_lib/fill/formats.ts";

describe("findFormat", () => {
  test.each([
    ["write to a.b+c@mail.example.com.", "email", "a.b+c@mail.example.com"],
    ["see https://example.com/a%20b?c=d#e.", "uri", "https://example.com/a%20b?c=d#e"],
    ["see (https://example.com/)", "url", "https://example.com/"],
    ["ftp://x/y", "url", undefined],
    ["10.0.0.256", "ipv4", undefined],
    ["10.0.0.255!", "ipv4", "10.0.0.255"],
    ["a..b@example.com é@x.y", "email", undefined],
    ["-a.example", "hostname", undefined],
    ["anything", "unheard-of", undefined],
  ])("finds in %j of format %s just %j", (rest, format, expected) => {
    const span = findFormat(rest, format);
    expect(span && rest.slice(span.start, span.end)).toBe(expected);
  });
});

describe("hasFormat", () => {
  test("looks at the whole value, and leaves unknown formats alone", () => {
    expect(hasFormat("bob@example.com", "email")).toBe(true);
    expect(hasFormat("bob@example.com ", "email")).toBe(false);
    expect(hasFormat("x", "unheard-of")).toBe(true);
    expect(hasFormat("x", undefined)).toBe(true);
  });
});
