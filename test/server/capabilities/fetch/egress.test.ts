import { describe, expect, test } from "vitest";
import { toTarget } from "../../../../server/capabilities/fetch/egress.ts";
import { NOTHING_REVOKED } from "../../../../server/versions/revoked.ts";

const EGRESS = ["api.example.com", "other.example.com:8443", "*.wild.example"];
const NO_MAP = { egressMap: new Map<string, string>() };

describe("toTarget", () => {
  test.each([
    "https://api.example.com/path?q=1",
    "https://API.example.com:443/",
    "https://other.example.com:8443/",
    "https://a.wild.example/",
    "https://a.b.wild.example/",
  ])("lets %s through", (url) => {
    expect(toTarget(url, EGRESS, NO_MAP)).toMatchObject({ mapped: false, actual: new URL(url) });
  });

  test.each([
    ["http://api.example.com/", "`http:` is not allowed"],
    ["file:///etc/passwd", "`file:` is not allowed"],
    ["data:text/plain,x", "`data:` is not allowed"],
    ["https://api.example.com:8443/", "`api.example.com:8443` is not under `egress`"],
    ["https://other.example.com/", "`other.example.com` is not under `egress`"],
    ["https://wild.example/", "`wild.example` is not under `egress`"],
    ["https://evilwild.example/", "`evilwild.example` is not under `egress`"],
    ["https://api.example.com.evil.com/", "`api.example.com.evil.com` is not under `egress`"],
    ["https://api.example.com@evil.com/", "credentials inside a URL"],
    ["https://user:pass@api.example.com/", "credentials inside a URL"],
    ["/relative", "is no absolute URL"],
    ["https://[::1]/", "`[::1]` is not under `egress`"],
  ])("refuses %s", (url, reason) => {
    expect(() => toTarget(url, EGRESS, NO_MAP)).toThrow(
      expect.objectContaining({ name: "EGRESS_DENIED", message: expect.stringContaining(reason) }),
    );
  });

  test("refuses what is revoked by then, whatever the manifest lists and the operator maps", () => {
    let hosts: readonly string[] = [];
    const egressMap = new Map([["api.example.com", "http://127.0.0.1:4010/base"]]);
    const options = { egressMap, revoked: () => ({ ...NOTHING_REVOKED, hosts }) };
    const reach = (url: string) => () => toTarget(url, EGRESS, options);
    const denied = expect.objectContaining({ name: "EGRESS_DENIED", message: expect.stringContaining("is revoked") });
    for (const url of ["https://api.example.com/", "https://other.example.com:8443/", "https://a.b.wild.example/"]) {
      hosts = [];
      expect(reach(url)).not.toThrow();
      hosts = ["api.example.com", "other.example.com", "*.wild.example"];
      expect(reach(url)).toThrow(denied);
      hosts = ["api.example.com:8080", "example.com", "wild.example", "*.other.example.com"];
      expect(reach(url)).not.toThrow();
    }
  });

  test("sends a mapped host to the operator's base URL, and only when the manifest lists the host itself", () => {
    const map = { egressMap: new Map([["api.example.com", "http://127.0.0.1:4010/base"]]) };
    const target = toTarget("https://api.example.com/v1/x?q=1", EGRESS, map);
    expect(target.mapped).toBe(true);
    expect(target.actual.href).toBe("http://127.0.0.1:4010/base/v1/x?q=1");
    expect(target.url.href).toBe("https://api.example.com/v1/x?q=1");
    expect(() => toTarget("https://api.example.com/", [], map)).toThrow(
      expect.objectContaining({ name: "EGRESS_DENIED" }),
    );
  });
});
