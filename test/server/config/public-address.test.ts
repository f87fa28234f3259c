import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPublicAddress, isWithin, readRanges, toNetwork } from "../../../server/config/public-address.ts";

describe("isPublicAddress", () => {
  test.each([
    "93.184.215.14",
    "1.1.1.1",
    "168.63.129.17",
    "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
    "2a00:1450:4001::1",
  ])("takes %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "192.168.1.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
    "2001:0:1::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "ff02::1",
    "2001:db8::1",
    // IPv4 in IPv6: compatible, mapped, translated (RFC 6145), NAT64 of a network's own, 6to4.
    "::7f00:1",
    "::10.0.0.1",
    "::ffff:a9fe:a9fe",
    "::ffff:0:7f00:1",
    "64:ff9b:1::a00:1",
    "2002:a00:1::1",
    // Outside of what is given out, or for documentation, tests and routing.
    "1::1",
    "4000::1",
    "5f00::1",
    "3fff::1",
    "fe00::1",
    "fec0::1",
    "100::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    // What clouds answer their own machines at.
    "168.63.129.16",
    "169.254.42.42",
    "100.100.100.200",
    "192.0.0.192",
    "fd00:ec2::254",
    "::ffff:168.63.129.16",
    "",
    "localhost",
    "256.1.1.1",
  ])("refuses %j", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test("judges an IPv4 address wrapped in IPv6 as that address", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
      }),
    );
  });
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2::5", "2001:db8:1:2:ffff::"],
])("the network of %s is that of %s", (address, other) => {
  expect(toNetwork(address)).toBe(toNetwork(other));
  expect(toNetwork(address)).not.toBe(toNetwork("2001:db8:1:3::5"));
});

describe("readRanges", () => {
  test.each([
    "",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0/8",
    "127.1",
    "0x7f.0.0.1",
    "::ffff:10.0.0.0/104",
    "proxy",
    "10.0.0.0/8/8",
    "10.0.0.0/-1",
  ])("refuses `%s`", (text) => {
    const problems: string[] = [];
    expect(readRanges([text, "::1"], (problem) => void problems.push(problem))).toHaveLength(1);
    expect(problems).toEqual([`\`${text}\` is no address or network such as 10.0.0.0/8`]);
  });

  test.each(["0.0.0.0/0", "10.0.0.0/0", "::/0"])("refuses `%s`, which would trust everyone", (text) => {
    const problems: string[] = [];
    expect(readRanges([text], (problem) => void problems.push(problem))).toEqual([]);
    expect(problems[0]).toContain("it would trust everyone");
  });

  test.each([
    ["10.0.0.0/8", "10.255.0.1", true],
    ["10.0.0.0/8", "11.0.0.1", false],
    ["10.0.0.0/8", "::ffff:10.0.0.1", true],
    ["10.0.0.0/8", "a::1", false],
    ["127.0.0.1", "127.0.0.1", true],
    ["127.0.0.1", "127.0.0.2", false],
    ["2001:db8::/32", "2001:db8:1::1", true],
    ["::1", "::2", false],
    ["::1", "nobody", false],
  ])("reads %s, which has %s: %s", (text, address, expected) => {
    expect(
      isWithin(
        address,
        readRanges([text], () => undefined),
      ),
    ).toBe(expected);
  });
});
