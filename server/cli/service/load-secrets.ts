import type { Config } from "../../config/config.ts";
import { loadReferencedSecret } from "../../config/secret-reference.ts";

/** The secrets of the configuration, to be masked wherever they turn up; whoever needs one says when it cannot be had. */
export async function loadSecrets({ auth, github, model, repository, webhooks }: Config): Promise<readonly string[]> {
  const token = github?.identity.kind === "token" ? github.identity.token : undefined;
  const references = [auth.oauth?.introspection?.secret, token, webhooks?.secret].filter((one) => one !== undefined);
  const loaded = await Promise.all(references.map((one) => loadReferencedSecret("", one).catch(() => undefined)));
  const password = URL.parse(repository ?? "")?.password || undefined;
  return [model?.key, password, ...loaded].filter((secret) => secret !== undefined);
}
