import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Assigned range of IPv6 addresses (RFC 4291, section 2.4; IANA's registry). Others lead nowhere, or into a private
 * network.
 */
const GIVEN_OUT = ipaddr.IPv6.parseCIDR("2000::/3");
/** Addresses that are public by their number, at which a cloud answers its own machines: Azure's gives out a machine's keys. */
const OF_PLATFORMS: ReadonlySet<string> = new Set(["168.63.129.16"]);

/**
 * Checks that an IP address belongs to the public internet. Tools cannot reach others (private, loopback, link-local and
 * with it the cloud metadata address, carrier NAT, multicast, documentation, IPv6 forms that wrap an IPv4 address):
 * server-side request forgery would otherwise lead from a tool into the operator's network.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // `process` unwraps IPv4-mapped IPv6, so that ::ffff:127.0.0.1 is judged as 127.0.0.1.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GIVEN_OUT)) return false;
  return parsed.range() === "unicast" && !OF_PLATFORMS.has(parsed.toString());
}

/** The part of an IP address that one customer has to itself: all of an IPv4 address, the first 64 bits of an IPv6 address. */
export function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(":") : parsed.toString();
}

/** A network of IP addresses: its first address and the length of its prefix in bits. */
export type AddressRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** A network of all addresses. */
const EVERYONE = /^[\d.a-f:]+\/0+$/i;
const TRUSTS_ALL = "has all addresses, so it would trust everyone; name the networks of your own proxies";
const NO_RANGE = "is no address or network such as 10.0.0.0/8";

/** Reads IP addresses, and networks in CIDR notation (`10.0.0.0/8`); says of each other text what was expected. */
export function readRanges(texts: readonly string[], wrong: (expected: string) => undefined): readonly AddressRange[] {
  return texts
    .map((text) => readRange(text) ?? wrong(`\`${text}\` ${EVERYONE.test(text) ? TRUSTS_ALL : NO_RANGE}`))
    .filter((range) => range !== undefined);
}

/** Reads one; not a network of all addresses, nor IPv4 wrapped in IPv6, which connections are never compared with. */
function readRange(text: string): AddressRange | undefined {
  const [, address = "", prefix] = /^([^/]*)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  if (isIP(address) === 0) return undefined;
  const first = ipaddr.parse(address);
  if (first instanceof ipaddr.IPv6 && first.isIPv4MappedAddress()) return undefined;
  const bits = first.toByteArray().length * 8;
  const length = Number(prefix ?? bits);
  return length <= bits ? [first, length] : undefined;
}

/** Checks that an IP address belongs to one of the networks. An IPv4 address that is mapped into IPv6 counts as itself. */
export function isWithin(address: string, ranges: readonly AddressRange[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some(([first, length]) => first.kind() === parsed.kind() && parsed.match(first, length));
}
