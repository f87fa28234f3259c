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
