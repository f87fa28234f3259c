import type { Nodes } from "../instance/nodes.ts";
import { RELEASE } from "../config/optional-package.ts";
import type { HealthCheck } from "./health.ts";

/** Milliseconds for another node to answer. */
const ANSWER_MS = 500;

/** Creates the check of the other nodes: whether each answers at the address that it gave. */
export function createNodesCheck(nodes: Nodes): HealthCheck {
  return {
    name: "nodes:reachable",
    async run() {
      const others = (await nodes.list()).filter(({ id, address }) => id !== nodes.self.id && address !== undefined);
      const answers = await Promise.all(others.map(({ id }) => doesAnswer(nodes, id)));
      const silent = others.filter((_, at) => answers[at] === false);
      const observedValue = [
        { node: nodes.self.label, release: RELEASE },
        ...others.map(({ label, release }, at) => ({ node: label, release, answers: answers[at] })),
      ];
      if (silent.length === 0) return { status: "pass", observedValue };
      const output = `${silent.length} nodes do not answer at their CAIRN_NODE_ADDRESS.`;
      return { status: "warn", observedValue, output };
    },
  };
}

async function doesAnswer(nodes: Nodes, id: string): Promise<boolean> {
  try {
    const request = { method: "POST", path: "/nodes/hello", body: "null", signal: AbortSignal.timeout(ANSWER_MS) };
    const response = await nodes.request(id, request);
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}
