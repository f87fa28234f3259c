import { isAbsolute } from "node:path";
import { isTenant } from "../principal.ts";
import { type ConfigReader, readSecret } from "./config-reader.ts";
import { readSecretReference, type SecretReference } from "./secret-reference.ts";
import { defined } from "../json/defined.ts";

/** Places of the secrets that tools' requests carry, and of the keys that encrypt those of callers. */
export interface SecretsConfig {
  /** By `NAME` for the service's own, and by `tenant/NAME` for a tenant's. */
  readonly references: ReadonlyMap<string, SecretReference>;
  /** Folders with a file for each secret: `NAME`, and `tenant/NAME`. */
  readonly folders: readonly string[];
  /** Keys for the secrets of callers, a line each; absent: callers can set none. */
  readonly key?: SecretReference;
}

export const SECRETS_VARIABLES = {
  CAIRN_SECRETS:
    "Comma-separated places of the [secrets](secrets.md) that tools' requests carry: `NAME=env:VARIABLE`, `NAME=file:/path`, `tenant/NAME=...` for one tenant's, and `folder:/path` for a folder with a file for each. Default: none.",
  CAIRN_SECRETS_KEY:
    "Where the key is that encrypts the secrets which callers set: `env:NAME` or `file:/path`, with 32 bytes in base64. A line for each key: the first encrypts, the others still decrypt. Default: callers can set none.",
} as const;

const NAME = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Checks that a text can name a secret. */
export function isSecretName(text: string): boolean {
  return NAME.test(text);
}

/** Reads where secrets are. Problems name the entry, and never show what stands after it, which may be the secret itself. */
export function readSecretsConfig(read: ConfigReader<keyof typeof SECRETS_VARIABLES>): SecretsConfig {
  const references = new Map<string, SecretReference>();
  const folders: string[] = [];
  const entries = (read.get("CAIRN_SECRETS") ?? "").split(",").map((entry) => entry.trim());
  for (const [index, entry] of entries.filter(Boolean).entries()) {
    if (/^folder:.+/.test(entry)) {
      const folder = entry.slice("folder:".length);
      if (isAbsolute(folder)) folders.push(folder);
      else
        read.problem(`entry ${index + 1} of CAIRN_SECRETS names a folder by a relative path; write \`folder:/path\``);
      continue;
    }
    const [, owner, name = "", text] = /^(?:([^/=]*)\/)?([^/=]+)=(.*)$/s.exec(entry) ?? [];
    if (!isSecretName(name) || (owner !== undefined && !isTenant(owner))) {
      const expected = "must be `NAME=env:VARIABLE`, `NAME=file:/path`, `tenant/NAME=...` or `folder:/path`";
      read.problem(`entry ${index + 1} of CAIRN_SECRETS ${expected}, with capital letters, digits and _ in NAME`);
      continue;
    }
    const key = owner === undefined ? name : `${owner}/${name}`;
    const variable = `CAIRN_SECRETS (${key})`;
    if (references.has(key)) read.problem(`${variable} is named twice`);
    const reference = readSecretReference(variable, text, read.environment, read.problem);
    if (reference !== undefined) references.set(key, reference);
  }
  const key = readSecret(read, "CAIRN_SECRETS_KEY");
  return Object.freeze({ references, folders, ...defined({ key }) });
}
