import type { Context } from "../../../server/host-api.ts";
import { hasMethods, type Interface } from "./artifact.ts";
import { findInterface, readHeads } from "./discover.ts";
import { may } from "./store.ts";
import type { Mode } from "./validate.ts";

/** Characters of definitions on one page, more or less; the last artifact is told in full. */
const PAGE = 200_000;

type Ctx = Pick<Context, "state" | "lineage" | "schema" | "fail">;

/** An artifact, or a method of one, as an MCP tool. */
export interface Definition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
}

/** The artifacts with interfaces that the principal may invoke, as MCP tools; `next` is where the next page begins. */
export async function listTools(
  ctx: Ctx,
  principal: string,
  mode: Mode,
  after?: string,
): Promise<{ readonly tools: readonly Definition[]; readonly next?: string }> {
  const tools: Definition[] = [];
  let length = 0;
  for await (const head of readHeads(ctx, after)) {
    if (!head.hasInterface || !may(head, principal, "invoke")) continue;
    const spoken = await findInterface(ctx, principal, head.name);
    if (spoken === null) continue;
    const all: readonly (readonly [string, Interface])[] = hasMethods(spoken)
      ? Object.entries(spoken.methods).map(([method, one]) => [`${head.name}.${method}`, one] as const)
      : [[head.name, spoken]];
    for (const [name, one] of all) {
      const definition = toDefinition(name, one, head.owner === principal ? 0 : head.price, mode);
      length += JSON.stringify(definition).length;
      tools.push(definition);
    }
    if (length > PAGE) return { tools, next: head.name };
  }
  return { tools };
}

/** MCP holds a tool to its `outputSchema`, so it is told only where results are checked, and where they are objects. */
function toDefinition(name: string, one: Interface, price: number, mode: Mode): Definition {
  const { inputSchema, outputSchema } = one;
  // Whoever calls a tool sees nothing else of it.
  const description = price > 0 ? `${one.description} (Costs ${price} scrip.)` : one.description;
  const isKept = mode === "on" && outputSchema?.["type"] === "object";
  return { name, description, inputSchema, ...(isKept ? { outputSchema } : {}) };
}
