import type { Approval } from "../../policy.ts";
import type { Problem } from "../../problem.ts";
import type { Manifest } from "../manifest.ts";
import type { SchemaCompiler } from "../schema/schema-compiler.ts";
import type { Path } from "../yaml/locate.ts";
import { readSchema } from "./read-schema.ts";

/** An approval as a manifest writes it. */
export type ApprovalContent = Pick<Approval, "when" | "by"> & Partial<Pick<Approval, "expiresSeconds">>;

/** Seconds that a call waits for its approval, unless its manifest says otherwise: a day. */
const APPROVAL_SECONDS = 86_400;

/** Compiles an approval, which stands at `path` of a manifest. */
export function readApproval(
  { file, problem }: Pick<Manifest<unknown>, "file" | "problem">,
  path: Path,
  { when, by, expiresSeconds = APPROVAL_SECONDS }: ApprovalContent,
  compile: SchemaCompiler,
): { readonly approval: Approval; readonly problems: readonly Problem[] } {
  const { compiled, problems } = readSchema(problem, [...path, "when"], when, compile);
  // Of a schema that does not compile every input waits; the tree is refused all the same.
  const check = compiled?.check ?? (() => []);
  return { approval: Object.freeze({ when, by, expiresSeconds, check, file, path }), problems };
}
