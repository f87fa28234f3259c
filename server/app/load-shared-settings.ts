import { readFile } from "node:fs/promises";
import type { Config } from "../config/config.ts";
import { loadReferencedSecret } from "../config/secret-reference.ts";
import { type SharedSettings, toSharedSettings } from "../config/shared-settings.ts";

/** Loads what must be the same on all nodes, with what files hold at this moment: keys may be replaced while nodes run. */
export async function loadSharedSettings(config: Config): Promise<SharedSettings> {
  const { tagSigners, secrets } = config;
  const [secretsKey, signers] = await Promise.all([
    secrets.key === undefined ? null : orUnknown(loadReferencedSecret("CAIRN_SECRETS_KEY", secrets.key)),
    tagSigners === undefined ? null : orUnknown(readFile(tagSigners, "utf8")),
  ]);
  return toSharedSettings(config, { secretsKey, tagSigners: signers });
}

/** Loads a text as far as it can be read: whoever needs it says by itself that it cannot. */
function orUnknown(text: Promise<string>): Promise<string | undefined> {
  return text.catch(() => undefined);
}
