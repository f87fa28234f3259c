import { CairnError } from "../errors.ts";

/** Others on the network would be let in as well. */
export function createOpenHost(host: string): CairnError {
  return new CairnError(
    "BAD_REQUEST",
    `HOST is \`${host}\`, which others can reach, and callers need no token. Set CAIRN_AUTH=tokens and make one with ` +
      "`cairn token create`, or set CAIRN_OAUTH_ISSUER; without either, Cairn listens on 127.0.0.1 only.",
  );
}
