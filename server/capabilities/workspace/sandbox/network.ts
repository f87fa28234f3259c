import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { type Socket, connect } from "node:net";

/** Network for the allowed connections of commands. */
export interface Network {
  /** All addresses of a host. */
  readonly resolve: (host: string) => Promise<readonly LookupAddress[]>;
  /** Begins a connection to whichever of these addresses answers first, and to no other. */
  readonly connect: (addresses: readonly LookupAddress[], port: number) => Socket;
}

export const systemNetwork: Network = Object.freeze({
  resolve: (host: string) => lookup(host, { all: true }),
  connect: (addresses: readonly LookupAddress[], port: number) =>
    connect({
      // Never asked for: the addresses were found, and judged, before.
      host: "resolved.invalid",
      port,
      allowHalfOpen: true,
      autoSelectFamily: true,
      lookup: (_host, _options, callback) => callback(null, [...addresses]),
    }),
});
