import { type LookupFunction, isIP } from "node:net";
import { CairnError } from "../../errors.ts";
import { isPublicAddress } from "../../config/public-address.ts";

/** Judges the very addresses that will be connected to, so a name cannot resolve differently a moment later. */
export function publicOnly(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = Array.isArray(found) ? found : [];
      const bad = addresses.find(({ address }) => !isPublicAddress(address));
      if (bad || addresses.length === 0) return callback(notPublic(hostname), []);
      if (options.all) return callback(null, addresses);
      const [{ address, family } = { address: "", family: 4 }] = addresses;
      return callback(null, address, family);
    });
  };
}

/** Connecting to an address written as such asks no name server, so it is judged here. */
export function refusePrivateLiteral({ hostname }: URL): void {
  const literal = hostname.replace(/^\[|\]$/g, "");
  if (isIP(literal) && !isPublicAddress(literal)) throw notPublic(hostname);
}

function notPublic(hostname: string): CairnError {
  return new CairnError("EGRESS_DENIED", `\`ctx.fetch\`: \`${hostname}\` is not an address of the public internet.`);
}
