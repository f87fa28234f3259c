import type { Context, StateKey } from "../../../server/host-api.ts";
import type { ArtifactInterface, Head, Permissions, Revision, Tombstone } from "./artifact.ts";
import { findGenesis } from "./genesis.ts";
import type { Layer } from "./layer.ts";

/** Artifacts of one tenant. */
export const MAX_ARTIFACTS = 1_000;

/** The first element of the keys of heads, which `server.yaml` names: whoever lists artifacts hears of changes there. */
export const HEADS = "artifact";
const REVISIONS = "revision";
const DATA = "data";
const COUNT = ["count"];

export function toHeadKey(name: string): StateKey {
  return [HEADS, name];
}

export function toRevisionKey(name: string, revision: number): StateKey {
  return [REVISIONS, name, revision];
}

/** State of an artifact's own code. */
export function toDataKey(name: string, key: StateKey): StateKey {
  return [DATA, name, ...key];
}

export async function loadCount(layer: Layer): Promise<number> {
  return (await layer.get<number>(COUNT)) ?? 0;
}

export async function saveCount(layer: Layer, count: number): Promise<void> {
  await layer.set(COUNT, count);
}

export async function loadHead(layer: Layer, name: string): Promise<Head | Tombstone | undefined> {
  return layer.get<Head | Tombstone>(toHeadKey(name));
}

/** Checks that the principal has a permission on the artifact. */
export function may({ owner, permissions }: Head, principal: string, what: keyof Permissions): boolean {
  const allowed = permissions[what];
  return owner === principal || allowed.includes("*") || allowed.includes(principal);
}

/** Checks that the principal may see the artifact: principals without any permission do not learn that it exists. */
export function maySee(head: Head, principal: string): boolean {
  return may(head, principal, "read") || may(head, principal, "write") || may(head, principal, "invoke");
}

/** The artifact, for a principal who wants that with it; NOT_FOUND and FORBIDDEN where that cannot be. */
export async function requireHead(
  ctx: Pick<Context, "fail">,
  layer: Layer,
  name: string,
  principal: string,
  what: keyof Permissions | "see",
): Promise<Head> {
  const head = findGenesis(name) === undefined ? await loadHead(layer, name) : undefined;
  if (head === undefined || "deleted" in head || !maySee(head, principal)) throw createNotFound(ctx, name);
  if (what === "see" || may(head, principal, what)) return head;
  throw ctx.fail(
    "FORBIDDEN",
    `\`${principal}\` has no permission to ${what} \`${name}\`, which is \`${head.owner}\`'s.`,
  );
}

export function createNotFound({ fail }: Pick<Context, "fail">, name: string): Error {
  if (findGenesis(name) !== undefined)
    return fail("FORBIDDEN", `\`${name}\` is part of the version and has no code here.`);
  return fail("NOT_FOUND", `There is no artifact \`${name}\`; \`genesis_store.list\` tells which there are.`, {
    tool: name,
  });
}

export async function loadRevision(
  { fail }: Pick<Context, "fail">,
  layer: Layer,
  name: string,
  revision: number,
): Promise<Revision> {
  const found = await layer.get<Revision>(toRevisionKey(name, revision));
  if (found === undefined) throw fail("NOT_FOUND", `\`${name}\` has no revision ${revision}.`);
  return found;
}

/** Collects the text for searches: descriptions, methods, and the names and descriptions of inputs and outputs. */
export function toWords(one: ArtifactInterface | undefined): string {
  const words: string[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return;
    for (const [key, inner] of Object.entries(value)) {
      if (!KEYWORDS.has(key)) words.push(key);
      if (key === "description" && typeof inner === "string") words.push(inner);
      visit(inner, depth + 1);
    }
  };
  visit(one, 0);
  return words.join(" ").slice(0, MAX_WORDS);
}

const MAX_DEPTH = 12;
const MAX_WORDS = 2_000;
const KEYWORDS = new Set(
  "description inputSchema outputSchema methods properties required type items enum const minimum maximum additionalProperties default examples".split(
    " ",
  ),
);
