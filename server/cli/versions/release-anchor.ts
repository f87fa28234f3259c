import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkAnchor, toAnchor } from "../../kernel/audit/anchor.ts";
import { createAuditReader } from "../../kernel/audit/audit-reader.ts";
import { loadAuditedTenants } from "../../kernel/audit/audited-tenants.ts";
import { createCheckpointer, loadTree } from "../../kernel/audit/checkpoints.ts";
import { loadServiceSigner } from "../../kernel/audit/service-key.ts";
import { toFolderName } from "../../kernel/audit/verify/folder-name.ts";
import type { Config } from "../../config/config.ts";
import { CairnError } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import type { Checkout } from "./checkout.ts";

/** File with the newest checkpoints of the audit at releases, from the top of the repository. */
export const ANCHOR_FILE = "audit-anchor.txt";

/**
 * The commit to release instead of `commit`: one more, with the newest checkpoint of each audit log in it. No branch
 * moves, and no file of the work tree changes. INVARIANT_VIOLATION when a log does not continue what was anchored.
 */
export async function commitAnchor(
  { folder, git, find }: Checkout,
  commit: string,
  title: string,
  config: Config,
  store: Store,
): Promise<string> {
  const signer = await loadServiceSigner(config);
  const advance = createCheckpointer({ store, signer });
  const reader = createAuditReader(store);
  const tenants = await loadAuditedTenants(store);
  const byOrigin = new Map(tenants.map((tenant) => [`${signer.key.name}/${toFolderName(tenant)}`, tenant]));
  const checkpoints: string[] = [];
  for (const tenant of tenants) {
    const broken = await advance(tenant);
    if (broken !== undefined) {
      const where = `at entry ${broken.seq}: ${broken.problem}`;
      throw new CairnError("INVARIANT_VIOLATION", `The audit log of \`${tenant}\` is broken ${where}.`);
    }
    checkpoints.push((await loadTree(store, tenant)).checkpoint);
  }
  const before = await find("cat-file", "blob", `${commit}:${ANCHOR_FILE}`);
  const earlier = before === undefined ? "" : await readWhole(folder);
  const later = toAnchor(checkpoints.filter((checkpoint) => checkpoint !== ""));
  await checkAnchor(earlier, later, signer.key, async (origin, from, to) => {
    const { hashes } = await reader.consistency(byOrigin.get(origin) ?? "", from, to);
    return hashes.map((hash) => Buffer.from(hash, "base64"));
  });
  if (later === earlier) return commit;
  const blob = await git(["hash-object", "-w", "--stdin"], { input: later });
  // Of the tree's top only: all that lies deeper stays as it is.
  const listed = (await git(["ls-tree", "-z", commit])).split("\0").filter((line) => line !== "");
  const others = listed.filter((line) => !line.endsWith(`\t${ANCHOR_FILE}`));
  const entries = [...others, `100644 blob ${blob}\t${ANCHOR_FILE}`];
  const tree = await git(["mktree", "-z"], { input: entries.map((line) => `${line}\0`).join("") });
  return git(["commit-tree", tree, "-p", commit, "-m", `Anchor the audit at ${title}`]);
}

/** The work tree is that of the commit, and what git prints was trimmed. */
function readWhole(folder: string): Promise<string> {
  return readFile(join(folder, ANCHOR_FILE), "utf8");
}
