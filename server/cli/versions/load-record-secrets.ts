import { isSecretValue, SECRET_FORM, type Secrets } from "../../capabilities/secrets/secrets.ts";
import { type Environment } from "../../config/config.ts";
import { isSecretName } from "../../config/config-secrets.ts";
import { loadReferencedSecret, readSecretReference } from "../../config/secret-reference.ts";
import { CairnError } from "../../errors.ts";

/** Secrets for one recording. */
export interface RecordSecrets extends Secrets {
  readonly values: readonly string[];
}

/**
 * Loads the secrets with which hosts are asked while their answers are recorded: those alone that the command names, each
 * `NAME=env:VARIABLE` or `NAME=file:/path`. A folder that nobody has reviewed would otherwise get those of the environment sent
 * wherever it likes. Who records stands for every owner. @throws BAD_REQUEST UNAVAILABLE
 */
export async function loadRecordSecrets(
  references: readonly string[],
  environment: Environment,
): Promise<RecordSecrets> {
  const found = new Map<string, string>();
  for (const entry of references) {
    const at = entry.indexOf("=");
    const name = entry.slice(0, at);
    if (at === -1 || !isSecretName(name)) throw refuse("it is `NAME=env:VARIABLE` or `NAME=file:/path`");
    const reference = readSecretReference(`--secret (${name})`, entry.slice(at + 1), environment, (problem) => {
      throw new CairnError("BAD_REQUEST", `${problem}.`);
    });
    if (reference === undefined) continue;
    const value = await loadReferencedSecret(`--secret (${name})`, reference);
    if (!isSecretValue(value)) throw refuse(`the secret \`${name}\` must be ${SECRET_FORM}`);
    found.set(name, value);
  }
  return { omitsMissing: true, find: async ({ name }) => found.get(name), values: [...found.values()] };
}

function refuse(why: string): CairnError {
  return new CairnError("BAD_REQUEST", `\`--secret\`: ${why}.`);
}
