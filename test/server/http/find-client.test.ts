import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readRanges } from "../../../server/config/public-address.ts";
import { createFindClient } from "../../../server/http/find-client.ts";

const PROXY = "127.0.0.1";
const findClient = createFindClient(readRanges([PROXY, "10.0.0.0/8", "fd00::/8"], () => undefined));

describe("the address of a client", () => {
  test.each([
    {
      means: "is what the proxy adds, whatever the client claims before it",
      from: PROXY,
      header: "203.0.113.9, 198.51.100.7",
      client: "198.51.100.7",
    },
    {
      means: "is found behind two proxies",
      from: PROXY,
      header: "203.0.113.9, 198.51.100.7, 10.1.2.3",
      client: "198.51.100.7",
    },
    {
      means: "is that of a connection from elsewhere",
      from: "198.51.100.8",
      header: "203.0.113.9",
      client: "198.51.100.8",
    },
    { means: "is that of a proxy without the header", from: PROXY, header: undefined, client: PROXY },
    { means: "is that of a proxy that hides it", from: PROXY, header: "203.0.113.9, unknown", client: PROXY },
    { means: "may be of IPv6", from: "fd00::2", header: "2001:db8::7", client: "2001:db8::7" },
    {
      means: "is found where the proxy's is wrapped in IPv6",
      from: "::ffff:127.0.0.1",
      header: "198.51.100.7",
      client: "198.51.100.7",
    },
    { means: "is unknown once the connection has ended", from: undefined, header: "203.0.113.9", client: undefined },
  ])("$means", ({ from, header, client }) => {
    expect(findClient(from, header)).toBe(client);
  });

  test("is that of the connection while no proxy is trusted", () => {
    const none = createFindClient([]);
    fc.assert(fc.property(fc.ipV4(), fc.string(), (from, header) => none(from, header) === from));
  });

  test("cannot be chosen by what a client sends", () => {
    const foreign = fc.ipV4().filter((address) => !/^(?:10|127)\./.test(address));
    const claims = fc.oneof(fc.string(), fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string())).map(String));
    fc.assert(
      fc.property(foreign, claims, (client, claimed) => {
        expect(findClient(client, claimed)).toBe(client);
        expect(findClient(PROXY, `${claimed}, ${client}`)).toBe(client);
      }),
    );
  });
});
