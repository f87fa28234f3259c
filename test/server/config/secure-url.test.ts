import { expect, test } from "vitest";
import { isLoopback, isSecureUrl } from "../../../server/config/secure-url.ts";

test.each([
  ["127.0.0.1", true],
  ["127.8.0.1", true],
  ["localhost", true],
  ["::1", true],
  ["[::1]", true],
  ["0.0.0.0", false],
  ["::", false],
  ["10.0.0.1", false],
  ["localhost.example.com", false],
  ["127.0.0.1.example.com", false],
  ["", false],
])("%s is this machine only: %s", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test.each([
  ["https://example.com", true],
  ["http://127.0.0.1:8080/x", true],
  ["http://[::1]:8080", true],
  ["http://example.com", false],
  ["https://user@example.com", false],
  ["https://:secret@example.com", false],
  ["file:///etc/passwd", false],
  ["example.com", false],
])("%s is safe from others: %s", (url, expected) => {
  expect(isSecureUrl(url)).toBe(expected);
});
