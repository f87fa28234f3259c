import type { Context } from "../../../server/host-api.ts";
import { createScorer } from "../language/bm25.ts";
import { toTerms } from "../language/tokenise.ts";
import { type ArtifactInterface, type Head, hasMethods, type Interface, type Tombstone } from "./artifact.ts";
import { findGenesis, GENESIS_NAMES, GENESIS_OWNER } from "./genesis.ts";
import { createNotFound, HEADS, loadHead, loadRevision, may, maySee, toHeadKey, toWords } from "./store.ts";
import { toLayer } from "./layer.ts";

/** Artifacts that a search looks into more closely. */
const MAX_CANDIDATES = 100;
const PAGE = 100;

type Ctx = Pick<Context, "state" | "lineage" | "schema" | "fail">;

/** Summary of an artifact in a list. */
export interface Summary {
  readonly artifact_id: string;
  readonly owner: string;
  readonly revision: number;
  readonly description: string;
  readonly methods?: readonly string[];
  readonly has_interface: boolean;
  readonly price: number;
  readonly may: { readonly read: boolean; readonly write: boolean; readonly invoke: boolean };
}

/** The interface of an artifact that the principal may see; null when it has none. */
export async function findInterface(ctx: Ctx, principal: string, name: string): Promise<ArtifactInterface | null> {
  const genesis = findGenesis(name);
  if (genesis !== undefined) return genesis;
  const layer = toLayer(ctx);
  const head = await loadHead(layer, name);
  if (head === undefined || "deleted" in head || !maySee(head, principal)) throw createNotFound(ctx, name);
  return (await loadRevision(ctx, layer, name, head.revision)).interface ?? null;
}

export async function listArtifacts(
  ctx: Ctx,
  principal: string,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<{ readonly artifacts: readonly Summary[]; readonly next?: string }> {
  const genesis = GENESIS_NAMES.filter((name) => after === undefined || name > after).map(toGenesisHead);
  const found: Head[] = [];
  for await (const head of readHeads(ctx, after)) {
    if (maySee(head, principal)) found.push(head);
    if (found.length > limit) break;
  }
  const all = [...genesis, ...found].sort((one, other) => (one.name < other.name ? -1 : 1));
  const artifacts = all.slice(0, limit).map((head) => toSummary(head, principal));
  const last = artifacts.at(-1);
  return all.length > limit && last !== undefined ? { artifacts, next: last.artifact_id } : { artifacts };
}

/** Those whose interfaces are about `query`, the best first, and of these, or of all, those that take `accepts`. */
export async function searchArtifacts(
  ctx: Ctx,
  principal: string,
  { query, accepts, limit }: { readonly query?: string; readonly accepts?: object; readonly limit: number },
): Promise<{ readonly artifacts: readonly Summary[] }> {
  const heads = GENESIS_NAMES.map(toGenesisHead);
  for await (const head of readHeads(ctx)) if (maySee(head, principal)) heads.push(head);
  const ranked = query === undefined ? heads : rank(heads, query);
  const artifacts: Summary[] = [];
  for (const head of ranked.slice(0, MAX_CANDIDATES)) {
    if (accepts === undefined || (await takes(ctx, principal, head, accepts)))
      artifacts.push(toSummary(head, principal));
    if (artifacts.length === limit) break;
  }
  return { artifacts };
}

/** Every artifact of the tenant, by name. */
export async function* readHeads(ctx: Ctx, after?: string): AsyncGenerator<Head> {
  let from = after === undefined ? {} : { after: toHeadKey(after) };
  for (;;) {
    const page = await ctx.state.scan<Head | Tombstone>([HEADS], { limit: PAGE, ...from });
    for (const { value } of page) if (!("deleted" in value)) yield value;
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) return;
    from = { after: last.key };
  }
}

function rank(heads: readonly Head[], query: string): readonly Head[] {
  const score = createScorer(
    heads.map(({ name, description, methods = [], words }) => [
      { terms: toTerms(`${name} ${methods.join(" ")}`), weight: 3 },
      { terms: toTerms(`${description} ${words}`), weight: 1 },
    ]),
  );
  const scores = score(toTerms(query));
  return heads
    .map((head, index) => ({ head, score: scores[index] ?? 0 }))
    .filter((one) => one.score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ head }) => head);
}

async function takes(ctx: Ctx, principal: string, { name, hasInterface }: Head, given: object): Promise<boolean> {
  if (!hasInterface) return false;
  const one = await findInterface(ctx, principal, name);
  const all: readonly Interface[] = one === null ? [] : hasMethods(one) ? Object.values(one.methods) : [one];
  for (const { inputSchema } of all) if ((await ctx.schema.check(inputSchema, given)).length === 0) return true;
  return false;
}

function toSummary(head: Head, principal: string): Summary {
  const { name, owner, revision, description, methods, hasInterface, price } = head;
  const mine = { read: may(head, principal, "read"), write: may(head, principal, "write") };
  return {
    artifact_id: name,
    owner,
    revision,
    description,
    ...(methods === undefined ? {} : { methods }),
    has_interface: hasInterface,
    price,
    may: { ...mine, invoke: may(head, principal, "invoke") },
  };
}

/** As if somebody had made it. */
function toGenesisHead(name: string): Head {
  const made = findGenesis(name) ?? { methods: {} };
  return {
    name,
    owner: GENESIS_OWNER,
    revision: 1,
    permissions: { read: [], write: [], invoke: ["*"] },
    description: made.description ?? "",
    methods: Object.keys(made.methods),
    hasInterface: true,
    words: toWords(made),
    price: 0,
    createdAt: 0,
    updatedAt: 0,
  };
}
