import { describe, expect, test } from "vitest";
import { createGuard } from "../../../server/http/guards.ts";

const guard = createGuard({
  host: "10.0.0.5",
  allowedHosts: ["Cairn.example.com"],
  allowedOrigins: ["https://app.example.com"],
});

describe("createGuard", () => {
  test.each(["localhost", "localhost:3000", "127.0.0.1:3000", "[::1]:3000", "10.0.0.5:3000", "cairn.EXAMPLE.com"])(
    "answers as %s",
    (host) => {
      expect(() => guard(host, undefined)).not.toThrow();
    },
  );

  test.each(["evil.com", "evil.com:3000", "localhost.evil.com", "127.0.0.1.evil.com", ""])(
    "does not answer as %j, to which a name may have been rebound",
    (host) => {
      expect(() => guard(host, undefined)).toThrow(expect.objectContaining({ name: "FORBIDDEN" }));
    },
  );

  test.each(["http://localhost:5173", "http://127.0.0.1", "http://[::1]:8080", "https://app.example.com"])(
    "takes calls from pages of %s",
    (origin) => {
      expect(() => guard("localhost", origin)).not.toThrow();
    },
  );

  test.each([
    "https://evil.com",
    "https://app.example.com.evil.com",
    "http://app.example.com",
    "null",
    "http://localhost.evil.com",
  ])("refuses calls from pages of %s", (origin) => {
    expect(() => guard("localhost", origin)).toThrow(expect.objectContaining({ name: "FORBIDDEN" }));
  });
});
