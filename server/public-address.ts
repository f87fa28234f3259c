import ipaddr from "ipaddr.js";

/**
 * Whether an IP address belongs to the public internet. Everything else (private, loopback, link-local and with it the
 * cloud metadata address, carrier NAT, multicast, documentation, IPv6 forms that wrap an IPv4 address) is out of reach
 * for tools: server-side request forgery would otherwise turn a tool into a way into the operator's network.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // `process` unwraps IPv4-mapped IPv6, so that ::ffff:127.0.0.1 is judged as 127.0.0.1.
  return ipaddr.process(address).range() === "unicast";
}

/** The part of an IP address that one customer has to itself: all of an IPv4 address, the first 64 bits of an IPv6 address. */
export function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(":") : parsed.toString();
}
