import { expect, test } from "vitest";
import { toOriginForm } from "../../../server/http/target.ts";

test.each([
  ["/healthz?a=b", "localhost", "/healthz?a=b"],
  ["*", "localhost", "*"],
  ["http://localhost:4301/healthz?a=http://b", "localhost:4301", "/healthz?a=http://b"],
  ["HTTPS://Localhost/", "LOCALHOST", "/"],
  ["http://localhost", "localhost", "/"],
  ["http://localhost?a", "localhost", "/?a"],
  ["http://localhost//a/../b", "localhost", "//a/../b"],
])("the target %s at the host %s asks for %s", (target, host, path) => {
  expect(toOriginForm(target, host)).toBe(path);
});

test.each([
  ["http://localhost:4301/", "localhost"],
  ["http://evil.example/", "localhost"],
  ["http://user@localhost/", "localhost"],
  ["http:///healthz", "localhost"],
  ["http://localhost/", undefined],
])("the target %s differs from the host %s", (target, host) => {
  expect(toOriginForm(target, host)).toBeUndefined();
});
