import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Digest of everything that decides whether a tree is good: the schemas and the code that judges by them. A verdict that
 * other rules came to must not be believed.
 */
export function fingerprintRules(): string {
  const hash = createHash("sha256");
  for (const file of globSync(["schemas/*.json", "server/host-api.*", "server/{semver,versions}/**/*.{ts,js}"], {
    cwd: ROOT,
  }).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(new URL(`../../${file}`, import.meta.url)))
      .update("\0");
  }
  return hash.digest("hex");
}
