import type { Context } from "../../../server/host-api.ts";

/** Name of the artifact in an input: `artifact_id`, or the older `name`. */
export interface NamedArtifact {
  readonly artifact_id?: string | undefined;
  readonly name?: string | undefined;
}

/** The artifact that an input names; BAD_REQUEST when it names none, or two. A root schema cannot say this to all clients. */
export function readArtifactId({ artifact_id: id, name }: NamedArtifact, { fail }: Pick<Context, "fail">): string {
  const meant = id ?? name;
  if (meant === undefined) throw fail("BAD_REQUEST", "`artifact_id` must say which artifact is meant.");
  if (name !== undefined && name !== meant) throw fail("BAD_REQUEST", "`artifact_id` and `name` are two artifacts.");
  return meant;
}
