import { isIP } from "node:net";
import type { Credentials } from "../auth/caller.ts";
import { type AddressRange, isWithin } from "../config/public-address.ts";
import type { HttpRequest } from "./front/exchange.ts";

/** Finds the IP address of a client from that of the connection and the request's `X-Forwarded-For`. */
export type FindClient = (
  connection: string | undefined,
  forwardedFor: string | readonly string[] | null | undefined,
) => string | undefined;

/**
 * Creates a finder that believes `X-Forwarded-For` as far as `trusted` proxies wrote it: each adds the address it was reached
 * from at the right, so the client is the last address that is none of theirs. Everything to the left of it was sent by the
 * client, who could otherwise blame others in the audit, and escape limits by address, with a header of its own.
 */
export function createFindClient(trusted: readonly AddressRange[]): FindClient {
  if (trusted.length === 0) return (connection) => connection;
  return (connection, forwardedFor) => {
    const hops = String(forwardedFor ?? "").split(",");
    let client = connection;
    while (client !== undefined && isWithin(client, trusted)) {
      const before = hops.pop()?.trim();
      // Not an address: a proxy that hides its clients (RFC 7239, section 6.2), or none that adds them.
      if (before === undefined || isIP(before) === 0) break;
      client = before;
    }
    return client;
  };
}

/** Header that names a person where callers need no token. */
export const PERSON_HEADER = "cairn-person";

/** Reads the one value of that header; several are no name. */
export function toPerson(value: string | readonly string[] | null | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

/** Reads the parts of a request to `path` that identify its sender. */
export function toCredentials({ headers, socket }: HttpRequest, path: string, findClient: FindClient): Credentials {
  const address = findClient(socket.remoteAddress, headers["x-forwarded-for"]);
  return { authorization: headers.authorization, path, address, person: toPerson(headers[PERSON_HEADER]) };
}
