import type { Config } from "../../config/config.ts";
import { findForgeSecrets } from "../../config/config-forge.ts";
import { readTraceHeaders } from "../../config/config-traces.ts";
import { loadReferencedSecret } from "../../config/secret-reference.ts";

/** Loads the secrets of the configuration, to be masked wherever they turn up. What cannot be had is left out: its user says why. */
export async function loadSecrets(config: Config): Promise<readonly string[]> {
  const { auth, drift, model, repository, secrets, store, traces } = config;
  const clients = [auth.oauth?.introspection?.secret, auth.oauth?.login?.secret];
  const ofStore = store.engine === "postgres" ? store.password : undefined;
  const references = [...clients, model?.key, ofStore]
    .filter((one) => one !== undefined)
    .concat(findForgeSecrets(config), ...secrets.references.values(), ...(drift?.tokens.values() ?? []));
  const loaded = await Promise.all(references.map((one) => loadReferencedSecret("", one).catch(() => undefined)));
  const password = URL.parse(repository ?? "")?.password || undefined;
  const headers = await loadReferencedSecret("", traces?.headers ?? { value: "" }).catch(() => "");
  const keys = await loadReferencedSecret("", secrets.key ?? { value: "" }).catch(() => "");
  return [password, ...loaded, ...keys.split(/\s+/), ...Object.values(readTraceHeaders(headers) ?? {})].filter(
    (secret): secret is string => secret !== undefined && secret !== "",
  );
}
