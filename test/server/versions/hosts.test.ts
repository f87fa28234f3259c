import { describe, expect, it } from "vitest";
import { allowsHost } from "../../../server/versions/hosts.ts";

describe("allowsHost", () => {
  it.each([
    ["api.example.com", "api.example.com", true],
    ["api.example.com", "api.example.com:443", true],
    ["api.example.com", "api.example.com:8443", false],
    ["api.example.com:8443", "api.example.com:8443", true],
    ["*.example.com", "api.example.com", true],
    ["*.example.com", "a.b.example.com", true],
    ["*.example.com", "*.b.example.com", true],
    ["*.example.com", "*.example.com", true],
    ["*.example.com", "example.com", false],
    ["*.example.com", "badexample.com", false],
    ["*.example.com", "*.com", false],
    ["api.example.com", "*.example.com", false],
  ])("%s and %s: %s", (allowed, entry, answer) => {
    expect(allowsHost(allowed, entry)).toBe(answer);
  });
});
