import type { ArtifactProgram, Context } from "../../../server/host-api.ts";
import {
  type ArtifactInterface,
  hasMethods,
  type Head,
  type Language,
  type Permissions,
  type Revision,
  type Tombstone,
  type Use,
} from "./artifact.ts";
import { type Layer, toLayer } from "./layer.ts";
import * as store from "./store.ts";

/** Draft of a new or changed artifact; `interface: null` removes the interface. */
export interface Draft {
  readonly name: string;
  readonly code?: string;
  readonly language?: Language;
  readonly interface?: ArtifactInterface | null;
  readonly uses?: readonly Use[];
  readonly price?: number;
  readonly permissions?: Partial<Permissions>;
}

/** Of names with these beginnings there are tools, or will be. */
const RESERVED = /^(?:artifact|genesis|ledger)_/;
const EVERYBODY: Permissions = { read: ["*"], write: [], invoke: ["*"] };
/** Keys of an artifact's own state that are removed with it at a time. */
const PAGE = 1_000;

type Ctx = Pick<Context, "state" | "lineage" | "artifacts" | "schema" | "now" | "fail">;

/** Makes an artifact that belongs to `owner`; CONFLICT when the name is taken. */
export async function createArtifact(ctx: Ctx, owner: string, draft: Draft & { readonly code: string }): Promise<Head> {
  const { name } = draft;
  if (RESERVED.test(name))
    throw ctx.fail("BAD_REQUEST", `Names that begin with \`${name.split("_")[0]}_\` are not free.`);
  const layer = toLayer(ctx);
  const before = await store.loadHead(layer, name);
  if (before !== undefined && !("deleted" in before && before.owner === owner)) {
    throw ctx.fail("CONFLICT", `The name \`${name}\` is taken.`);
  }
  const count = (await store.loadCount(layer)) + 1;
  if (count > store.MAX_ARTIFACTS) throw ctx.fail("CONFLICT", `There are ${store.MAX_ARTIFACTS} artifacts already.`);
  await store.saveCount(layer, count);
  const now = ctx.now();
  const permissions = { ...EVERYBODY, ...draft.permissions };
  const made = { owner, author: owner, createdAt: now, permissions, revision: (before?.revision ?? 0) + 1 };
  const { code, language = "javascript", uses = [], price = 0, interface: spoken } = draft;
  return write(ctx, layer, name, { ...made, code, language, uses, price, ...toMember(spoken) });
}

/**
 * Makes another revision of an artifact, with what `draft` says and the rest as it was; CONFLICT when its newest is not
 * `expected`.
 */
export async function updateArtifact(ctx: Ctx, author: string, draft: Draft, expected?: number): Promise<Head> {
  const layer = toLayer(ctx);
  const { name, permissions } = draft;
  const head = await store.requireHead(ctx, layer, name, author, "write");
  if (expected !== undefined && expected !== head.revision) {
    throw ctx.fail("CONFLICT", `The newest revision of \`${name}\` is ${head.revision}, not ${expected}.`);
  }
  if (author !== head.owner && (permissions !== undefined || draft.price !== undefined)) {
    throw ctx.fail("FORBIDDEN", `Permissions and price of \`${name}\` are for \`${head.owner}\` to say.`);
  }
  const before = await store.loadRevision(ctx, layer, name, head.revision);
  const spoken = draft.interface === undefined ? before.interface : draft.interface;
  return write(ctx, layer, name, {
    owner: head.owner,
    author,
    createdAt: head.createdAt,
    permissions: { ...head.permissions, ...permissions },
    revision: head.revision + 1,
    code: draft.code ?? before.code,
    language: draft.language ?? before.language,
    uses: draft.uses ?? before.uses,
    price: draft.price ?? before.price,
    ...toMember(spoken),
  });
}

/** Takes an artifact away, with all of its revisions and state. Only its owner may, and only they may use the name again. */
export async function deleteArtifact(ctx: Ctx, principal: string, name: string): Promise<Tombstone> {
  const layer = toLayer(ctx);
  const head = await store.requireHead(ctx, layer, name, principal, "see");
  if (head.owner !== principal) throw ctx.fail("FORBIDDEN", `Only \`${head.owner}\` may delete \`${name}\`.`);
  for (let revision = 1; revision <= head.revision; revision += 1) {
    await layer.delete(store.toRevisionKey(name, revision));
  }
  for (;;) {
    const page = await ctx.state.scan(store.toDataKey(name, []), { limit: PAGE });
    for (const { key } of page) await layer.delete(key);
    if (page.length < PAGE) break;
  }
  const tombstone: Tombstone = { deleted: true, owner: head.owner, revision: head.revision };
  await layer.set(store.toHeadKey(name), tombstone);
  await store.saveCount(layer, (await store.loadCount(layer)) - 1);
  return tombstone;
}

interface Written {
  readonly owner: string;
  readonly author: string;
  /** Of the artifact. */
  readonly createdAt: number;
  readonly permissions: Permissions;
  readonly revision: number;
  readonly code: string;
  readonly language: Language;
  readonly uses: readonly Use[];
  readonly price: number;
  readonly interface?: ArtifactInterface;
}

async function write(ctx: Ctx, layer: Layer, name: string, written: Written): Promise<Head> {
  const { owner, author, createdAt, permissions, revision, code, language, uses, price, interface: spoken } = written;
  if (spoken !== undefined) await checkInterface(ctx, spoken);
  const now = ctx.now();
  const record: Revision = {
    revision,
    author,
    createdAt: now,
    language,
    code,
    program: await compile(ctx, name, code, language),
    uses,
    price,
    ...toMember(spoken),
  };
  const head: Head = {
    name,
    owner,
    revision,
    permissions,
    description: spoken?.description ?? "",
    ...(spoken !== undefined && hasMethods(spoken) ? { methods: Object.keys(spoken.methods) } : {}),
    hasInterface: spoken !== undefined,
    words: store.toWords(spoken),
    price,
    createdAt,
    updatedAt: now,
  };
  await layer.set(store.toRevisionKey(name, revision), record);
  await layer.set(store.toHeadKey(name), head);
  return head;
}

/** The artifact's code as JavaScript; BAD_REQUEST when it cannot be loaded. */
async function compile({ artifacts }: Ctx, name: string, code: string, language: Language): Promise<string> {
  const path = language === "typescript" ? "artifact.ts" : "artifact.js";
  const program: ArtifactProgram = await artifacts.compile({ name, modules: { [path]: code }, entry: path });
  return program.modules["artifact.js"] ?? "";
}

/** Checks that each schema of an interface can be used; the manifest checks its form. */
async function checkInterface({ schema, fail }: Ctx, spoken: ArtifactInterface): Promise<void> {
  const all = hasMethods(spoken) ? Object.entries(spoken.methods) : [["", spoken] as const];
  for (const [method, { inputSchema, outputSchema }] of all) {
    for (const [key, one] of Object.entries({ inputSchema, outputSchema })) {
      if (one === undefined) continue;
      // Clients would repeat as a header what is so marked, and nothing here would hold the two against each other.
      if (JSON.stringify(one).includes('"x-mcp-header"')) {
        throw fail("BAD_REQUEST", "`x-mcp-header` is for the schemas of manifests.");
      }
      const problems = await schema.problems(one);
      const place = method === "" ? key : `methods.${method}.${key}`;
      if (problems.length > 0) {
        const told = problems.map(({ path, message }) => `${path === "" ? "" : `\`${path}\`: `}${message}`).join("; ");
        throw fail("BAD_REQUEST", `\`interface.${place}\` is no JSON Schema that can be used: ${told}`, { problems });
      }
    }
  }
}

function toMember(spoken: ArtifactInterface | null | undefined): { readonly interface?: ArtifactInterface } {
  return spoken === undefined || spoken === null ? {} : { interface: spoken };
}
