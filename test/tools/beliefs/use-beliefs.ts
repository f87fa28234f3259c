import { expect } from "vitest";
import type { StateKey } from "../../../server/host-api.ts";
import type { Result } from "../../../server/kernel/call.ts";
import type { Principal } from "../../../server/principal.ts";
import { stateKey } from "../../../server/store/keys.ts";
import type { Json } from "../../../server/store/store.ts";
import { type InvokedCheckout, useInvokedCheckout } from "../invoke-checkout.ts";

type Output = Readonly<Record<string, unknown>>;

export interface Beliefs {
  readonly checkout: InvokedCheckout;
  /** Somebody with a graph of their own, empty at first. */
  keeper(): Principal;
  output(tool: string, input: object, who: Principal): Promise<Output>;
  /** Number, name and message of the error of a call that has to fail. */
  error(tool: string, input: object, who: Principal): Promise<(Result & { ok: false })["error"]>;
  /** Writes past all tools into what the store has of a graph: `change` gets the value under a key of its state. */
  tamper(who: Principal, key: StateKey, change: (value: never) => unknown): Promise<void>;
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
    async tamper({ tenant }, key, change) {
      const store = checkout.store();
      const place = stateKey(tenant, "beliefs", "beliefs", key);
      const value = change((await store.get(place))?.value as never) as Json;
      await store.commit({ set: [{ key: place, value }] });
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
