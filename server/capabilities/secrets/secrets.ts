import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SecretsConfig } from "../../config/config-secrets.ts";
import { loadReferencedSecret } from "../../config/secret-reference.ts";
import { CairnError } from "../../errors.ts";
import type { Principal } from "../../principal.ts";
import type { Revoked } from "../../versions/policy.ts";
import { revokesSecret } from "../../versions/revoked.ts";
import type { SecretOwner } from "../../versions/secret.ts";
import type { Tool, Version } from "../../versions/version.ts";

/** Shorter values would be found, and masked, in ordinary words of what hosts answer. */
const SECRET_MIN = 8;
const SECRET_MAX = 4096;
/** Printable ASCII, with no space at its ends: HTTP carries no other header, and would cut the spaces. */
const VALUE = new RegExp(`^[!-~][ -~]{${SECRET_MIN - 2},${SECRET_MAX - 2}}[!-~]$`);

/** The one who acts, as far as secrets have owners. */
export type Owner = Pick<Principal, "tenant" | "actor">;

/** Identity of a secret: its name and its owner. */
export interface SecretNeed {
  readonly name: string;
  readonly of: SecretOwner;
}

/** The secrets that requests of tools carry. */
export interface Secrets {
  /** The value that a caller acts with; `undefined` where its owner has set none. UNAVAILABLE where it cannot be read. */
  find(secret: SecretNeed, caller: Owner): Promise<string | undefined>;
  /** True where requests go without a secret that is missing, as recordings from stand-ins do. Absent: they are refused. */
  readonly omitsMissing?: boolean;
}

export interface SecretsOptions {
  readonly config: Pick<SecretsConfig, "references" | "folders">;
  /** The secrets that callers have set themselves. */
  readonly ofCallers: { find(owner: Owner, name: string): Promise<string | undefined> };
}

/** Form of values, for errors. */
export const SECRET_FORM = `${SECRET_MIN} to ${SECRET_MAX} printable ASCII characters, without space at the ends and without repetitions`;

/** Characters in a row that a value has only once. */
const WINDOW = 32;

/**
 * Checks that a request can carry a value, and that answers can be searched for it. In a value that repeats itself, the search
 * would begin again at each character of an answer made for that: a caller could have the service compute for minutes.
 */
export function isSecretValue(text: string): boolean {
  if (!VALUE.test(text)) return false;
  const count = Math.max(0, text.length - WINDOW + 1);
  return new Set(Array.from({ length: count }, (_, at) => text.slice(at, at + WINDOW))).size === count;
}

/**
 * Creates the way to secrets. Each has one owner, and no other owner's value stands in for one that is missing: a caller
 * would act with rights that it was never given. Files are read for each request, because they change while the service runs.
 */
export function createSecrets({ config, ofCallers }: SecretsOptions): Secrets {
  const { references, folders } = config;
  async function load(key: string): Promise<string | undefined> {
    const reference = references.get(key);
    if (reference !== undefined) return loadReferencedSecret(`CAIRN_SECRETS (${key})`, reference);
    for (const folder of folders) {
      const text = await readFile(join(folder, key), "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
        throw new CairnError("UNAVAILABLE", `The file of the secret \`${key}\` cannot be read.`, { cause: error });
      });
      if (text !== undefined) return text.trimEnd();
    }
    return undefined;
  }
  return Object.freeze<Secrets>({
    async find({ name, of }, caller) {
      if (of === "caller") return ofCallers.find(caller, name);
      const key = of === "tenant" ? `${caller.tenant}/${name}` : name;
      const value = await load(key);
      if (value === undefined || isSecretValue(value)) return value;
      throw new CairnError("UNAVAILABLE", `The secret \`${key}\` cannot be used: it must be ${SECRET_FORM}.`);
    },
  });
}

/** Lists the secrets that calls of a tool need: its own, and those of the upstreams that it may call. */
export function listNeeds({ upstreams }: Pick<Version, "upstreams">, tool: Tool): readonly SecretNeed[] {
  if (tool.upstreams.length === 0) return tool.secrets;
  return [...tool.secrets, ...tool.upstreams.flatMap((name) => upstreams.get(name)?.secrets ?? [])];
}

/** Refuses a call whose tool has a secret that is missing, before its handler does half of its work. @throws SECRET_MISSING */
export async function assertSecrets(
  secrets: Secrets,
  version: Pick<Version, "upstreams">,
  tool: Tool,
  caller: Owner,
): Promise<void> {
  await loadValues(secrets, tool, listNeeds(version, tool), caller);
}

/** Loads what a request of a tool is to carry, each with its value. @throws SECRET_MISSING UNAVAILABLE FORBIDDEN */
export async function loadValues<Need extends SecretNeed>(
  secrets: Secrets,
  tool: Pick<Tool, "name">,
  needs: readonly Need[],
  caller: Owner,
): Promise<readonly (Need & { readonly value: string })[]> {
  const loaded = await Promise.all(
    needs.map(async (need) => {
      const value = await secrets.find(need, caller);
      if (value !== undefined) return [{ ...need, value }];
      if (secrets.omitsMissing === true) return [];
      throw createMissing(tool, need, caller);
    }),
  );
  return loaded.flat();
}

/** Creates the error of a call whose tool has a secret that its owner has not set. */
function createMissing({ name: tool }: Pick<Tool, "name">, { name, of }: SecretNeed, caller: Owner): CairnError {
  const remedies = {
    service: `\`${tool}\` needs the secret \`${name}\` of the service, which is not set. The operator of the service sets it with CAIRN_SECRETS.`,
    tenant: `\`${tool}\` needs the secret \`${name}\` of the tenant \`${caller.tenant}\`, which is not set. The operator of the service sets \`${caller.tenant}/${name}\` with CAIRN_SECRETS.`,
    caller: `\`${tool}\` acts with its caller's own secret \`${name}\`, and \`${caller.actor}\` has set none. Set it with \`cairn secret set ${name}\`, or PUT /secrets/${name}.`,
  };
  return new CairnError("SECRET_MISSING", remedies[of], { details: { missing: name, of } });
}

/** Puts revocations before secrets: a call that needs one of those is refused, in every version. @throws FORBIDDEN */
export function refuseRevoked(secrets: Secrets, revoked: () => Revoked): Secrets {
  return {
    ...secrets,
    async find(secret, caller) {
      if (!revokesSecret(revoked(), secret.name)) return secrets.find(secret, caller);
      const message = `The secret \`${secret.name}\` is revoked by the policies of the default branch, so no request carries it.`;
      throw new CairnError("FORBIDDEN", message, { details: { revoked: secret.name } });
    },
  };
}
