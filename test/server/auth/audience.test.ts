import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isWithin, toPaths } from "../../../server/auth/audience.ts";

const ORIGIN = "https://cairn.example.com";

describe("toPaths", () => {
  test.each([
    [ORIGIN, [""]],
    [`${ORIGIN}/`, [""]],
    ["HTTPS://Cairn.Example.COM", [""]],
    ["https://cairn.example.com:443", [""]],
    [`${ORIGIN}/agent/1.0.0/runner`, ["/agent/1.0.0/runner"]],
    [`${ORIGIN}/agent/1.0.0/`, ["/agent/1.0.0"]],
    [["https://other.example.com", `${ORIGIN}/agent`], ["/agent"]],
    // A path is never made plain, so it cannot come to mean more than it says.
    [`${ORIGIN}/agent/..`, ["/agent/.."]],
  ])("%j is good for %j", (audience, paths) => {
    expect(toPaths(audience, ORIGIN)).toEqual(paths);
  });

  test.each([
    undefined,
    null,
    7,
    "",
    {},
    [],
    "cairn",
    "https://other.example.com",
    "http://cairn.example.com",
    "https://cairn.example.com:8443",
    "https://cairn.example.com.evil.example",
    "https://cairn.example.com@evil.example",
    "https://user@cairn.example.com",
    "https://cairn.example.com?x",
    "https://cairn.example.com#x",
    "https://cairn.example.com\\@evil.example",
    " https://cairn.example.com",
    [["https://cairn.example.com"]],
  ])("%j is good for nothing here", (audience) => {
    expect(toPaths(audience, ORIGIN)).toEqual([]);
  });
});

describe("isWithin", () => {
  test.each([
    ["/agent/1.0.0/runner", [""], true],
    ["/agent/1.0.0/runner", ["/agent/1.0.0"], true],
    ["/agent/1.0.0/runner", ["/agent/1.0.0/runner"], true],
    ["/agent/1.0.0/runner", ["/agent/1.0"], false],
    ["/agent/1.0.0/runner", ["/agent/1.0.0/run"], false],
    ["/agent/1.0.0", ["/agent/1.0.0/runner"], false],
    ["/agent/1.0.0/runner", ["/versions", "/agent"], true],
    ["/agent/1.0.0/runner", [], false],
  ])("%s in %j: %s", (path, paths, expected) => {
    expect(isWithin(path, paths)).toBe(expected);
  });

  test("what is within a path has its segments first", () => {
    const path = fc.array(fc.constantFrom("agent", "1.0.0", "runner", "r", "."), { maxLength: 4 });
    fc.assert(
      fc.property(path, path, (of, base) => {
        const text = (segments: readonly string[]) => segments.map((segment) => `/${segment}`).join("");
        expect(isWithin(text(of), [text(base)])).toBe(base.every((segment, at) => of[at] === segment));
      }),
    );
  });
});
