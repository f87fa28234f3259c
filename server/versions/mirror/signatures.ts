import { CairnError } from "../../errors.ts";
import type { Git } from "../git/git.ts";
import type { LocalRef } from "./refs.ts";
import { isTag, toTag } from "./sync-plan.ts";

/** Adds to refs of tags why they are not trusted. */
export type CheckSignatures = (refs: ReadonlyMap<string, LocalRef>) => Promise<ReadonlyMap<string, LocalRef>>;

/** Tags that are looked at side by side: each takes a process or two. */
const CONCURRENCY = 4;

/**
 * Trusts tags that a key of `signers` has signed (an allowed-signers file of ssh-keygen), under the very name they were
 * signed with: else whoever may push could give a signed tag another name. What was found of a tag object holds for ever,
 * or until the next start, which reads another list of keys.
 */
export function createCheckSignatures(git: Git, path: string, signers: string): CheckSignatures {
  const known = new Map<string, string | undefined>();
  // Signatures of other kinds would be judged by whatever keys the service's account happens to have.
  const config = [`gpg.ssh.allowedSignersFile=${signers}`, "gpg.program=false", "gpg.x509.program=false"];
  const settings = config.flatMap((setting) => ["-c", setting]);

  async function findFault(ref: string, { oid, target }: LocalRef): Promise<string | undefined> {
    if (oid === target) return "is not annotated, so it carries no signature";
    try {
      const name = await git.run([...settings, `--git-dir=${path}`, "verify-tag", "--format=%(tag)", oid]);
      return name.trim() === toTag(ref) ? undefined : `was signed under the name \`${name.trim()}\``;
    } catch (error) {
      // Whoever is stopped or slow has found nothing out.
      if (!(error instanceof CairnError) || error.name !== "INTERNAL_ERROR") throw error;
      return "is not signed by a key that this service trusts";
    }
  }

  return async (refs) => {
    const todo = [...refs].filter(([ref, { oid }]) => isTag(ref) && !known.has(`${ref} ${oid}`));
    while (todo.length > 0) {
      await Promise.all(
        todo.splice(0, CONCURRENCY).map(async ([ref, local]) => {
          known.set(`${ref} ${local.oid}`, await findFault(ref, local));
        }),
      );
    }
    return new Map(
      [...refs].map(([ref, local]) => {
        const untrusted = known.get(`${ref} ${local.oid}`);
        return [ref, untrusted === undefined ? local : { ...local, untrusted }];
      }),
    );
  };
}
