import { CairnError } from "../../errors.ts";
import type { ArchitectContext } from "./context.ts";
import { findBase, toTag } from "./find-base.ts";
import type { FeedbackRecord } from "./feedback-record.ts";

export interface Published {
  readonly oid: string;
  /** Absent: the version is what it was. */
  readonly release?: {
    readonly semver: string;
    readonly tag: string;
    /** The version that it says it was made from. */
    readonly parent?: string;
  };
}

/** Looks at the upstream before it is given up that a landed commit can be served. */
const LOOKS = 20;

/** Tags what has landed with the version that it says it is, if that is a new one, and waits until it is served. */
export async function publish(
  context: ArchitectContext,
  record: FeedbackRecord,
  { oid, isRelease }: { readonly oid: string; readonly isRelease: boolean },
): Promise<Published> {
  const { forge, git, registry, baseBranch, tell, watchForge } = context;
  if (forge === undefined) throw new TypeError("Nothing can have landed.");
  const { ok, message: fault = "The repository cannot be read." } = await registry.refresh();
  if (!ok) throw new CairnError("UNAVAILABLE", fault);
  const version = await registry.read(oid);
  if (!isRelease) return { oid };
  const { semver, history } = version;
  const parent = history.versions.get(semver)?.parent;
  const { build } = await findBase({ git, gitDir: registry.mirror }, oid, baseBranch);
  let tag = toTag(semver, build);
  const message = `Version ${semver}\n\nCairn-Feedback: ${record.id}`;
  if ((await forge.tag(tag, oid, message)) === "taken") {
    // Somebody has given the number away meanwhile: several commits may have the same, told apart by this.
    tag = toTag(semver, record.id.slice(0, 8));
    if ((await forge.tag(tag, oid, message)) === "taken") {
      throw new CairnError("CONFLICT", `The tag \`${tag}\` stands for another commit.`);
    }
  }
  tell(record, "tag", `Tagged as ${tag}.`);
  const lookout = watchForge(() => true);
  try {
    for (let look = 0; look < LOOKS; look++) {
      await registry.refresh();
      const served = await registry.resolve(tag.slice(1)).catch(() => undefined);
      if (served?.version.commit === oid) {
        return { oid, release: { semver, tag, ...(parent === undefined ? {} : { parent }) } };
      }
      await lookout.pause();
    }
  } finally {
    lookout.close();
  }
  throw new CairnError("UNAVAILABLE", `\`${tag}\` is not served yet.`);
}
