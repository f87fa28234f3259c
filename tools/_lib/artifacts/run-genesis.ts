import type { Context } from "../../../server/host-api.ts";
import { findInterface, listArtifacts, searchArtifacts } from "./discover.ts";
import { type Layer, toLayer } from "./layer.ts";
import { loadBalance, type Movement, transfer } from "./ledger.ts";

/** Entries of the lineage that are looked at for one page of what concerns one principal. */
const MAX_READ = 5_000;
const PAGE = 1_000;

/** One invocation of a method of a genesis artifact; `args` match its interface. */
interface GenesisInvocation {
  readonly caller: string;
  readonly layer: Layer;
  readonly args: Readonly<Record<string, unknown>>;
}

type Method = (ctx: Context, invocation: GenesisInvocation) => Promise<object>;

const METHODS: Readonly<Record<string, Method>> = {
  async "genesis_ledger.get_balance"(_, { layer, args }) {
    const principal = String(args["principal_id"]);
    return { principal_id: principal, balance: await loadBalance(layer, principal) };
  },
  async "genesis_ledger.transfer"(ctx, { caller, layer, args }) {
    const wanted = { from: caller, to: String(args["to"]), amount: Number(args["amount"]) };
    const { balances } = await transfer(ctx, layer, wanted);
    return { ...wanted, balance: balances.from };
  },
  async "genesis_ledger.history"(ctx, { args }) {
    const { principal_id: principal, from = 0, limit = 100 } = args;
    return readHistory(ctx, Number(from), Number(limit), principal === undefined ? undefined : String(principal));
  },
  async "genesis_store.get_interface"(ctx, { caller, args }) {
    const name = String(args["artifact_id"]);
    return { artifact_id: name, interface: await findInterface(ctx, caller, name) };
  },
  async "genesis_store.list"(ctx, { caller, args }) {
    const { after, limit = 50 } = args;
    return listArtifacts(ctx, caller, {
      limit: Number(limit),
      ...(after === undefined ? {} : { after: String(after) }),
    });
  },
  async "genesis_store.search"(ctx, { caller, args }) {
    const { query, accepts, limit = 10 } = args;
    return searchArtifacts(ctx, caller, {
      limit: Number(limit),
      ...(query === undefined ? {} : { query: String(query) }),
      ...(accepts === undefined ? {} : { accepts: Object(accepts) }),
    });
  },
};

export function findGenesisMethod(artifact: string, method: string): Method | undefined {
  const name = `${artifact}.${method}`;
  return Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
}

/** A call of a method as a tool, whose manifest has checked the input. */
export async function callGenesis(ctx: Context, artifact: string, method: string, args: object): Promise<object> {
  const run = findGenesisMethod(artifact, method);
  if (run === undefined) throw ctx.fail("NOT_FOUND", `There is no \`${artifact}.${method}\`.`);
  const { actor } = await ctx.principal();
  return run(ctx, { caller: actor, layer: toLayer(ctx), args: { ...args } });
}

/** `next` is where to go on, when there is more. */
async function readHistory(
  { lineage }: Pick<Context, "lineage">,
  from: number,
  limit: number,
  principal: string | undefined,
): Promise<object> {
  const entries: object[] = [];
  let at = from;
  while (at < from + MAX_READ) {
    const page = await lineage.read<Movement>({ from: at, limit: PAGE });
    for (const { seq, at: time, checksum, entry } of page) {
      at = seq + 1;
      if (principal !== undefined && entry.from !== principal && entry.to !== principal) continue;
      entries.push({ number: seq, at: new Date(time).toISOString(), checksum, ...entry });
      if (entries.length === limit) return { entries, next: at };
    }
    if (page.length < PAGE) return { entries };
  }
  return { entries, next: at };
}
