import { covers } from "./covers.ts";
import { allowsHost } from "./hosts.ts";
import type { Revoked } from "./policy.ts";

export const NOTHING_REVOKED: Revoked = Object.freeze({
  roles: [],
  capabilities: [],
  hosts: [],
  commands: [],
  secrets: [],
});

/** Unites revocations. */
export function uniteRevoked(all: readonly Revoked[]): Revoked {
  if (all.length < 2) return all[0] ?? NOTHING_REVOKED;
  const commands = new Map(all.flatMap(({ commands: own }) => own.map((one) => [JSON.stringify(one), one] as const)));
  return Object.freeze({
    roles: unique(all.flatMap(({ roles }) => roles)),
    capabilities: unique(all.flatMap(({ capabilities }) => capabilities)),
    hosts: unique(all.flatMap(({ hosts }) => hosts)),
    commands: [...commands.values()],
    secrets: unique(all.flatMap(({ secrets }) => secrets)),
  });
}

export function revokesCapability({ capabilities }: Revoked, capability: string): boolean {
  return capabilities.some((revoked) => covers(revoked, capability));
}

/** `host` is `host:port`. */
export function revokesHost({ hosts }: Revoked, host: string): boolean {
  const [name = "", port = ""] = host.split(":");
  return hosts.some((entry) => allowsHost(entry.includes(":") ? entry : `${entry}:${port}`, `${name}:${port}`));
}

export function revokesCommand({ commands }: Revoked, [program, ...args]: readonly string[]): boolean {
  return commands.some(
    (revoked) => revoked.program === program && revoked.arguments.every((argument, at) => argument === args[at]),
  );
}

/** `name` is that of a secret of any owner: a key that got out is no better in other hands. */
export function revokesSecret({ secrets }: Revoked, name: string): boolean {
  return secrets.includes(name);
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
