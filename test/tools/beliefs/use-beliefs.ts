import { expect } from "vitest";
import type { Result } from "../../../server/invoke/call.ts";
import type { Principal } from "../../../server/principal.ts";
import { type InvokedCheckout, useInvokedCheckout } from "../invoke-checkout.ts";

type Output = Readonly<Record<string, unknown>>;

export interface Beliefs {
  readonly checkout: InvokedCheckout;
  /** Somebody with a graph of their own, empty at first. */
  keeper(): Principal;
  output(tool: string, input: object, who: Principal): Promise<Output>;
  /** Number, name and message of the error of a call that has to fail. */
  error(tool: string, input: object, who: Principal): Promise<(Result & { ok: false })["error"]>;
  /** The ids of nodes of these beliefs, with 100 units of energy each. */
  nodes(beliefs: readonly number[], who: Principal): Promise<readonly string[]>;
}

/** RFC 3339 in UTC. */
export const TIMESTAMP: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export function useBeliefs(): Beliefs {
  const checkout = useInvokedCheckout();
  let keepers = 0;
  const beliefs: Beliefs = {
    checkout,
    keeper: () => ({ tenant: `keeper-${(keepers += 1)}`, actor: "keeper", capabilities: new Set(["*"]) }),
    output: async (tool, input, who) => (await checkout.output(tool, input, who)) as Output,
    async error(tool, input, who) {
      const result = await checkout.call(tool, input, who);
      if (result.ok) throw new Error(`${tool} succeeded`);
      return result.error;
    },
    async nodes(all, who) {
      const ids: string[] = [];
      for (const belief of all) {
        const { node_id } = await beliefs.output("node.create", { belief, energy: 100 }, who);
        ids.push(String(node_id));
      }
      return ids;
    },
  };
  return beliefs;
}
