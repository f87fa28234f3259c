import { createSentencePlanner } from "../../server/architect/planners/wishes/create-sentence-planner.ts";
import { createWishPlanner, createWishReader } from "../../server/architect/planners/wishes/create-wish-planner.ts";
import type { Plan } from "../../server/architect/planners/plan.ts";
import type { Ground, Planner } from "../../server/architect/planners/planner.ts";
import { createGround, readAgent, readCheckout } from "./plan-ground.ts";

/** Agents that wishes are said to, by name. */
export interface Agents {
  groundOf(agent: string): Ground;
  /** What the first planner that understands a message makes of it. */
  planOf(agent: string, message: string): Promise<Plan | undefined>;
  /** What is changed at once, in one line; undefined where nothing is. */
  changesOf(agent: string, message: string): Promise<string | undefined>;
  /** What is offered first, in one line; undefined where nothing is. */
  firstOffered(agent: string, message: string): Promise<string | undefined>;
}

function createPlanners(): readonly Planner[] {
  const read = createWishReader();
  return [createSentencePlanner(read), createWishPlanner(read)];
}

/** Loads agents of test/evaluation, and `example`, which is this checkout; `planners` are asked in turn. */
export async function openAgents(
  names: readonly string[],
  planners: readonly Planner[] = createPlanners(),
): Promise<Agents> {
  const grounds = new Map<string, Ground>();
  for (const name of names)
    grounds.set(name, await createGround(name === "example" ? await readCheckout() : await readAgent(name)));
  function groundOf(agent: string): Ground {
    const ground = grounds.get(agent);
    if (ground === undefined) throw new Error(`${agent} is not loaded`);
    return ground;
  }
  async function planOf(agent: string, message: string): Promise<Plan | undefined> {
    for (const planner of planners) {
      const plan = await planner.plan({ message, attachments: [] }, groundOf(agent));
      if (plan !== undefined) return plan;
    }
    return undefined;
  }
  return {
    groundOf,
    planOf,
    async changesOf(agent, message) {
      const plan = await planOf(agent, message);
      return plan?.kind === "change" ? plan.changes.join(" ") : undefined;
    },
    async firstOffered(agent, message) {
      const plan = await planOf(agent, message);
      return plan?.kind === "reject" ? plan.readings?.[0]?.title : undefined;
    },
  };
}
